#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <SQLiteCpp/Statement.h>

#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

/// Binds the parameters of a statement from the first on. Texts and blobs are borrowed until the
/// statement is reset; words are copied.
class Binder {
public:
    explicit Binder(SQLite::Statement& statement) : statement_{statement} {}

    void null() { statement_.bind(++index_); }

    void number(std::int64_t value) { statement_.bind(++index_, value); }

    void number(std::optional<int> value) { value ? number(*value) : null(); }

    void instant(Instant at) { number(at.time_since_epoch().count()); }

    void instant(std::optional<Instant> at) { at ? instant(*at) : null(); }

    void text(const std::string& text) { statement_.bindNoCopy(++index_, text); }

    void text(const std::string* text) {
        if (text != nullptr) {
            this->text(*text);
        } else {
            null();
        }
    }

    void copied_text(const std::optional<std::string>& text) {
        if (text) {
            statement_.bind(++index_, *text);
        } else {
            null();
        }
    }

    void word(std::string_view word) { statement_.bind(++index_, std::string{word}); }

    template <class Enum>
    void word(std::optional<Enum> which) {
        if (which) {
            word(counterfoil::word(*which));
        } else {
            null();
        }
    }

    void blob(const std::string* bytes) {
        if (bytes != nullptr) {
            blob(bytes->data(), bytes->size());
        } else {
            null();
        }
    }

    void blob(const void* data, std::size_t size) {
        statement_.bindNoCopy(++index_, data, static_cast<int>(size));
    }

    void scope(const Scope& scope) {
        text(scope.tenant.text());
        text(scope.operation.text());
        text(scope.key.text());
    }

private:
    SQLite::Statement& statement_;
    int index_{};
};

}  // namespace counterfoil::sqlite
