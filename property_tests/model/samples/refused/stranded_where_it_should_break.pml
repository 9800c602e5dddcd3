/*
 * refused: should find: assertion violated stays; found: invalid end state$
 */
bool stays;

active proctype Waits() {
    stays;
    assert(stays)
}
