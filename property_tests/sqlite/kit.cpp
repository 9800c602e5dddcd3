#include "sqlite/kit.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace counterfoil::kit {

namespace {

SQLite::Database opened(const std::filesystem::path& file) {
    constexpr int busy_timeout_ms = 10'000;
    return {file.string(), SQLite::OPEN_READWRITE, busy_timeout_ms};
}

}  // namespace

Scratch::Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "counterfoil-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::system_error{errno, std::generic_category(), "mkdtemp"};
    }
    directory_ = pattern;
}

Scratch::~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
}

PolicyBook book(PolicyFigures figures) {
    return PolicyBook{validate(std::move(figures), {Span{0}, Span{0}}).value()};
}

Scope scope(std::string_view key, std::string_view operation, std::string_view tenant) {
    return {parse_tenant(tenant).value(), parse_operation(operation).value(),
            parse_key(key).value()};
}

Answer answer(int status, std::string_view body) {
    return {.status = status, .body = body::Bytes{std::string{body}}};
}

Request request(const Scope& scope, int digest) {
    Request made{
        .scope = scope, .fingerprint = {{"exact-json"}, {}}, .fields = std::nullopt, .others = {}};
    made.fingerprint.digest.bytes.fill(static_cast<std::uint8_t>(digest));
    return made;
}

std::string told(const Reply& reply) {
    const Answer* given = answer_of(reply);
    const auto* bytes = given != nullptr ? std::get_if<body::Bytes>(&given->body) : nullptr;
    return bytes != nullptr ? bytes->bytes : std::string{word(reply)};
}

std::int64_t number(const std::filesystem::path& file, std::string_view query) {
    return opened(file).execAndGet(std::string{query}).getInt64();
}

std::string text(const std::filesystem::path& file, std::string_view query) {
    return opened(file).execAndGet(std::string{query}).getString();
}

void execute(const std::filesystem::path& file, std::string_view statements) {
    opened(file).exec(std::string{statements});
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

void write_bytes(const std::filesystem::path& file, std::string_view bytes) {
    std::ofstream{file, std::ios::binary} << bytes;
}

std::vector<std::string> wrong_with_orders(const std::filesystem::path& file) {
    static constexpr std::array queries{
        "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
        "SELECT 'an order without receipt: ' || tenant || ' ' || key FROM orders AS o WHERE NOT "
        "EXISTS (SELECT 1 FROM receipts AS r WHERE r.key = o.key AND r.tenant = o.tenant)",
        "SELECT 'a receipt without order: ' || tenant || ' ' || key FROM receipts AS r WHERE "
        "status = 201 AND NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.key = r.key AND "
        "o.tenant = r.tenant)",
        "SELECT 'a receipt that is not completed: ' || tenant || ' ' || key FROM receipts WHERE "
        "state <> 'completed'",
        "SELECT 'two orders: ' || tenant || ' ' || key FROM orders GROUP BY tenant, key "
        "HAVING count(*) > 1"};
    std::vector<std::string> wrong;
    SQLite::Database database = opened(file);
    for (const char* query : queries) {
        SQLite::Statement rows{database, query};
        while (rows.executeStep()) wrong.push_back(rows.getColumn(0).getString());
    }
    return wrong;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* given = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

}  // namespace counterfoil::kit
