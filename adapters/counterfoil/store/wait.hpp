#pragma once

#include "counterfoil/instant.hpp"

namespace counterfoil {

/// How long a claim may wait for a running twin to end.
///
/// While the verdict is in_progress, the receipt is read again after pauses that grow from 1 to
/// 50 ms, and judged anew each time. The verdict after the last pause is the answer: that the wait
/// is over never gives leave to run; only a lease that is over does.
struct Wait {
    Span at_most{0};  ///< what the pauses come to in all, at most; 0 and less: don't wait
};

}  // namespace counterfoil
