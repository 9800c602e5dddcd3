/* The claim protocol: one scope, a store whose calls are transactions, a provider outside it, two
 * workers that serve three tries each, time that may end a lease at any moment, and an operator. Once
 * both workers are through, faults have stopped, and a patient client must get the answer.
 *
 * The rules are those of judge.hpp and settle.hpp; docs/testing.md says what is left out. Each -D
 * below is a fault, which must be found by what is named beside it:
 *
 *   NO_FENCE_CHECK          complete() does not look at the fence          answer_stays
 *   RELEASE_WITHOUT_FENCE   release() does not look at the fence           one_writer
 *   FENCE_NOT_RAISED        a takeover keeps the fence                     fence_rises
 *   FENCE_WITHOUT_TIME      over an erased receipt the fence begins again  fence_rises
 *   TAKES_OVER_THE_LIVING   a lease that runs keeps nobody out             alone_in_its_lease
 *   TAKEOVER_IS_BORN_ANEW   a takeover makes another downstream key        one_charge
 *   RULES_ON_ANY_FENCE      resolve() does not look at the fence           one_charge
 *   LEASE_WITHOUT_END       a claim that is left keeps others out          a state without an end
 *
 * and these are of whoever uses the library:
 *
 *   TELLS_THOUGH_FENCED     who was refused tells its own answer           told_what_is_stored
 *   RELEASE_AFTER_CALLING   released though the effect may have begun      one_charge
 *   RELEASE_OF_A_TAKEOVER   released though an earlier holder may act      one_charge
 *   HASTY_OPERATOR          ruled not applied while a holder may yet act   one_charge
 *   NOBODY_RULES            there is no operator                           a state without an end
 *   RENEWS_FOREVER          a holder renews, and does nothing else         a run without an end
 *   NO_DEDUPE               the provider charges whoever calls             one_charge
 *
 * With these all holds:
 *
 *   LAPSE_IS_UNKNOWN        the policy lets nobody take over
 *   CLOCK_AHEAD             a clock that runs ahead lets a successor in while the lease still runs
 *   TRIES=2                 a smaller model
 *
 * A transaction begins with `true`: an `else` that stood first would also be that of whatever choice
 * the transaction is a part of, and would not be tried where another part can go on.
 */

#ifndef TRIES
#define TRIES 3 /* of each worker: a request and two retries */
#endif
#define MAX_ATTEMPTS 4 /* of one receipt */
#define MOST 10        /* more births than can be */
#define RULED 200      /* the answer that an operator gives */

mtype = { absent, in_progress, completed, unknown };

/* The receipt. */
mtype state = absent;
byte fence;
byte attempt;
byte answer;     /* 0: none */
byte downstream; /* what the provider is called by: the receipt's birth makes it */
bool lapsed;

byte clock;             /* gives no instant twice */
byte births;            /* of receipts: each makes a downstream key */
bool charged_for[MOST]; /* the provider's log, by downstream key */

/* What nobody in the protocol knows: kept to assert by. */
byte newest_fence;  /* of all that were given */
byte newest_holder; /* who was given leave last */
byte at_work;       /* leases that run */
byte may_act;       /* holders who may yet call the provider, lease or not */
byte charges;
byte through; /* workers that have served all their tries */

/* What is asserted, by name. */
bool answer_stays = true;
bool told_what_is_stored = true;
bool one_writer = true;
bool one_charge = true;
bool alone_in_its_lease = true;
bool fence_rises = true;

#define SETTLES_BY(permit) ((state == in_progress || state == unknown) && fence == permit)

/* fence_after(): the time, or one more than the fence before, if that is known. */
inline raise_fence(before) {
    clock++;
#ifdef FENCE_WITHOUT_TIME
    fence = before + 1
#else
    fence = (clock > before -> clock : before + 1)
#endif
}

inline lease_begins() {
    lapsed = false;
    at_work++;
    alone_in_its_lease = (at_work == 1);
    assert(alone_in_its_lease)
}

inline lease_ends() {
    if
    :: state == in_progress && !lapsed -> at_work--; lapsed = true
    :: else
    fi
}

inline be_born() {
    births++;
    downstream = births
}

inline give_leave() {
    fence_rises = (fence > newest_fence);
    assert(fence_rises);
    newest_fence = fence;
    lease_begins();
    newest_holder = worker;
    may_act++;
    held = fence;
    my_downstream = downstream;
    my_attempt = attempt
}

inline store_answer(given) {
    answer_stays = (answer == 0 || answer == given);
    assert(answer_stays);
    state = completed;
    answer = given
}

inline client_hears(told) {
    told_what_is_stored = (state == completed && answer == told);
    assert(told_what_is_stored);
    ends = true
}

inline may_write() {
    one_writer = (newest_holder == worker);
    assert(one_writer)
}

/* judge() and its write. */
inline claim() {
    atomic {
        true;
        if
        :: state == absent ->
            raise_fence(0);
            be_born();
            attempt = 1;
            state = in_progress;
            give_leave()
#ifdef LAPSE_IS_UNKNOWN
        :: state == in_progress && lapsed -> state = unknown
#else
        :: state == in_progress && lapsed && attempt >= MAX_ATTEMPTS -> state = unknown
#if defined(TAKES_OVER_THE_LIVING) || defined(CLOCK_AHEAD)
        :: state == in_progress && attempt < MAX_ATTEMPTS ->
#else
        :: state == in_progress && lapsed && attempt < MAX_ATTEMPTS ->
#endif
#ifdef CLOCK_AHEAD
            lease_ends(); /* by that clock */
#endif
#ifndef FENCE_NOT_RAISED
            raise_fence(fence);
#endif
#ifdef TAKEOVER_IS_BORN_ANEW
            be_born();
#endif
            attempt++;
            give_leave()
#endif
        :: state == completed -> client_hears(answer)
        :: else /* told: in progress, or unknown */
        fi
    }
}

/* Begins the lease anew. What was unknown is in progress again. */
inline renew() {
    atomic {
        true;
        if
        :: SETTLES_BY(held) -> may_write(); lease_ends(); state = in_progress; lease_begins()
        :: else /* lost, fenced or already completed */
        fi;
#ifndef RENEWS_FOREVER
        has_renewed = true
#endif
    }
}

/* release(): nothing happened, and that is known. */
inline release() {
    atomic {
        true;
        if
#ifdef RELEASE_WITHOUT_FENCE
        :: state == in_progress || state == unknown ->
#else
        :: SETTLES_BY(held) ->
#endif
            may_write();
            lease_ends();
            state = absent
        :: else
        fi
    }
}

/* mark_unknown(): the provider's answer was lost. */
inline mark_unknown() {
    atomic {
        true;
        if
        :: SETTLES_BY(held) -> may_write(); lease_ends(); state = unknown
        :: else
        fi
    }
}

/* Whoever has completed it already, or been helped by an operator, is told what is stored. */
inline complete() {
    atomic {
        true;
        if
#ifdef NO_FENCE_CHECK
        :: state != absent ->
#else
        :: state == completed && fence == held -> my_answer = answer
        :: SETTLES_BY(held) ->
            may_write();
#endif
            lease_ends();
            my_answer = held * 4 + worker;
            store_answer(my_answer)
        :: else -> /* lost or fenced: asks again */
#ifdef TELLS_THOUGH_FENCED
            my_answer = held * 4 + worker
#else
            my_answer = 0
#endif
        fi
    }
}

/* The provider charges once for each downstream key. */
inline charge() {
    atomic {
        true;
        if
#ifndef NO_DEDUPE
        :: charged_for[my_downstream]
#endif
        :: else ->
            charged_for[my_downstream] = true;
            charges++;
            one_charge = (charges == 1);
            assert(one_charge)
        fi
    }
}

inline may_renew() {
    do
    :: !patient && !has_renewed -> renew()
    :: break
    od
}

/* What is done under a permit. Where it is left, the client hears nothing. */
inline hold() {
    may_renew();
    if
    :: may_crash -> may_crash = false
    :: !patient && my_attempt == 1 -> release()
#ifdef RELEASE_OF_A_TAKEOVER
    :: !patient && my_attempt > 1 -> release()
#endif
    :: charge();
        may_renew();
        if
        :: may_crash -> may_crash = false
        :: !patient -> mark_unknown()
#ifdef RELEASE_AFTER_CALLING
        :: !patient -> release()
#endif
        :: do
            :: complete();
                if
                :: !patient && !has_asked_again -> has_asked_again = true /* the reply was lost */
                :: break
                fi
            od;
            if
            :: may_crash -> may_crash = false
            :: my_answer == 0
            :: my_answer != 0 -> client_hears(my_answer)
            fi
        fi
    fi
}

/* A patient one comes back only when that may be of use, for as long as it takes; it is not disturbed
 * and gives nothing back. */
proctype Worker(byte worker; bool patient) {
    byte tries;
    byte held; /* the fence of the leave that was given; 0: none */
    byte my_downstream;
    byte my_attempt;
    byte my_answer;
    bool has_renewed;
    bool has_asked_again;
    bool ends;
    bool may_crash = !patient;

    do
    :: !ends && (patient || tries < TRIES) ->
        if
        :: patient -> state == absent || state == completed || (state == in_progress && lapsed)
        :: !patient -> tries++
        fi;
        if
        :: may_crash -> may_crash = false
        :: claim();
            if
            :: held == 0
            :: held != 0 -> hold(); may_act--
            fi
        fi;
        atomic {
            held = 0;
            my_downstream = 0;
            my_attempt = 0;
            my_answer = 0;
            has_renewed = false;
            has_asked_again = false
        }
    :: else -> break
    od;
    through++
}

active proctype Time() {
end:
    do
#ifdef LEASE_WITHOUT_END
    :: false
#else
    :: atomic { state == in_progress && !lapsed -> lease_ends() }
#endif
    od
}

#ifdef NOBODY_RULES
#define LEFT_OPEN false
#else
#define LEFT_OPEN (state == unknown || (state == in_progress && lapsed))
#endif
#ifdef HASTY_OPERATOR
#define NOBODY_ACTS true
#else
#define NOBODY_ACTS (may_act == 0)
#endif
#ifdef RULES_ON_ANY_FENCE
#define AS_SHOWN true
#else
#define AS_SHOWN (fence == shown)
#endif

/* Looks at a receipt and at the provider's log, and later rules on what was shown: applied where the
 * log has a charge, and not applied where it has none and nobody can act any more. */
active proctype Operator() {
    byte shown; /* a fence */
    bool applied;
end:
    do
    :: atomic {
        LEFT_OPEN && (charged_for[downstream] || NOBODY_ACTS) ->
        shown = fence;
        applied = charged_for[downstream]
    };
        atomic {
            if
            :: LEFT_OPEN && AS_SHOWN && applied -> store_answer(RULED)
            :: LEFT_OPEN && AS_SHOWN && !applied -> state = absent
            :: else /* fenced, lost, already completed or still held */
            fi;
            shown = 0;
            applied = false
        }
    od
}

init {
    atomic { run Worker(1, false); run Worker(2, false) };
    through == 2;
    run Worker(3, true);
    through == 3
}
