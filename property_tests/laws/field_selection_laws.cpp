#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <counterfoil/field_selection.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/json_documents.hpp"

namespace counterfoil {
namespace {

using testing::Json;
using testing::Member;

using Tokens = std::vector<std::string>;  // unescaped

Tokens tokens_of(std::string_view pointer) {
    Tokens tokens;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            tokens.emplace_back();
        } else if (pointer[i] == '~') {
            tokens.back() += pointer[++i] == '0' ? '~' : '/';
        } else {
            tokens.back() += pointer[i];
        }
    }
    return tokens;
}

bool names(const Tokens& pointer, const Tokens& path) {
    return std::equal(
        pointer.begin(), pointer.end(), path.begin(), path.end(),
        [](const auto& token, const auto& step) { return token == "*" || token == step; });
}

bool is_named(const std::vector<std::string>& pointers, const Tokens& path) {
    return std::any_of(pointers.begin(), pointers.end(),
                       [&](const auto& pointer) { return names(tokens_of(pointer), path); });
}

// What is left of a value; nothing if it is left out itself. Plain recursion over the document, and
// every pointer is asked about every path.
std::optional<Json> selected(const Json& json, FieldSelection::Kind kind,
                             const std::vector<std::string>& pointers, const Tokens& path) {
    const bool only = kind == FieldSelection::Kind::only;
    if (is_named(pointers, path)) return only ? std::optional{json} : std::nullopt;
    const auto inside = [&](const Json& value, std::string step) {
        Tokens longer = path;
        longer.push_back(std::move(step));
        return selected(value, kind, pointers, longer);
    };
    if (const auto* array = std::get_if<Json::Array>(&json.value)) {
        Json::Array left;
        for (std::size_t i = 0; i < array->size(); ++i) {
            if (auto value = inside((*array)[i], std::to_string(i))) left.push_back(*value);
        }
        return left.empty() && only ? std::nullopt : std::optional{Json{left}};
    }
    if (const auto* object = std::get_if<Json::Object>(&json.value)) {
        Json::Object left;
        for (const Member& member : *object) {
            if (auto value = inside(member.value, member.name))
                left.push_back({member.name, *value});
        }
        return left.empty() && only ? std::nullopt : std::optional{Json{left}};
    }
    return only ? std::nullopt : std::optional{json};
}

std::string canonical(const std::string& text, const FieldSelection& selection) {
    static Canonicalizer json;
    return std::string{json.canonicalize(text, selection).value()};
}

std::string expected(const Json& document, const FieldSelection& selection) {
    const auto left = selected(document, selection.kind(), selection.pointers(), {});
    return left ? testing::reference_text(*left) : "";
}

// `only` and `omit` for the same pointers.
std::vector<FieldSelection> both_kinds(const std::vector<std::string>& pointers) {
    return {FieldSelection::only(pointers).value(), FieldSelection::omit(pointers).value()};
}

// Scalars in canonical text, of which nothing may be left.
std::size_t leaves(const boost::json::value& value) {
    std::size_t count = 0;
    if (const auto* array = value.if_array()) {
        for (const auto& element : *array) count += leaves(element);
    } else if (const auto* object = value.if_object()) {
        for (const auto& member : *object) count += leaves(member.value());
    } else {
        count = 1;
    }
    return count;
}

std::size_t leaves(const std::string& text) {
    return text.empty() ? 0 : leaves(boost::json::parse(text));
}

RC_GTEST_PROP(FieldSelection, is_the_document_without_what_is_left_out, (std::uint64_t seed)) {
    const Json document = *gen::small_names_json();
    const auto pointers = *gen::pointers();
    const std::string text = testing::respelt(document, seed);
    for (const FieldSelection& selection : both_kinds(pointers)) {
        const std::string bytes = expected(document, selection);
        RC_CLASSIFY(bytes.empty(), "nothing selected");
        RC_CLASSIFY(bytes != testing::reference_text(document), "something left out");
        RC_ASSERT(canonical(text, selection) == bytes);
    }
}

RC_GTEST_PROP(FieldSelection, applies_to_large_documents_too, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Json document = testing::large_document(seed);
    const std::vector<std::string> pointers{"/a", "/*/b", "/0", "/*/*/a", "/b/*/*", "/*/1"};
    for (const FieldSelection& selection : both_kinds(pointers)) {
        RC_ASSERT(canonical(testing::respelt(document, seed), selection) ==
                  expected(document, selection));
    }
}

RC_GTEST_PROP(FieldSelection, each_leaf_is_in_just_one_of_only_and_omit, (std::uint64_t seed)) {
    const std::string text = testing::respelt(*gen::small_names_json(), seed);
    const auto selections = both_kinds(*gen::pointers());
    RC_ASSERT(leaves(canonical(text, selections[0])) + leaves(canonical(text, selections[1])) ==
              leaves(canonical(text, {})));
}

RC_GTEST_PROP(FieldSelection, neither_order_nor_repetition_of_pointers_counts,
              (std::uint64_t seed)) {
    const Json document = *gen::small_names_json();
    auto pointers = *gen::pointers();
    const auto before = both_kinds(pointers);
    pointers.push_back(pointers.front());
    std::rotate(pointers.begin(), pointers.begin() + 1, pointers.end());
    const auto after = both_kinds(pointers);
    RC_ASSERT(before == after);
    const std::string text = testing::respelt(document, seed);
    for (std::size_t i = 0; i < before.size(); ++i) {
        RC_ASSERT(canonical(text, before[i]) == canonical(text, after[i]));
    }
}

RC_GTEST_PROP(FieldSelection, what_is_left_out_may_change_as_it_likes, (std::uint64_t seed)) {
    const Json document = *gen::small_names_json();
    const Json other = testing::with_one_change(document, seed);
    const auto pointers = *gen::pointers();
    for (const FieldSelection& selection : both_kinds(pointers)) {
        const bool same = expected(document, selection) == expected(other, selection);
        RC_CLASSIFY(same, "left out");
        RC_ASSERT((canonical(testing::respelt(document, seed), selection) ==
                   canonical(testing::respelt(other, seed), selection)) == same);
    }
}

RC_GTEST_PROP(FieldSelection, selecting_twice_is_selecting_once_where_no_index_is_named,
              (std::uint64_t seed)) {
    const Json document = *gen::small_names_json();
    auto pointers = *gen::pointers();
    // An index means another element once those before it are gone.
    for (auto& pointer : pointers) {
        std::replace_if(
            pointer.begin(), pointer.end(),
            [](char byte) { return byte == '0' || byte == '1' || byte == '2'; }, '*');
        for (std::size_t at; (at = pointer.find("~*")) != std::string::npos;) pointer.erase(at, 2);
    }
    for (const FieldSelection& selection : both_kinds(pointers)) {
        const std::string once = canonical(testing::respelt(document, seed), selection);
        if (!once.empty()) RC_ASSERT(canonical(once, selection) == once);
    }
}

}  // namespace
}  // namespace counterfoil
