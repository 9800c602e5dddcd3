#include "counterfoil/member_sort.hpp"

#include <algorithm>
#include <compare>
#include <numeric>

namespace counterfoil::detail {

namespace {

// Up to this many are inserted one by one, whole names compared.
constexpr std::size_t most_inserted = 24;

// Up to this many words are compared; more are counted digit by digit.
constexpr std::size_t most_compared = 256;

// Words differ nearly always; only names that begin alike are looked at.
[[gnu::noinline]] std::strong_ordering compare_names(const Member& a, const Member& b) {
    return compare_beyond_first_word(a.name, b.name);
}

// Whether the order holds and the words alone tell it, which they do only for different names.
bool is_order(std::span<const std::size_t> order, std::span<const Member> members) {
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (members[order[i - 1]].word >= members[order[i]].word) return false;
    }
    return true;
}

// The word at a place in a name, zeros where the name has ended.
std::uint64_t word_at(std::string_view name, std::size_t at) {
    if (at >= name.size()) return 0;
    if (name.size() - at >= 8) return order_word(big_endian_word(name.data() + at));
    std::array<char, 8> filled{};
    std::copy(name.begin() + static_cast<std::ptrdiff_t>(at), name.end(), filled.begin());
    return order_word(big_endian_word(filled.data()));
}

void insert_each(auto first, auto last, const auto& before) {
    for (auto next = first; next != last; ++next) {
        const auto element = *next;
        auto to = next;
        for (; to != first && before(element, to[-1]); --to) *to = to[-1];
        *to = element;
    }
}

}  // namespace

MemberSorter::MemberSorter() {
    for (auto& order : kept_) std::iota(order.begin(), order.end(), std::size_t{0});
}

std::optional<std::size_t> MemberSorter::sort(std::span<const Member> members) {
    const std::size_t size = members.size();
    std::size_t* indexes = nullptr;
    if (size <= most_kept) {
        indexes = kept_[size].data();  // NOLINT(*-constant-array-index): checked above
        order_ = {indexes, size};
        if (is_order(order_, members)) return std::nullopt;
    } else {
        large_.shrink_to(0);
        for (std::size_t i = 0; i < size; ++i) large_.push(i);
        indexes = large_.data();
        order_ = {indexes, size};
    }
    sort_ranks(members);
    std::transform(ranks_.begin(), ranks_.end(), indexes, [](const Rank& r) { return r.index; });
    return repeated(members);
}

// The order is that of the names filled up with zeros, the shorter first where these are equal, and
// that of the text for equal names, so that the later one can be told. It is found a word at a
// time: runs of names with equal words are split by the next.
void MemberSorter::sort_ranks(std::span<const Member> members) {
    ranks_.shrink_to(0);
    for (std::size_t i = 0; i < members.size(); ++i) ranks_.push({members[i].word, i});
    runs_.shrink_to(0);
    if (members.size() <= most_inserted) {
        insert_each(ranks_.begin(), ranks_.end(), [members](const Rank& a, const Rank& b) {
            if (a.word != b.word) return a.word < b.word;
            return compare_names(members[a.index], members[b.index]) < 0;
        });
        return;
    }
    runs_.push({0, ranks_.size(), 0});
    while (runs_.size() != 0) {
        const Run run = runs_.back();
        runs_.pop();
        sort_by_word({ranks_.begin() + run.begin, ranks_.begin() + run.end});
        for (std::size_t begin = run.begin; begin != run.end;) {
            std::size_t end = begin + 1;
            while (end != run.end && ranks_[end].word == ranks_[begin].word) ++end;
            if (end - begin > 1) split({begin, end, run.depth + 1}, members);
            begin = end;
        }
    }
}

// Goes on with a run of names that have been equal so far.
void MemberSorter::split(Run run, std::span<const Member> members) {
    Rank* const first = ranks_.begin() + run.begin;
    Rank* const last = ranks_.begin() + run.end;
    const auto name = [members](const Rank& rank) { return members[rank.index].name; };
    if (run.end - run.begin <= most_inserted) {
        insert_each(first, last, [members](const Rank& a, const Rank& b) {
            return compare_names(members[a.index], members[b.index]) < 0;
        });
    } else if (std::all_of(first, last,
                           [&](const Rank& rank) { return name(rank).size() <= 8 * run.depth; })) {
        std::sort(first, last, [&](const Rank& a, const Rank& b) {
            if (name(a).size() != name(b).size()) return name(a).size() < name(b).size();
            return a.index < b.index;
        });
    } else {
        for (Rank& rank : std::span{first, last}) rank.word = word_at(name(rank), 8 * run.depth);
        runs_.push(run);
    }
}

void MemberSorter::sort_by_word(std::span<Rank> ranks) {
    if (ranks.size() > most_compared) {
        sort_by_digits(ranks);
        return;
    }
    std::sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) {
        return a.word != b.word ? a.word < b.word : a.index < b.index;
    });
}

// From the last byte of the words to the first, passing over those that are the same in all.
void MemberSorter::sort_by_digits(std::span<Rank> ranks) {
    std::uint64_t differing = 0;
    for (const Rank& rank : ranks) differing |= rank.word ^ ranks.front().word;
    spare_.shrink_to(0);
    for (const Rank& rank : ranks) spare_.push(rank);
    std::span<Rank> from = ranks;
    std::span<Rank> to{spare_.begin(), spare_.end()};
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (((differing >> shift) & 0xFFU) == 0) continue;
        std::array<std::size_t, 257> begins{};
        for (const Rank& rank : from) ++begins.at(((rank.word >> shift) & 0xFFU) + 1);
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        for (const Rank& rank : from) to[begins.at((rank.word >> shift) & 0xFFU)++] = rank;
        std::swap(from, to);
    }
    if (from.data() != ranks.data()) std::copy(from.begin(), from.end(), ranks.begin());
}

std::optional<std::size_t> MemberSorter::repeated(std::span<const Member> members) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 1; i < order_.size(); ++i) {
        const Member& earlier = members[order_[i - 1]];
        const Member& later = members[order_[i]];
        if (earlier.word != later.word || compare_names(earlier, later) != 0) continue;
        first = std::min(first.value_or(later.quote), later.quote);
    }
    return first;
}

void MemberSorter::release(std::size_t retained_bytes) noexcept {
    large_.release(retained_bytes);
    ranks_.release(retained_bytes);
    spare_.release(retained_bytes);
    runs_.release(retained_bytes);
}

}  // namespace counterfoil::detail
