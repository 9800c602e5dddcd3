/*
 * refused: never reached: the statements above
 */
bool stays = true;

active proctype Keeps() {
    if
    :: stays
    :: else -> stays = true
    fi
}
