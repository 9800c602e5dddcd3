#include "cli/inputs.hpp"

#include <charconv>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include <counterfoil/describe.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/sqlite/reader.hpp>

namespace counterfoil::cli {

namespace {

/// Digits of a fixed number; nothing where they are none.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
    if (at + count > text.size()) return std::nullopt;
    const std::string_view part = text.substr(at, count);
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size() || number < 0) return std::nullopt;
    return number;
}

std::optional<Instant> date_of(std::string_view text) {
    const std::optional<int> year = digits(text, 0, 4);
    const std::optional<int> month = digits(text, 5, 2);
    const std::optional<int> day = digits(text, 8, 2);
    if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(*month)},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::nullopt;
    return Instant{
        std::chrono::duration_cast<Span>(std::chrono::sys_days{date}.time_since_epoch())};
}

/// `.`, up to six digits.
std::optional<Span> fraction_of(std::string_view text) {
    constexpr std::size_t most = 6;
    if (text.empty()) return Span{0};
    if (text.front() != '.' || text.size() < 2 || text.size() > most + 1) return std::nullopt;
    const std::string padded =
        std::string{text.substr(1)} + std::string(most + 1 - text.size(), '0');
    const std::optional<int> microseconds = digits(padded, 0, most);
    return microseconds ? std::optional{Span{*microseconds}} : std::nullopt;
}

/// `THH:MM:SS`, a fraction, `Z`.
std::optional<Span> time_of(std::string_view text) {
    constexpr std::size_t shortest = 10;
    if (text.size() < shortest || text.front() != 'T' || text.back() != 'Z' || text[3] != ':' ||
        text[6] != ':') {
        return std::nullopt;
    }
    const std::optional<int> hour = digits(text, 1, 2);
    const std::optional<int> minute = digits(text, 4, 2);
    const std::optional<int> second = digits(text, 7, 2);
    const std::optional<Span> fraction = fraction_of(text.substr(9, text.size() - shortest));
    if (!hour || !minute || !second || !fraction || *hour > 23 || *minute > 59 || *second > 59) {
        return std::nullopt;
    }
    return Span{std::chrono::hours{*hour}} + Span{std::chrono::minutes{*minute}} +
           Span{std::chrono::seconds{*second}} + *fraction;
}

template <class Value>
Value named(Result<Value, NameError> parsed, std::string_view what, const std::string& text) {
    if (parsed) return *std::move(parsed);
    throw Failure{Exit::wrong_use, std::string{what} + " '" + escaped(text) +
                                       "' is none: " + describe(parsed.error())};
}

}  // namespace

std::string read_input(const std::string& file) {
    if (file == "-") {
        return {std::istreambuf_iterator<char>{std::cin}, std::istreambuf_iterator<char>{}};
    }
    const std::string name = "'" + escaped(file) + "'";
    if (!std::filesystem::exists(file)) {
        throw Failure{Exit::not_found, "there is no file " + name};
    }
    if (std::filesystem::is_directory(file)) {
        throw Failure{Exit::wrong_use, name + " is a folder"};
    }
    std::ifstream stream{file, std::ios::binary};
    if (!stream) throw Failure{Exit::busy, name + " can't be read"};
    return {std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
}

std::filesystem::path existing_file(const Context& context) {
    if (context.file.empty()) {
        throw Failure{Exit::wrong_use, "name the database with --db FILE or COUNTERFOIL_DB"};
    }
    std::error_code error;
    if (!std::filesystem::exists(context.file, error)) {
        throw Failure{error ? Exit::busy : Exit::not_found,
                      "there is no database '" + escaped(context.file) + "'"};
    }
    return context.file;
}

sqlite::Store store_for_writing(const Context& context, PolicyBook policies) {
    const std::filesystem::path file = existing_file(context);
    { const sqlite::Reader ours{file}; }
    sqlite::Settings settings;
    settings.access = sqlite::FileAccess::as_it_is;
    return sqlite::Store{file, {.policies = std::move(policies)}, settings};
}

void ScopeOptions::add_to(CLI::App& command) {
    command.add_option("--tenant,-t", tenant, "Whose request it is")->required();
    command.add_option("--operation,-o", operation, "What kind of request")->required();
    command.add_option("--key,-k", key, "The client's idempotency key")->required();
}

Scope ScopeOptions::scope() const {
    return {tenant_of(tenant), operation_of(operation),
            named(parse_key(key, KeyRules::widest()), "the key", key)};
}

Tenant tenant_of(const std::string& text) {
    return named(parse_tenant(text), "the tenant", text);
}

Operation operation_of(const std::string& text) {
    return named(parse_operation(text), "the operation", text);
}

Instant instant_of(std::string_view text, Instant now) {
    if (const Result<Span, SpanFault> span = parse_span(text)) return now - *span;
    constexpr std::size_t date_size = 10;
    if (const std::optional<Instant> date = date_of(text)) {
        if (text.size() == date_size) return *date;
        if (const std::optional<Span> time = time_of(text.substr(date_size))) return *date + *time;
    }
    throw Failure{Exit::wrong_use, "'" + escaped(text) +
                                       "' is no instant: write 2026-12-01T09:30:00Z, 2026-12-01, "
                                       "or a span such as 2h for so long ago"};
}

void PolicyOption::add_to(CLI::App& command) {
    command.add_option("--policy", file, "A policy file; the default policy without")
        ->type_name("FILE");
}

PolicyBook PolicyOption::book() const {
    const std::string text = file.empty() ? "{}" : read_input(file);
    Result<PolicyBook, std::vector<PolicyFault>> book = parse_policy_book(
        text, {.client_retry_window = Span::zero(), .handler_budget = Span::zero()});
    if (book) return *std::move(book);
    std::string faults = "'" + escaped(file) + "' is no policy";
    for (const PolicyFault& fault : book.error()) faults += "; " + describe(fault);
    throw Failure{Exit::wrong_use, faults};
}

void SecretOptions::add_to(CLI::App& command) {
    command.add_option("--secret", given, "A secret by its id, for hmac- schemes")
        ->type_name("ID=FILE");
}

Secrets SecretOptions::secrets() const {
    Secrets secrets;
    for (const std::string& one : given) {
        const std::size_t at = one.find('=');
        if (at == std::string::npos || at == 0) {
            throw Failure{Exit::wrong_use, "'" + escaped(one) + "' is not ID=FILE"};
        }
        std::string secret = read_input(one.substr(at + 1));
        if (!secret.empty() && secret.back() == '\n') secret.pop_back();
        secrets.insert_or_assign(one.substr(0, at), std::move(secret));
    }
    return secrets;
}

}  // namespace counterfoil::cli
