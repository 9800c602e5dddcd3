#include "counterfoil/canonical_json.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "counterfoil/json_reader.hpp"
#include "counterfoil/value_text.hpp"

namespace counterfoil {

struct Canonicalizer::State {
    detail::ReadOptions options;
    detail::Workspace space{};
    std::string value_text{};  // a value written out, to be read as any text
};

namespace {

// Gathers small pieces, so that the hash isn't called for each.
template <class Hash>
class Gatherer {
public:
    explicit Gatherer(Hash& hash) : hash_(hash) {}

    void operator()(const char* piece, std::size_t size) {
        if (size > held_.size() - used_) flush();
        if (size > held_.size()) {
            hash_.update({piece, size});
            return;
        }
        std::memcpy(held_.data() + used_, piece, size);
        used_ += size;
    }

    void flush() {
        hash_.update({held_.data(), used_});
        used_ = 0;
    }

private:
    Hash& hash_;
    std::array<char, 2'048> held_{};
    std::size_t used_ = 0;
};

template <class Hash>
void hash_text(detail::Workspace& space, Hash& hash) {
    if (space.large.objects() == 0) {
        hash.update({space.text.data(), space.size});
        return;
    }
    Gatherer<Hash> gatherer{hash};
    space.large.visit(space.text.data(), space.size,
                      [&gatherer](const char* piece, std::size_t size) { gatherer(piece, size); });
    gatherer.flush();
}

// The text in one place: as it was written, or put together anew if large objects are out of order.
std::string_view whole_text(detail::Workspace& space) {
    if (space.large.objects() == 0) return {space.text.data(), space.size};
    space.scratch.reserve(space.size);
    char* out = space.scratch.data();
    space.large.visit(space.text.data(), space.size, [&out](const char* piece, std::size_t size) {
        std::memcpy(out, piece, size);
        out += size;
    });
    return {space.scratch.data(), static_cast<std::size_t>(out - space.scratch.data())};
}

template <class State>
Result<std::string_view, JsonError> canonical_text(State& state, std::string_view text,
                                                   const FieldSelection& selection) {
    // The last text may still have been in use until now.
    state.space.text.release(Canonicalizer::retained_bytes);
    state.space.scratch.release(Canonicalizer::retained_bytes);
    const auto error = detail::read_json(text, selection, state.options, state.space);
    if (error) return *error;
    const std::string_view whole = whole_text(state.space);
    state.space.release(Canonicalizer::retained_bytes);
    return whole;
}

template <class State, class Hash>
Result<Digest, JsonError> digest_of(State& state, std::string_view text,
                                    const FieldSelection& selection, Hash& hash) {
    const auto error = detail::read_json(text, selection, state.options, state.space);
    if (!error) hash_text(state.space, hash);
    state.space.text.release(Canonicalizer::retained_bytes);
    state.space.scratch.release(Canonicalizer::retained_bytes);
    state.space.release(Canonicalizer::retained_bytes);
    if (error) return *error;
    return hash.finish();
}

// Writes the value out and gives the text to `read`, whose errors lose their place.
template <class State, class Read>
auto with_value_text(State& state, const boost::json::value& value, Read read)
    -> decltype(read(std::string_view{})) {
    std::string& text = state.value_text;
    text.clear();
    if (const auto fault = detail::write_value(value, state.options.max_depth, text)) {
        return JsonError{*fault, 0};
    }
    auto result = read(std::string_view{text});
    if (text.capacity() > Canonicalizer::retained_bytes) std::string{}.swap(text);
    if (!result) return JsonError{result.error().fault, 0};
    return result;
}

}  // namespace

Canonicalizer::Canonicalizer(Numbers numbers, std::size_t max_depth, detail::Blocks blocks)
    : state_(std::make_unique<State>(State{{numbers, max_depth, blocks}})) {}

Canonicalizer::~Canonicalizer() = default;
Canonicalizer::Canonicalizer(Canonicalizer&&) noexcept = default;
Canonicalizer& Canonicalizer::operator=(Canonicalizer&&) noexcept = default;

void Canonicalizer::set_max_depth(std::size_t max_depth) noexcept {
    state_->options.max_depth = max_depth;
}

Result<std::string_view, JsonError> Canonicalizer::canonicalize(std::string_view text,
                                                                const FieldSelection& selection) {
    return canonical_text(*state_, text, selection);
}

Result<Digest, JsonError> Canonicalizer::digest(std::string_view text,
                                                const FieldSelection& selection, Sha256& hash) {
    return digest_of(*state_, text, selection, hash);
}

Result<Digest, JsonError> Canonicalizer::digest(std::string_view text,
                                                const FieldSelection& selection, HmacSha256& hash) {
    return digest_of(*state_, text, selection, hash);
}

Result<std::string_view, JsonError> Canonicalizer::canonicalize_value(
    const boost::json::value& value, const FieldSelection& selection) {
    return with_value_text(*state_, value, [&](std::string_view text) {
        return canonical_text(*state_, text, selection);
    });
}

Result<Digest, JsonError> Canonicalizer::digest_value(const boost::json::value& value,
                                                      const FieldSelection& selection,
                                                      Sha256& hash) {
    return with_value_text(*state_, value, [&](std::string_view text) {
        return digest_of(*state_, text, selection, hash);
    });
}

Result<Digest, JsonError> Canonicalizer::digest_value(const boost::json::value& value,
                                                      const FieldSelection& selection,
                                                      HmacSha256& hash) {
    return with_value_text(*state_, value, [&](std::string_view text) {
        return digest_of(*state_, text, selection, hash);
    });
}

}  // namespace counterfoil
