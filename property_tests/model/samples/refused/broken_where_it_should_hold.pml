/*
 * refused: should find: nothing; found: assertion violated stays$
 */
bool stays = true;

active proctype Changes() {
    stays = false;
    assert(stays)
}
