#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <counterfoil/instant.hpp>

// Comments may speak of now(), rand() and `static int x;`, /* of <mutex> */ and of std::cout too.

/* And so may
   std::chrono::steady_clock::now(). */
struct Sample {
    static Sample at(counterfoil::Instant now);
    static constexpr int limit = 1'000'000;

    std::string text = "system_clock::now(), getenv and // static int y;";
    char quote = '"';
};

inline constexpr int words = 8;

inline namespace v1 {}

inline std::optional<Sample> sample(counterfoil::Instant now) {
    return Sample::at(now);
}
