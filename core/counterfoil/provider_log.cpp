#include "counterfoil/provider_log.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/describe.hpp"
#include "counterfoil/instant.hpp"

namespace counterfoil {

namespace {

namespace json = boost::json;

/// What a line says, by the name of the member or column; or why it can't be read.
using Members = std::map<std::string, std::string, std::less<>>;
using Line = Result<Members, std::string>;

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

/// A number as it is written in the line, since a parsed one may have lost digits.
std::optional<std::string> number_text(std::string_view line, std::string_view name) {
    const std::vector<std::string> pointer{"/" + std::string{name}};
    Canonicalizer canonicalizer;
    const auto kept = canonicalizer.canonicalize(line, *FieldSelection::only(pointer));
    if (!kept || kept->empty()) return std::nullopt;
    const std::size_t before = name.size() + 4;  // {"name":
    return std::string{kept->substr(before, kept->size() - before - 1)};
}

Line json_members(std::string_view line) {
    Canonicalizer canonicalizer;
    const Result<std::string_view, JsonError> canonical = canonicalizer.canonicalize(line);
    if (!canonical) return describe(canonical.error());
    json::error_code error;
    const json::value document = json::parse(json::string_view{line.data(), line.size()}, error);
    if (error || !document.is_object()) return std::string{"it is no object"};
    Members members;
    for (const char* name : {"key", "status", "amount", "currency", "time"}) {
        const json::value* value = document.as_object().if_contains(name);
        if (value == nullptr || value->is_null()) continue;
        if (value->is_string()) {
            members.emplace(name, std::string{value->as_string()});
        } else if (value->is_number() && std::string_view{name} == "amount") {
            members.emplace(name, number_text(line, name).value_or(""));
        } else {
            return std::string{name} + " is no text";
        }
    }
    return members;
}

/// Takes a quoted field with its quotes; nothing where they are not closed, or text follows them.
std::optional<std::string> take_quoted(std::string_view& line) {
    std::string field;
    std::size_t at = 1;
    while (at < line.size()) {
        if (line[at] == '"') {
            const bool is_doubled = at + 1 < line.size() && line[at + 1] == '"';
            if (!is_doubled) break;
            ++at;
        }
        field += line[at++];
    }
    if (at == line.size()) return std::nullopt;
    line.remove_prefix(at + 1);
    if (!line.empty() && line.front() != ',') return std::nullopt;
    return field;
}

std::string take_bare(std::string_view& line) {
    std::string field{line.substr(0, line.find(','))};
    line.remove_prefix(field.size());
    return field;
}

/// The fields of a line of CSV; nothing where a quoted one is not as it has to be.
std::optional<std::vector<std::string>> csv_fields(std::string_view line) {
    std::vector<std::string> fields;
    while (true) {
        const bool is_quoted = !line.empty() && line.front() == '"';
        std::optional<std::string> field =
            is_quoted ? take_quoted(line) : std::optional{take_bare(line)};
        if (!field) return std::nullopt;
        fields.push_back(*std::move(field));
        if (line.empty()) return fields;
        line.remove_prefix(1);
    }
}

Line csv_members(std::string_view line, const std::vector<std::string>& columns) {
    const std::optional<std::vector<std::string>> fields = csv_fields(line);
    if (!fields) return std::string{"a quote is not closed, or text stands behind it"};
    if (fields->size() != columns.size()) {
        return "it has " + std::to_string(fields->size()) + " fields, and the first line names " +
               std::to_string(columns.size());
    }
    Members members;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!fields->at(i).empty()) members.emplace(columns.at(i), fields->at(i));
    }
    return members;
}

/// The entry that the members make, or what is wrong with them.
Result<ProviderEntry, std::string> entry_of(const Members& members,
                                            const std::vector<std::string>& succeeded) {
    const auto member = [&](std::string_view name) -> std::optional<std::string> {
        const auto found = members.find(name);
        if (found == members.end()) return std::nullopt;
        return found->second;
    };
    for (const char* needed : {"key", "status", "time"}) {
        if (!member(needed)) return "it has no " + std::string{needed};
    }
    const std::optional<Instant> at = from_rfc3339(*member("time"));
    if (!at) return "time '" + escaped(*member("time")) + "' is no RFC 3339 in UTC";
    const bool applied =
        std::find(succeeded.begin(), succeeded.end(), *member("status")) != succeeded.end();
    std::optional<std::string> amount = member("amount");
    if (amount) amount = exact_amount(*amount);
    return ProviderEntry{.key = *member("key"),
                         .standing = applied ? Standing::applied : Standing::not_applied,
                         .money = {std::move(amount), member("currency")},
                         .at = *at};
}

/// Puts what a line says where it belongs.
void add(ProviderLog& log, std::size_t number, const Line& members,
         const std::vector<std::string>& succeeded) {
    if (!members) {
        log.faults.push_back({number, members.error()});
        return;
    }
    Result<ProviderEntry, std::string> entry = entry_of(*members, succeeded);
    if (entry) {
        log.entries.push_back(*std::move(entry));
    } else {
        log.faults.push_back({number, entry.error()});
    }
}

/// Calls for each line that is not empty, with its number, until it is told to stop.
template <class Each>
void for_each_line(std::string_view text, const Each& each) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (!line.empty() && !each(number, line)) return;
    }
}

}  // namespace

ProviderLog read_provider_log(std::string_view text, LogForm form,
                              const std::vector<std::string>& succeeded) {
    ProviderLog log;
    if (form == LogForm::json_lines) {
        for_each_line(text, [&](std::size_t number, std::string_view line) {
            add(log, number, json_members(line), succeeded);
            return true;
        });
        return log;
    }
    std::optional<std::vector<std::string>> columns;
    for_each_line(text, [&](std::size_t number, std::string_view line) {
        if (columns) {
            add(log, number, csv_members(line, *columns), succeeded);
        } else {
            columns = csv_fields(line);
            if (!columns) log.faults.push_back({number, "the columns can't be read"});
        }
        return columns.has_value();
    });
    return log;
}

}  // namespace counterfoil
