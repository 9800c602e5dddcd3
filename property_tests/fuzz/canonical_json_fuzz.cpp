// Any bytes as JSON text: both ways of reading agree, what is accepted is a fixed point, and
// Boost.JSON accepts and refuses the same, but for what it can't tell.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>

namespace {

using namespace counterfoil;

constexpr std::size_t max_depth = 16;

void require(bool holds) {
    if (!holds) std::abort();
}

bool boost_decides_alike(std::string_view text, const Result<std::string, JsonError>& ours) {
    boost::json::parse_options options;
    options.max_depth = max_depth;
    boost::json::error_code error;
    boost::json::parse({text.data(), text.size()}, error, {}, options);
    if (error == boost::json::error::exponent_overflow) return true;
    if (!ours && (ours.error().fault == JsonFault::duplicate_name ||
                  ours.error().fault == JsonFault::number_out_of_range)) {
        return true;
    }
    return ours.has_value() == !error;
}

Result<std::string, JsonError> canonical(Canonicalizer& json, std::string_view text) {
    const auto result = json.canonicalize(text);
    if (!result) return result.error();
    return std::string{*result};
}

void check(std::string_view text, Numbers numbers) {
    static Sha256 hash;
    Canonicalizer blocks{numbers, max_depth};
    Canonicalizer portable{numbers, max_depth, detail::Blocks::portable};
    const auto outcome = canonical(blocks, text);
    require(outcome == canonical(portable, text));
    require(boost_decides_alike(text, outcome));
    if (!outcome) {
        require(outcome.error().at <= text.size());
        return;
    }
    require(canonical(blocks, *outcome) == outcome);
    require(blocks.digest(text, {}, hash).value() == sha256(*outcome));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    check(text, Numbers::exact);
    check(text, Numbers::ieee754);
    return 0;
}
