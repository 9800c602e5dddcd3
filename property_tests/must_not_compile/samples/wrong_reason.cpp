// A misspelt name, where a deleted function was announced. refused: It fails for another reason
// error: use of deleted function
int main() {
#ifdef OFFENDING
    absent();
#endif
}
