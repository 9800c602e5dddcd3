#include "counterfoil/field_digests.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace counterfoil {
namespace {

/// The last pointer up to which a side knows all of its fields; nothing where it knows them all.
std::optional<std::string_view> horizon(const FieldDigests& digests) {
    if (digests.left_out == 0) return std::nullopt;
    return digests.fields.empty() ? std::string_view{} : digests.fields.back().pointer;
}

bool by_pointer_and_digest(const FieldDigest& one, const FieldDigest& other) {
    return std::tie(one.pointer, one.digest) < std::tie(other.pointer, other.digest);
}

}  // namespace

std::vector<std::string> differing_fields(const FieldDigests& one, const FieldDigests& other) {
    if (one.rules != other.rules) return {};

    // A field whose digests differ comes once from each side, one behind the other.
    std::vector<FieldDigest> different;
    std::set_symmetric_difference(one.fields.begin(), one.fields.end(), other.fields.begin(),
                                  other.fields.end(), std::back_inserter(different),
                                  by_pointer_and_digest);

    auto limit = horizon(one);
    if (const auto others = horizon(other); others && (!limit || *others < *limit)) limit = others;

    std::vector<std::string> names;
    for (auto& [pointer, digest] : different) {
        if (limit && pointer > *limit) break;
        if (names.empty() || names.back() != pointer) names.push_back(std::move(pointer));
    }
    return names;
}

}  // namespace counterfoil
