#include "counterfoil/policy_figures.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include <boost/json.hpp>

#include "counterfoil/describe.hpp"
#include "counterfoil/span_text.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::detail {

namespace json = boost::json;

using Kind = PolicyFaultKind;

namespace {

json::string_view boosted(std::string_view text) {
    return {text.data(), text.size()};
}

std::string_view plain(json::string_view text) {
    return {text.data(), text.size()};
}

/// The words of a closed set (words.hpp), with commas between.
template <class Enum>
std::string words_of() {
    std::string all;
    for (int place = 0; !word(static_cast<Enum>(place)).empty(); ++place) {
        all += (place == 0 ? "" : ", ") + std::string{word(static_cast<Enum>(place))};
    }
    return all;
}

template <class Enum>
std::optional<Enum> word_at(const json::value& value, const JsonSite& site) {
    const auto text = text_at(value, site);
    if (!text) return std::nullopt;
    const auto which = from_word<Enum>(*text);
    if (!which) {
        site.tell(Kind::bad_value, quoted(*text) + " is none of " + words_of<Enum>());
    }
    return which;
}

void read(const json::value& value, const JsonSite& site, OnLapse& out) {
    out = word_at<OnLapse>(value, site).value_or(out);
}

void read(const json::value& value, const JsonSite& site, OldKeys& out) {
    out = word_at<OldKeys>(value, site).value_or(out);
}

void read(const json::value& value, const JsonSite& site, Scheme& out) {
    const auto text = text_at(value, site);
    if (!text) return;
    auto scheme = parse_scheme(*text);
    if (scheme) {
        out = *std::move(scheme);
    } else {
        site.tell(Kind::bad_value, quoted(*text) + " is " + describe(scheme.error()));
    }
}

// Defined below; read_figure chooses among them, those above and those of json_site.hpp.
void read(const json::value& value, const JsonSite& site, std::bitset<256>& out);
void read(const json::value& value, const JsonSite& site, KeyRules& out);
void read(const json::value& value, const JsonSite& site, std::optional<FieldDigestRules>& out);
void read(const json::value& value, const JsonSite& site, Dispositions& out);

/// A member of some object: its name, and how to read it into that object.
template <class Object>
struct Member {
    std::string_view name;
    void (*read)(const json::value&, const JsonSite&, Object&);
};

template <auto figure, class Object>
void read_figure(const json::value& value, const JsonSite& site, Object& out) {
    read(value, site, out.*figure);
}

/// Reads the members of an object in the order in which they stand, and tells those that the table
/// does not have.
template <class Table, class Object>
void read_members(const json::value& value, const JsonSite& site, const Table& table, Object& out) {
    const auto* object = object_at(value, site);
    if (object == nullptr) return;
    for (const auto& member : *object) {
        const auto name = plain(member.key());
        const auto known = std::find_if(table.begin(), table.end(),
                                        [&](const auto& each) { return each.name == name; });
        if (known == table.end()) {
            site.at(name).tell(Kind::unknown_name, quoted(name) + " is no name that belongs here");
        } else {
            known->read(member.value(), site.at(name), out);
        }
    }
}

std::optional<std::size_t> hex_byte(std::string_view digits) {
    std::uint8_t byte = 0;
    const auto* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, byte, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return byte;
}

/// The bytes of "21-7e" or "20"; nothing for any other text.
std::optional<std::bitset<256>> bytes_of_range(std::string_view text) {
    const bool is_range = text.size() == 5 && text[2] == '-';
    if (!is_range && text.size() != 2) return std::nullopt;
    const auto first = hex_byte(text.substr(0, 2));
    const auto last = is_range ? hex_byte(text.substr(3)) : first;
    if (!first || !last || *first > *last) return std::nullopt;
    std::bitset<256> bytes;
    for (auto byte = *first; byte <= *last; ++byte) bytes.set(byte);
    return bytes;
}

void read(const json::value& value, const JsonSite& site, std::bitset<256>& out) {
    const auto* list = list_at(value, site);
    if (list == nullptr) return;
    out.reset();
    for (std::size_t i = 0; i < list->size(); ++i) {
        const auto text = text_at((*list)[i], site.at(i));
        if (!text) continue;
        if (const auto bytes = bytes_of_range(*text)) {
            out |= *bytes;
        } else {
            site.at(i).tell(
                Kind::bad_value,
                quoted(*text) + R"( is no byte range, which is hexadecimal: "21-7e", or "20")");
        }
    }
}

constexpr std::array<Member<KeyRules>, 3> key_rules_members{{
    {"min_length", read_figure<&KeyRules::min_length>},
    {"max_length", read_figure<&KeyRules::max_length>},
    {"allowed", read_figure<&KeyRules::allowed>},
}};

void read(const json::value& value, const JsonSite& site, KeyRules& out) {
    read_members(value, site, key_rules_members, out);
}

constexpr std::array<Member<FieldDigestRules>, 3> conflict_detail_members{{
    {"secret", read_figure<&FieldDigestRules::secret>},
    {"depth", read_figure<&FieldDigestRules::depth>},
    {"max_fields", read_figure<&FieldDigestRules::max_fields>},
}};

void read(const json::value& value, const JsonSite& site, std::optional<FieldDigestRules>& out) {
    if (value.is_null()) {
        out.reset();
        return;
    }
    if (!out) out.emplace();
    read_members(value, site, conflict_detail_members, *out);
    const auto* object = value.if_object();
    if (object != nullptr && !object->contains("secret") && out->secret.empty()) {
        site.at("secret").tell(Kind::bad_value, "conflict_detail names no secret");
    }
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void read_class(const json::value& value, const JsonSite& site, int hundreds, Dispositions& out) {
    const auto disposition = word_at<Disposition>(value, site);
    if (disposition) out.set_class(hundreds, *disposition);
}

void read_status(const json::value& value, const JsonSite& site, int status, Dispositions& out) {
    if (value.is_null()) {
        out.clear_status(status);
    } else if (const auto disposition = word_at<Disposition>(value, site)) {
        out.set_status(status, *disposition);
    }
}

void read(const json::value& value, const JsonSite& site, Dispositions& out) {
    const auto* object = object_at(value, site);
    if (object == nullptr) return;
    for (const auto& member : *object) {
        const auto name = plain(member.key());
        const bool begins_well = name.size() == 3 && name[0] >= '1' && name[0] <= '5';
        if (begins_well && name.substr(1) == "xx") {
            read_class(member.value(), site.at(name), name[0] - '0', out);
        } else if (begins_well && is_digit(name[1]) && is_digit(name[2])) {
            const int status = (name[0] - '0') * 100 + (name[1] - '0') * 10 + (name[2] - '0');
            read_status(member.value(), site.at(name), status, out);
        } else {
            site.at(name).tell(
                Kind::unknown_name,
                quoted(name) + " is no status from 100 to 599 and no class like 4xx");
        }
    }
}

template <auto limit>
void read_limit(const json::value& value, const JsonSite& site, PolicyFigures& out) {
    read_figure<limit>(value, site, out.answer_limits);
}

constexpr std::array<Member<PolicyFigures>, 16> policy_members{{
    {"lease", read_figure<&PolicyFigures::lease>},
    {"max_skew", read_figure<&PolicyFigures::max_skew>},
    {"replay_window", read_figure<&PolicyFigures::replay_window>},
    {"tombstone_window", read_figure<&PolicyFigures::tombstone_window>},
    {"abandon_after", read_figure<&PolicyFigures::abandon_after>},
    {"max_attempts", read_figure<&PolicyFigures::max_attempts>},
    {"on_lapse", read_figure<&PolicyFigures::on_lapse>},
    {"old_keys", read_figure<&PolicyFigures::old_keys>},
    {"scheme", read_figure<&PolicyFigures::scheme>},
    {"key_rules", read_figure<&PolicyFigures::key_rules>},
    {"answers", read_figure<&PolicyFigures::answers>},
    {"kept_fields", read_limit<&AnswerLimits::kept_fields>},
    {"max_body_bytes", read_limit<&AnswerLimits::max_body_bytes>},
    {"max_depth", read_figure<&PolicyFigures::max_depth>},
    {"max_note_bytes", read_figure<&PolicyFigures::max_note_bytes>},
    {"conflict_detail", read_figure<&PolicyFigures::conflict_detail>},
}};

std::string hex(std::size_t byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return {digits[byte / 16], digits[byte % 16]};
}

json::array ranges_of(const std::bitset<256>& bytes) {
    json::array ranges;
    for (std::size_t first = 0; first < bytes.size(); ++first) {
        if (!bytes[first]) continue;
        auto last = first;
        while (last + 1 < bytes.size() && bytes[last + 1]) ++last;
        ranges.emplace_back(first == last ? hex(first) : hex(first) + '-' + hex(last));
        first = last;
    }
    return ranges;
}

json::object entries_of(const Dispositions& answers, const Dispositions& inherited) {
    json::object entries;
    for (int hundreds = 1; hundreds <= 5; ++hundreds) {
        entries[std::to_string(hundreds) + "xx"] = boosted(word(answers.class_default(hundreds)));
    }
    // What the inherited table excepts, and this one may not; then what this one excepts.
    for (const auto& each : inherited.exceptions()) entries[std::to_string(each.status)] = nullptr;
    for (const auto& [status, disposition] : answers.exceptions()) {
        entries[std::to_string(status)] = boosted(word(disposition));
    }
    return entries;
}

json::value value_of(const std::optional<FieldDigestRules>& rules) {
    if (!rules) return nullptr;
    return {{"secret", rules->secret}, {"depth", rules->depth}, {"max_fields", rules->max_fields}};
}

}  // namespace

void read(const json::value& value, const JsonSite& site, PolicyFigures& out) {
    read_members(value, site, policy_members, out);
}

json::object to_object(const PolicyFigures& figures, const PolicyFigures& inherited) {
    const auto& rules = figures.key_rules;
    const auto& limits = figures.answer_limits;
    return {
        {"lease", to_text(figures.lease)},
        {"max_skew", to_text(figures.max_skew)},
        {"replay_window", to_text(figures.replay_window)},
        {"tombstone_window", to_text(figures.tombstone_window)},
        {"abandon_after", to_text(figures.abandon_after)},
        {"max_attempts", figures.max_attempts},
        {"on_lapse", boosted(word(figures.on_lapse))},
        {"old_keys", boosted(word(figures.old_keys))},
        {"scheme", name_of(figures.scheme).text},
        {"key_rules",
         {{"min_length", rules.min_length},
          {"max_length", rules.max_length},
          {"allowed", ranges_of(rules.allowed)}}},
        {"answers", entries_of(figures.answers, inherited.answers)},
        {"kept_fields", json::array(limits.kept_fields.begin(), limits.kept_fields.end())},
        {"max_body_bytes", limits.max_body_bytes},
        {"max_depth", figures.max_depth},
        {"max_note_bytes", figures.max_note_bytes},
        {"conflict_detail", value_of(figures.conflict_detail)},
    };
}

}  // namespace counterfoil::detail
