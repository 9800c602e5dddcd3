#include "samples.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "generators/situations.hpp"

namespace counterfoil::testing {

namespace {

Instant at(std::int64_t us) {
    return Instant{Span{us}};
}

std::string every_byte() {
    std::string text;
    for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
    return text;
}

// Pointers and ids of secrets come out of JSON, so they are UTF-8.
FieldDigests odd_digests() {
    FieldDigests digests{.rules = {.secret = "\"\\\n\xC3\xA9",
                                   .depth = 0,
                                   .max_fields = std::numeric_limits<std::size_t>::max()},
                         .fields = {},
                         .left_out = std::numeric_limits<std::size_t>::max()};
    for (const char* pointer : {"", "/", "/a\tb", "/caf\xC3\xA9", "/~0~1"}) {
        FieldDigest field{.pointer = pointer, .digest = {}};
        field.digest.fill(static_cast<std::uint8_t>(255 - digests.fields.size()));
        digests.fields.push_back(std::move(field));
    }
    return digests;
}

}  // namespace

Scope scope_of(std::string_view tenant, std::string_view operation, std::string_view key) {
    return {parse_tenant(tenant).value(), parse_operation(operation).value(),
            parse_key(key, KeyRules::widest()).value()};
}

Scope scope_number(std::size_t number) {
    switch (number % 4) {
        case 0: return scope_of("a", "bc", "k");
        case 1: return scope_of("ab", "c", "k");
        case 2: return scope_of("a", "bc", "kk");
        default: return scope_of("a", "c", "k");
    }
}

Receipt receipt_number(std::int64_t number, Scope scope) {
    Digest digest;
    digest.bytes.fill(static_cast<std::uint8_t>(number));
    return {.scope = std::move(scope),
            .fingerprint = {{"exact-json"}, digest},
            .fence = Fence{number},
            .created_at = at(number),
            .attempt = 1,
            .state = state::Completed{.answer = {.status = 201,
                                                 .fields = {{"ETag", std::to_string(number)}},
                                                 .body = body::Bytes{std::to_string(number)}},
                                      .completed_at = at(number),
                                      .replay_until = at(number + 1'000),
                                      .forget_at = at(number + 2'000)}};
}

Receipt with_answer(Receipt receipt, Answer answer) {
    receipt.state = state::Completed{.answer = std::move(answer),
                                     .completed_at = at(1),
                                     .replay_until = at(2),
                                     .forget_at = at(3)};
    return receipt;
}

const std::vector<std::string>& odd_texts() {
    using namespace std::string_literals;
    static const std::vector<std::string> texts{"",
                                                " ",
                                                "  in the middle  ",
                                                "\t",
                                                "'; DROP TABLE x; --",
                                                "\"\\/",
                                                "a\r\nb\n",
                                                "a\0b"s,
                                                "\0"s,
                                                "caf\xC3\xA9",
                                                "\xFF\xFE",
                                                "null",
                                                "0x00",
                                                "1e3",
                                                "%00%",
                                                every_byte(),
                                                std::string(300, 'x'),
                                                std::string(100'000, '\xA5')};
    return texts;
}

Receipt odd_receipt(const std::string& text) {
    Receipt receipt = with_answer(receipt_number(7, scope_number(0)),
                                  {.status = 201,
                                   .fields = {{"ETag", text}, {"etag", "x"}, {"X-Cost", text}},
                                   .body = body::Bytes{text},
                                   .reference = text});
    receipt.fields = odd_digests();
    receipt.hold = Hold{.by = text, .reason = text, .since = at(0)};
    return receipt;
}

std::vector<Receipt> extreme_receipts() {
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    std::vector<Receipt> all;
    for (const Instant instant : {Instant::min(), at(-1), at(0), Instant::max()}) {
        for (State state : std::vector<State>{
                 state::InProgress{instant},
                 state::Completed{{.status = 100}, instant, instant, instant},
                 state::Completed{{.status = 599}, Instant::min(), instant, Instant::max()},
                 state::Unknown{instant, UnknownCause::marked},
                 state::Tombstone{{.status = 599, .completed_at = instant}, instant, instant}}) {
            Receipt receipt = receipt_number(1, scope_number(0));
            receipt.created_at = instant;
            receipt.hold = Hold{.by = "anna", .reason = "audit", .since = instant};
            receipt.state = std::move(state);
            all.push_back(receipt);
            receipt.fence = Fence{last};
            receipt.attempt = last;
            all.push_back(std::move(receipt));
        }
    }
    return all;
}

std::vector<Receipt> receipts_of_all_bodies() {
    std::vector<Receipt> all;
    for (const Body& body : std::vector<Body>{
             body::None{}, body::Bytes{}, body::Bytes{"null"}, body::Omitted{Omission::too_large},
             body::Omitted{Omission::streamed}, body::Omitted{Omission::secret}}) {
        for (const auto& reference :
             {std::optional<std::string>{}, std::optional<std::string>{""}}) {
            all.push_back(
                with_answer(receipt_number(3, scope_number(0)),
                            {.status = 200, .fields = {}, .body = body, .reference = reference}));
        }
    }
    return all;
}

}  // namespace counterfoil::testing
