#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <counterfoil/fingerprint.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/program.hpp"

namespace counterfoil::cli {

/// The bytes of a file, or of stdin for `-`.
///
/// Errors: Failure not_found or busy.
[[nodiscard]] std::string read_input(const std::string& file);

/// The database that --db names.
///
/// Errors: Failure wrong_use where none is named, not_found where it isn't there.
[[nodiscard]] std::filesystem::path existing_file(const Context& context);

/// The database that --db names, as a store that may write to it. A file that isn't ours is not
/// made so.
///
/// Errors: Failure, StoreError.
[[nodiscard]] sqlite::Store store_for_writing(const Context& context, PolicyBook policies);

/// --tenant, --operation and --key.
struct ScopeOptions {
    std::string tenant;
    std::string operation;
    std::string key;

    void add_to(CLI::App& command);

    /// Errors: Failure wrong_use, saying which is no name and why.
    [[nodiscard]] Scope scope() const;
};

[[nodiscard]] Tenant tenant_of(const std::string& text);
[[nodiscard]] Operation operation_of(const std::string& text);

/// An instant as people write it: RFC 3339 in UTC, a date, or a span: so long before now.
///
/// Errors: Failure wrong_use.
[[nodiscard]] Instant instant_of(std::string_view text, Instant now);

/// --policy FILE; the default policy without.
struct PolicyOption {
    std::string file;

    void add_to(CLI::App& command);

    /// Errors: Failure wrong_use, with every fault of the file.
    [[nodiscard]] PolicyBook book() const;
};

/// --secret ID=FILE, as often as there are secrets. A newline at the end of a file is not part of
/// its secret.
struct SecretOptions {
    std::vector<std::string> given;

    void add_to(CLI::App& command);
    [[nodiscard]] Secrets secrets() const;
};

}  // namespace counterfoil::cli
