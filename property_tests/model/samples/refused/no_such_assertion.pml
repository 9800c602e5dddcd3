/*
 * refused: can't tell: nothing asserts stays
 */
bool other;

active proctype Changes() {
    assert(other)
}
