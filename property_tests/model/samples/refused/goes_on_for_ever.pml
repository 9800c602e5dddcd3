/*
 * refused: should find: nothing; found: non-progress cycle$
 */
bool day;

active proctype Turns() {
    do
    :: day = !day
    od
}
