#pragma once

#include <string_view>

#include "counterfoil/intent.hpp"
#include "counterfoil/names.hpp"

namespace counterfoil {

/// A request as it arrived, before anybody has fingerprinted it.
struct Submission {
    Scope scope;
    Intent intent;                  ///< borrowed for the length of the call
    std::string_view request_id{};  ///< the embedder's own name for this attempt, for the Observer
};

}  // namespace counterfoil
