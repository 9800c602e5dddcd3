/*
 * refused: can't tell: nothing depends on FAULT
 */
bool stays;

active proctype Changes() {
    assert(stays)
}
