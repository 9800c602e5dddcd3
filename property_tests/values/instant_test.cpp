#include <limits>

#include <counterfoil/instant.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil {
namespace {

Instant at(std::int64_t us) {
    return Instant{Span{us}};
}

TEST(Instant, is_written_as_rfc3339) {
    EXPECT_EQ(to_rfc3339(at(0)), "1970-01-01T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(at(-1)), "1969-12-31T23:59:59.999999Z");
    EXPECT_EQ(to_rfc3339(at(951'782'400'000'000)), "2000-02-29T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(at(253'402'300'799'999'999)), "9999-12-31T23:59:59.999999Z");
    EXPECT_EQ(to_rfc3339(at(253'402'300'800'000'000)), "+010000-01-01T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(at(-62'167'219'200'000'000)), "0000-01-01T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(at(-62'167'219'200'000'001)), "-000001-12-31T23:59:59.999999Z");
    EXPECT_EQ(to_rfc3339(Instant::max()), "never");
    EXPECT_EQ(to_rfc3339(Instant::max() - Span{1}), "+294247-01-10T04:00:54.775806Z");
    EXPECT_EQ(to_rfc3339(Instant::min()), "-290308-12-21T19:59:05.224192Z");
}

// Saturation, told with 128-bit integers, which can hold every sum.
__extension__ using Wide = __int128;

std::int64_t clamped(Wide wide) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    if (wide < low) return low;
    return wide > high ? high : static_cast<std::int64_t>(wide);
}

RC_GTEST_PROP(Instant, arithmetic_saturates_and_never_wraps, ()) {
    const auto near_an_edge = rc::gen::oneOf(
        rc::gen::arbitrary<std::int64_t>(),
        rc::gen::map(rc::gen::inRange<std::int64_t>(0, 3),
                     [](std::int64_t i) { return std::numeric_limits<std::int64_t>::max() - i; }),
        rc::gen::map(rc::gen::inRange<std::int64_t>(0, 3),
                     [](std::int64_t i) { return std::numeric_limits<std::int64_t>::min() + i; }));
    const auto a = *near_an_edge;
    const auto b = *near_an_edge;
    RC_ASSERT((at(a) + Span{b}).time_since_epoch().count() == clamped(static_cast<Wide>(a) + b));
    RC_ASSERT((at(a) - Span{b}).time_since_epoch().count() == clamped(static_cast<Wide>(a) - b));
    RC_ASSERT((at(a) - at(b)).count() == clamped(static_cast<Wide>(a) - b));
}

RC_GTEST_PROP(FromRfc3339, reads_back_what_is_written, ()) {
    constexpr std::int64_t year_zero = -62'167'219'200'000'000;
    constexpr std::int64_t year_ten_thousand = 253'402'300'800'000'000;
    const Instant at{Span{*rc::gen::inRange(year_zero, year_ten_thousand)}};
    RC_ASSERT(from_rfc3339(to_rfc3339(at)) == at);
}

TEST(FromRfc3339, refuses_what_is_no_instant_in_utc) {
    for (const char* text :
         {"", "2026-12-01", "2026-12-01T09:30Z", "2026-12-01T09:30:00", "2026-12-01T09:30:00+01:00",
          "2026-02-30T09:30:00Z", "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z",
          "2026-12-01T09:30:60Z", "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00.1234567Z",
          "2026-12-01T09:30:00Z ", "26-12-01T09:30:00Z", "2026-12-01t09:30:00Z", "never"}) {
        EXPECT_EQ(from_rfc3339(text), std::nullopt) << text;
    }
    EXPECT_EQ(from_rfc3339("1970-01-01T00:00:01.5Z"), Instant{Span{1'500'000}});
}

}  // namespace
}  // namespace counterfoil
