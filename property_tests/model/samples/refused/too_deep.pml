/*
 * refused: can't tell: not all states were searched
 */
int steps;

active proctype Climbs() {
    do
    :: steps < 200000 -> steps++
    :: else -> break
    od
}
