#include "simulator/history.hpp"

#include <array>
#include <string_view>

namespace counterfoil {

namespace {

// Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014.
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_{seed} {}

    std::uint64_t operator()() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    }

private:
    std::uint64_t state_;
};

/// One drawn number, taken apart.
class Bits {
public:
    explicit Bits(std::uint64_t drawn) : left_{drawn} {}

    std::uint8_t below(std::uint64_t bound) {
        const std::uint64_t part = left_ % bound;
        left_ /= bound;
        return static_cast<std::uint8_t>(part);
    }

    bool one_in(std::uint64_t count) { return below(count) == 0; }

private:
    std::uint64_t left_;
};

constexpr std::array often{
    Does::asks,      Does::asks,      Does::asks,      Does::asks,      Does::asks,
    Does::asks,      Does::asks,      Does::asks,      Does::calls,     Does::calls,
    Does::calls,     Does::calls,     Does::loses,     Does::notifies,  Does::completes,
    Does::completes, Does::completes, Does::repeats,   Does::renews,    Does::waits_out,
    Does::stops,     Does::waits_out, Does::waits,     Does::sweeps,    Does::sweeps,
    Does::sweeps,    Does::resolves,  Does::resolves,  Does::marks,     Does::abandons,
    Does::releases,  Does::holds,     Does::sets_back, Does::sets_back, Does::checkpoints,
    Does::mixes_up,  Does::leaps,     Does::waits_out};

constexpr std::array widths{1, 2, 4, 8, 9, 10, 12, 24, 32};

Step step_of(std::uint64_t drawn) {
    Bits bits{drawn};
    Step step;
    step.does = often.at(bits.below(often.size()));
    step.kind = bits.one_in(2) ? Kind::charged : static_cast<Kind>(bits.below(kinds));
    step.under = bits.one_in(4) ? static_cast<Under>(bits.below(unders)) : Under::exact;
    step.worker = bits.below(workers);
    // The first key is busy, so that stories meet.
    step.key = bits.one_in(3) ? bits.below(keys) : std::uint8_t{0};
    step.body = static_cast<std::uint8_t>(bits.one_in(6));
    step.ticks = static_cast<std::uint8_t>(widths.at(bits.below(widths.size())));
    step.is_odd = bits.one_in(4);
    return step;
}

std::string_view word(Kind kind) {
    switch (kind) {
        case Kind::charged: return "201";
        case Kind::charged_at_length: return "201 with a long body";
        case Kind::charged_in_secret: return "201 with a secret body";
        case Kind::refused: return "402";
        case Kind::not_found: return "404";
        case Kind::not_found_for_good: return "404, to be kept";
        case Kind::rejected: return "422";
        case Kind::charged_with_a_fault: return "500, having charged";
    }
    return {};
}

std::string_view word(Under under) {
    switch (under) {
        case Under::exact: return "";
        case Under::rfc_and_exact: return " under rfc8785 and exact-json";
        case Under::rfc: return " under rfc8785";
    }
    return {};
}

std::string story_of(const Step& step) {
    const std::string worker = "worker " + std::to_string(step.worker);
    const std::string key = "key " + std::to_string(step.key);
    const std::string ticks = std::to_string(step.ticks) + " ticks";
    switch (step.does) {
        case Does::asks:
            return "a client sends " + key + " with body " + std::to_string(step.body) + " to " +
                   worker + std::string{word(step.under)};
        case Does::calls:
            return worker + " calls the provider, which would say " + std::string{word(step.kind)};
        case Does::loses:
            return worker + " calls the provider, which would say " + std::string{word(step.kind)} +
                   ", and the answer is lost";
        case Does::notifies: return worker + " has the provider notify";
        case Does::completes: return worker + " completes";
        case Does::repeats: return worker + " completes, and does not hear of it";
        case Does::checkpoints: return worker + " notes a checkpoint, " + ticks;
        case Does::renews: return worker + " renews";
        case Does::releases: return worker + " releases";
        case Does::marks: return worker + " marks it unknown";
        case Does::abandons: return worker + " abandons it";
        case Does::stops: return worker + " stops";
        case Does::waits: return ticks + " pass";
        case Does::waits_out:
            return "time passes until " +
                   std::string{step.is_odd ? "a tick before what " : "what "} + key + " waits for";
        case Does::sets_back: return "the clock is set back by four times " + ticks;
        case Does::sweeps: return "a sweep runs";
        case Does::resolves:
            return std::string{step.is_odd ? "nobody" : "an operator"} + " resolves " + key +
                   " by the provider's log";
        case Does::holds: return key + " is put on hold, or let go";
        case Does::mixes_up: return worker + " completes, and is handed another tenant's receipt";
        case Does::leaps: return "a worker at the end of time takes " + key + " over, and dies";
    }
    return {};
}

}  // namespace

History history_of(std::uint64_t seed) {
    SplitMix64 next{seed};
    Bits bits{next()};
    History history;
    history.provider_dedupes = !bits.one_in(4);
    history.lapse_is_unknown = bits.one_in(4);
    history.old_keys_are_refused = bits.one_in(2);
    history.clocks_lie_apart = bits.one_in(2);
    history.leases_never_end = bits.one_in(16);
    history.steps.resize(std::size_t{20} + bits.below(21));
    for (Step& step : history.steps) step = step_of(next());
    return history;
}

std::string describe(const History& history) {
    std::string story = history.provider_dedupes ? "The provider dedupes by downstream key"
                                                 : "The provider does not dedupe";
    story += history.lapse_is_unknown ? "; a lapsed claim is unknown"
                                      : "; a lapsed claim may be taken over";
    if (history.old_keys_are_refused) story += "; old keys are refused";
    if (history.leases_never_end) story += "; leases and windows never end";
    if (history.clocks_lie_apart) story += "; worker N's clock is N ticks ahead";
    story += ".\n";
    int number = 0;
    for (const Step& step : history.steps) {
        story += std::to_string(++number) + ". " + story_of(step) + "\n";
    }
    return story;
}

}  // namespace counterfoil
