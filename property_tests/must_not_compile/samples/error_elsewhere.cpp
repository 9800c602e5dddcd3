// Something else is broken as well. refused: An error outside the marked lines
// error: absent
int main() {
    absent();
#ifdef OFFENDING
    absent();
#endif
}
