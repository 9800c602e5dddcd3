#include "counterfoil/provider_log.hpp"

#include <algorithm>
#include <array>
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
using Fields = std::vector<std::string>;

constexpr std::array<std::string_view, 3> needed_names{"key", "status", "time"};
constexpr std::array<std::string_view, 5> read_names{"key", "status", "time", "amount", "currency"};

void skip_byte_order_mark(std::string_view& text) {
    constexpr std::string_view mark{"\xEF\xBB\xBF"};
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
}

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
    if (canonical->front() != '{') return std::string{"it is no object"};
    json::parse_options as_deep;
    as_deep.max_depth = Canonicalizer::default_max_depth;
    json::error_code error;
    const json::value document =
        json::parse(json::string_view{line.data(), line.size()}, error, {}, as_deep);
    if (error) return std::string{"it has a number that is too large"};
    Members members;
    for (const std::string_view name : read_names) {
        const json::value* value = document.as_object().if_contains(name);
        if (value == nullptr || value->is_null()) continue;
        const bool is_amount = name == "amount";
        if (value->is_string()) {
            members.emplace(name, std::string{value->as_string()});
        } else if (value->is_number() && is_amount) {
            members.emplace(name, number_text(line, name).value_or(""));
        } else {
            return std::string{name} + (is_amount ? " is no number and no text" : " is no text");
        }
    }
    return members;
}

/// Takes what ends a field: a comma, or the end of its record.
bool take_end(std::string_view& text, bool& more) {
    more = text.starts_with(',');
    if (text.empty() || text == "\r") {
        text = {};
        return true;
    }
    for (const std::string_view end : {",", "\n", "\r\n"}) {
        if (!text.starts_with(end)) continue;
        text.remove_prefix(end.size());
        return true;
    }
    return false;
}

/// Takes a quoted field with its quotes; nothing where they are not closed.
std::optional<std::string> take_quoted(std::string_view& text) {
    std::string field;
    text.remove_prefix(1);
    while (true) {
        const std::size_t quote = text.find('"');
        if (quote == std::string_view::npos) return std::nullopt;
        field += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) return field;
        field += '"';
        text.remove_prefix(1);
    }
}

/// Takes a field without quotes; nothing where it has one.
std::optional<std::string> take_bare(std::string_view& text) {
    std::string_view field = text.substr(0, text.find_first_of(",\n"));
    const bool ends_the_record = field.size() == text.size() || text[field.size()] == '\n';
    if (ends_the_record && field.ends_with('\r')) field.remove_suffix(1);
    if (field.find('"') != std::string_view::npos) return std::nullopt;
    text.remove_prefix(field.size());
    return std::string{field};
}

constexpr const char* bad_quotes = "a quote is not closed, or stands where none may";

/// Takes a record of CSV, which may have several lines; nothing where its quotes are not as they
/// have to be.
std::optional<Fields> take_record(std::string_view& text) {
    Fields fields;
    for (bool more = true; more;) {
        std::optional<std::string> field =
            text.starts_with('"') ? take_quoted(text) : take_bare(text);
        if (!field || !take_end(text, more)) return std::nullopt;
        fields.push_back(*std::move(field));
    }
    return fields;
}

/// A record of CSV with the number of its first line, or why there is none in that line.
struct Record {
    std::size_t line{};
    Result<Fields, std::string> fields;
};

/// Takes the records off a text of CSV, one by one.
class Records {
public:
    explicit Records(std::string_view text) : text_{text} {}

    /// The next record that is no empty line; nothing at the end. Of one that can't be read, or has
    /// not just `width` fields, a line is taken: a quote that is not closed loses no other.
    std::optional<Record> next(std::optional<std::size_t> width) {
        while (!text_.empty()) {
            std::string_view behind_line = text_;
            if (take_line(behind_line).empty()) {
                advance(behind_line);
                continue;
            }
            const std::size_t line = line_;
            std::string_view behind_record = text_;
            std::optional<Fields> fields = take_record(behind_record);
            const bool fits = fields && fields->size() == width.value_or(fields->size());
            advance(fits ? behind_record : behind_line);
            if (fits) return Record{line, *std::move(fields)};
            return Record{line, fields ? misfit(fields->size(), *width) : bad_quotes};
        }
        return std::nullopt;
    }

private:
    static std::string misfit(std::size_t fields, std::size_t width) {
        return "it has " + std::to_string(fields) + " fields, and the first line names " +
               std::to_string(width);
    }

    void advance(std::string_view behind) {
        const std::string_view taken = text_.substr(0, text_.size() - behind.size());
        line_ += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
        text_ = behind;
    }

    std::string_view text_;
    std::size_t line_ = 1;
};

/// What is wrong with the names of the columns.
std::optional<std::string> fault_of(const Fields& columns) {
    for (const std::string_view name : read_names) {
        if (std::count(columns.begin(), columns.end(), name) > 1) {
            return "column '" + std::string{name} + "' stands twice";
        }
    }
    for (const std::string_view name : needed_names) {
        if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
            return "there is no column '" + std::string{name} + "'";
        }
    }
    return std::nullopt;
}

Members members_of(const Fields& fields, const Fields& columns) {
    Members members;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!fields.at(i).empty()) members.emplace(columns.at(i), fields.at(i));
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
    for (const std::string_view needed : needed_names) {
        if (member(needed).value_or("").empty()) return "it has no " + std::string{needed};
    }
    const std::optional<Instant> at = from_rfc3339(*member("time"));
    if (!at) return "time '" + escaped(*member("time")) + "' is no RFC 3339 in UTC";
    const bool applied =
        std::find(succeeded.begin(), succeeded.end(), *member("status")) != succeeded.end();
    std::optional<std::string> amount = member("amount");
    if (amount) {
        amount = exact_amount(*amount);
        if (!amount) return "amount '" + escaped(*member("amount")) + "' is no decimal number";
    }
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

ProviderLog read_json_lines(std::string_view text, const std::vector<std::string>& succeeded) {
    ProviderLog log;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (!line.empty()) add(log, number, json_members(line), succeeded);
    }
    return log;
}

ProviderLog read_csv(std::string_view text, const std::vector<std::string>& succeeded) {
    ProviderLog log;
    Records records{text};
    const std::optional<Record> first = records.next(std::nullopt);
    if (!first) return log;
    const std::optional<std::string> fault =
        first->fields ? fault_of(*first->fields) : first->fields.error();
    if (fault) {
        log.unreadable = LogFault{first->line, *fault};
        return log;
    }
    const Fields& columns = *first->fields;
    while (const std::optional<Record> record = records.next(columns.size())) {
        add(log, record->line,
            record->fields ? Line{members_of(*record->fields, columns)}
                           : Line{record->fields.error()},
            succeeded);
    }
    return log;
}

}  // namespace

LogForm guess_log_form(std::string_view text) {
    skip_byte_order_mark(text);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' ? LogForm::json_lines
                                                                 : LogForm::csv;
}

ProviderLog read_provider_log(std::string_view text, LogForm form,
                              const std::vector<std::string>& succeeded) {
    skip_byte_order_mark(text);
    switch (form) {
        case LogForm::json_lines: return read_json_lines(text, succeeded);
        case LogForm::csv: return read_csv(text, succeeded);
    }
    return {};
}

}  // namespace counterfoil
