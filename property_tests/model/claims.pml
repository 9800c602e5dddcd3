/* The claim protocol: one scope, a store whose calls are transactions, a provider outside it, two
 * workers that serve the tries of one client, and time that may end a lease at any moment.
 *
 * docs/testing.md says what is left out. Each -D below is a fault, which must break the assertion
 * that is named beside it:
 *
 *   NO_FENCE_CHECK          complete() does not look at the fence          answer_stays
 *   FENCE_NOT_RAISED        a takeover keeps the fence                     one_writer
 *   FENCE_FALLS_BACK        over an erased receipt the fence begins again  fence_rises
 *   TAKES_OVER_THE_LIVING   a lease that runs keeps nobody out             alone_in_its_lease
 *   TAKEOVER_IS_BORN_ANEW   a takeover makes another downstream key        one_charge
 *   RELEASE_AFTER_CALLING   released though the effect may have begun      one_charge
 *   RELEASE_OF_A_TAKEOVER   released though an earlier holder may act      one_charge
 *   HASTY_OPERATOR          ruled not applied while a holder may yet act   one_charge
 *   NO_DEDUPE               the provider charges whoever calls             one_charge
 */

#define TRIES 3        /* of each worker: a request and two retries */
#define MAX_ATTEMPTS 4 /* of one receipt */
#define MOST 8         /* more claims than can be: both workers' tries, and 0 */

mtype = { absent, in_progress, completed, unknown };

/* The receipt. */
mtype state = absent;
byte fence;
byte attempt;
byte answer;     /* 0: none */
byte downstream; /* what the provider is called by: the receipt's birth makes it */
bool lapsed;

byte clock;           /* fences have the time in them: they rise over an erased receipt too */
byte last_fence;      /* of all that were given */
byte leave_of[MOST];  /* which worker was given leave under a fence, last; counted from 1 */
byte downstreams;     /* so many keys were made */
byte charges[MOST];   /* the provider's log, by downstream key */
byte accepted;        /* the answer that a client has; 0: none */
byte at_work;         /* holders whose lease is not over */
byte may_act;         /* holders who may yet call the provider, lease or not */

/* What is asserted, by name. */
bool answer_stays = true;
bool one_writer = true;
bool one_charge = true;
bool alone_in_its_lease = true;
bool fence_rises = true;

inline raise_fence(before) {
    clock++;
#ifdef FENCE_FALLS_BACK
    fence = (state == absent -> 1 : before + 1);
#else
    fence = clock;
#endif
    fence_rises = (fence > last_fence);
    assert(fence_rises);
    last_fence = fence
}

inline give_leave() {
    lapsed = false;
    at_work++;
    alone_in_its_lease = (at_work == 1);
    assert(alone_in_its_lease);
    may_act++;
    held = fence;
    my_downstream = downstream;
    my_attempt = attempt;
    leave_of[held] = worker
}

inline client_hears(told) {
    answer_stays = (accepted == 0 || accepted == told);
    assert(answer_stays);
    accepted = told
}

/* judge() and its write, in one transaction. held: the fence of the leave that was given, or 0. */
inline claim() {
    atomic {
        if
        :: state == absent ->
            raise_fence(0);
            downstreams++;
            downstream = downstreams;
            attempt = 1;
            state = in_progress;
            give_leave()
#ifdef TAKES_OVER_THE_LIVING
        :: state == in_progress && attempt < MAX_ATTEMPTS ->
#else
        :: state == in_progress && lapsed && attempt < MAX_ATTEMPTS ->
#endif
#ifndef FENCE_NOT_RAISED
            raise_fence(fence);
#endif
#ifdef TAKEOVER_IS_BORN_ANEW
            downstreams++;
            downstream = downstreams;
#endif
            attempt++;
            give_leave()
        :: state == in_progress && lapsed && attempt >= MAX_ATTEMPTS -> state = unknown
        :: state == completed -> client_hears(answer); ends = true
        :: else -> skip /* told: in progress, or unknown; comes back */
        fi
    }
}

/* Under the newest fence, and only where it has not ended, the state becomes another. */
inline settle(next) {
    atomic {
        if
        :: (state == in_progress || state == unknown) && fence == held ->
            leave_lease();
            state = next
        :: else -> skip /* lost or fenced */
        fi
    }
}

inline leave_lease() {
    if
    :: state == in_progress && fence == held && !lapsed -> at_work--
    :: else -> skip
    fi
}

/* The provider charges once for each downstream key. */
inline charge() {
    atomic {
#ifdef NO_DEDUPE
        charges[my_downstream]++;
#else
        charges[my_downstream] = 1;
#endif
        total = 0;
        for (each : 1 .. downstreams) { total = total + charges[each] }
        one_charge = (total == 1);
        assert(one_charge);
        total = 0;
        each = 0
    }
}

/* Written under the newest fence; whoever has completed it already is told what is stored. */
inline complete() {
    atomic {
        if
#ifdef NO_FENCE_CHECK
        :: state != absent ->
#else
        :: (state == in_progress || state == unknown) && fence == held ->
            one_writer = (leave_of[held] == worker);
            assert(one_writer);
#endif
            leave_lease();
            state = completed;
            answer = held * 2 + worker;
            my_answer = answer
#ifndef NO_FENCE_CHECK
        :: state == completed && fence == held -> my_answer = answer
#endif
        :: else -> my_answer = 0 /* lost or fenced: comes back */
        fi
    }
}

/* A crash leaves the rest of the try undone; the client hears nothing. */
inline crash() {
    may_crash -> may_crash = false
}

/* What is done under a permit. */
inline hold() {
    if
    :: crash()
    :: my_attempt == 1 -> settle(absent) /* release(): nothing happened, and that is known */
#ifdef RELEASE_OF_A_TAKEOVER
    :: my_attempt > 1 -> settle(absent)
#endif
    :: charge();
        if
        :: crash()
        :: true -> settle(unknown) /* mark_unknown(): the provider's answer was lost */
#ifdef RELEASE_AFTER_CALLING
        :: true -> settle(absent)
#endif
        :: complete();
            if
            :: my_answer == 0 -> skip
            :: my_answer != 0 && may_crash -> may_crash = false
            :: my_answer != 0 -> atomic { client_hears(my_answer); ends = true }
            fi
        fi
    fi
}

proctype Worker(byte worker) {
    byte tries;
    byte held;
    byte my_downstream;
    byte my_attempt;
    byte my_answer;
    byte total;
    byte each;
    bool ends;
    bool may_crash = true;

    do
    :: tries < TRIES && !ends ->
        tries++;
        claim();
        if
        :: held == 0 -> skip
        :: held != 0 -> hold(); may_act--
        fi;
        atomic { held = 0; my_downstream = 0; my_attempt = 0; my_answer = 0 }
    :: else -> break
    od
}

/* Ends a lease at any moment. */
active proctype Time() {
end:
    do
    :: atomic { state == in_progress && !lapsed -> lapsed = true; at_work-- }
    od
}

/* Rules from the provider's log, and that it did not happen only where nobody can act any more. */
active proctype Operator() {
end:
    do
    :: atomic { state == unknown && charges[downstream] > 0 -> state = completed; answer = 100 }
#ifdef HASTY_OPERATOR
    :: atomic { state == unknown && charges[downstream] == 0 -> state = absent }
#else
    :: atomic { state == unknown && charges[downstream] == 0 && may_act == 0 -> state = absent }
#endif
    od
}

init {
    atomic { run Worker(1); run Worker(2) }
}
