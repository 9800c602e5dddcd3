/*
 * refused: should find: assertion violated stays; found: assertion violated stays_too$
 */
bool stays = true;
bool stays_too = true;

active proctype Changes() {
    stays_too = false;
    assert(stays_too);
    assert(stays)
}
