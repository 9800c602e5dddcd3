/*
 * refused: should find: nothing; found: invalid end state$
 */
bool comes;

active proctype Waits() {
    comes
}
