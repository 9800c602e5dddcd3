#pragma once

#include <cassert>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace counterfoil {

/// What parsing gives: a value, or the error that says what is wrong and where.
///
/// Verdicts and refusals are not errors and have types of their own; this is for input only.
///
/// Requires: value() and error() are asked for only when they are there (asserted).
template <class Value, class Error>

requires(!std::same_as<Value, Error>) class [[nodiscard]] Result {
public:
    using value_type = Value;
    using error_type = Error;

    Result(Value value)
        : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)

    Result(Error error)
        : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }

    explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] const Value& value() const& {
        assert(has_value());
        return *std::get_if<0>(&held_);
    }

    [[nodiscard]] Value& value() & {
        assert(has_value());
        return *std::get_if<0>(&held_);
    }

    [[nodiscard]] Value&& value() && {
        assert(has_value());
        return std::move(*std::get_if<0>(&held_));
    }

    const Value& operator*() const& { return value(); }

    Value& operator*() & { return value(); }

    Value&& operator*() && { return std::move(*this).value(); }

    const Value* operator->() const { return &value(); }

    Value* operator->() { return &value(); }

    [[nodiscard]] const Error& error() const& {
        assert(!has_value());
        return *std::get_if<1>(&held_);
    }

    [[nodiscard]] Error&& error() && {
        assert(!has_value());
        return std::move(*std::get_if<1>(&held_));
    }

    friend bool operator==(const Result&, const Result&) = default;

private:
    std::variant<Value, Error> held_;
};

}  // namespace counterfoil
