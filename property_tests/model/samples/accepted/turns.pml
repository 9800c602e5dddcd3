/* Two that take turns: all holds, and both end. */
bool first_goes = true;
bool alone = true;
byte inside;

proctype Guest(bool first) {
    first_goes == first;
    inside++;
    alone = (inside == 1);
    assert(alone);
    inside--;
    first_goes = !first
}

init {
    run Guest(true);
    run Guest(false)
}
