#include "access.hpp"

#include <sstream>
#include <string>
#include <utility>

#include <rapidcheck.h>

#include "counterfoil/describe.hpp"
#include "generators/values.hpp"

namespace counterfoil::testing {

namespace {

std::string text_of(const std::optional<Hold>& hold) {
    if (!hold) return "none";
    return gen::visible(hold->by) + ", " + gen::visible(hold->reason) + ", " +
           describe(hold->since);
}

std::string text_of(const std::optional<FieldDigests>& digests) {
    if (!digests) return "none";
    std::ostringstream text;
    text << digests->fields.size() << " of depth " << digests->rules.depth << ", at most "
         << digests->rules.max_fields << ", " << digests->left_out << " left out, secret "
         << gen::visible(digests->rules.secret) << ':';
    for (const FieldDigest& field : digests->fields) text << ' ' << gen::visible(field.pointer);
    return text.str();
}

std::string cut(std::string text) {
    constexpr std::size_t enough = 400;
    if (text.size() <= enough) return text;
    return text.substr(0, enough) + "... (" + std::to_string(text.size()) + " characters)";
}

std::string text_of(const State& state) {
    const auto* completed = std::get_if<state::Completed>(&state);
    if (completed == nullptr) return describe(state);
    std::ostringstream text;
    text << completed->answer;
    return describe(state) + " [" + cut(text.str()) + ']';
}

void note(std::string& text, std::string_view member, const std::string& found,
          const std::string& expected) {
    text += "\n  ";
    text += member;
    text += "\n    found    " + found + "\n    expected " + expected;
}

}  // namespace

void commit_with(Session& session, const std::function<void(ReceiptTable&)>& write) {
    session.begin();
    write(session);
    session.commit();
}

void make_with(Subject& subject, const std::vector<Receipt>& receipts) {
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) {
        for (const Receipt& receipt : receipts) RC_ASSERT(table.insert(receipt));
    });
}

std::optional<Receipt> peeked(Subject& subject, const Scope& scope) {
    return subject.session()->peek(scope);
}

std::string differences(const std::optional<Receipt>& found,
                        const std::optional<Receipt>& expected) {
    std::string text;
    if (!found || !expected) {
        note(text, "receipt", found ? describe(*found) : "nothing",
             expected ? describe(*expected) : "nothing");
        return text;
    }
    const auto compare = [&](std::string_view member, const auto& one, const auto& other,
                             const auto& as_text) {
        if (one != other) note(text, member, as_text(one), as_text(other));
    };
    const auto described = [](const auto& value) { return describe(value); };
    const auto spelt = [](const auto& value) { return text_of(value); };
    compare("scope", found->scope, expected->scope, described);
    compare("fingerprint", found->fingerprint, expected->fingerprint, described);
    compare("fence", found->fence, expected->fence, described);
    compare("created_at", found->created_at, expected->created_at, described);
    compare("attempt", found->attempt, expected->attempt,
            [](std::int64_t number) { return std::to_string(number); });
    compare("state", found->state, expected->state, spelt);
    compare("fields", found->fields, expected->fields, spelt);
    compare("hold", found->hold, expected->hold, spelt);
    return text;
}

void expect_equal(const std::optional<Receipt>& found, const std::optional<Receipt>& expected,
                  std::string_view where) {
    if (found == expected) return;
    RC_FAIL(std::string{where} + differences(found, expected));
}

}  // namespace counterfoil::testing
