/*
 * refused: should find: assertion violated stays; found: nothing$
 */
bool stays = true;

active proctype Keeps() {
#ifdef FAULT
    skip;
#endif
    assert(stays)
}
