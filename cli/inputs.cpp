#include "cli/inputs.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include <counterfoil/describe.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/sqlite/reader.hpp>

namespace counterfoil::cli {

namespace {

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
    if (const std::optional<Instant> instant = from_rfc3339(text)) return *instant;
    // A date alone is its beginning.
    if (const std::optional<Instant> midnight = from_rfc3339(std::string{text} + "T00:00:00Z")) {
        return *midnight;
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
