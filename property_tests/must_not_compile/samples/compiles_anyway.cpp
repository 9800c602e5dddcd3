// The marked line is no mistake at all. refused: COMPILES, though it must fail
// error: .
int main() {
#ifdef OFFENDING
    return 0;
#endif
}
