#include "counterfoil/field_matcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace counterfoil::detail {

void FieldMatcher::start(const FieldSelection& selection) {
    selection_ = &selection;
    active_.shrink_to(0);
    active_.push(0);
    levels_.shrink_to(0);
    levels_.push({});
    levels_.back().matching = true;
    settle(levels_.back());
}

void FieldMatcher::member(std::string_view name, Mark mark) {
    Level& level = levels_.back();
    if (!level.matching) return;
    level.mark = mark;
    step(name);
    settle(level);
}

void FieldMatcher::element(Mark mark) {
    Level& level = levels_.back();
    if (!level.matching) return;
    level.mark = mark;
    std::array<char, 24> index{};
    const auto written = std::to_chars(index.data(), index.data() + index.size(), level.elements++);
    step({index.data(), static_cast<std::size_t>(written.ptr - index.data())});
    settle(level);
}

void FieldMatcher::open() {
    const Level& outer = levels_.back();
    Level level;
    level.active_begin = outer.active_end;
    level.active_end = active_.size();
    level.matching = outer.value_matching;
    levels_.push(level);
}

void FieldMatcher::close() {
    const bool selected_inside = levels_.back().matching && levels_.back().any_kept;
    levels_.pop();
    if (selected_inside) levels_.back().value_kept = true;
}

std::optional<FieldMatcher::Mark> FieldMatcher::leave() {
    Level& level = levels_.back();
    active_.shrink_to(level.active_end);
    if (!level.value_kept) return level.mark;
    level.any_kept = true;
    return std::nullopt;
}

void FieldMatcher::release(std::size_t retained_bytes) {
    levels_.release(retained_bytes);
    active_.release(retained_bytes);
}

// Goes down one token in the tree, from every node of the container at once.
void FieldMatcher::step(std::string_view token) {
    const auto& tree = selection_->tree();
    const Level& level = levels_.back();
    for (std::size_t i = level.active_begin; i < level.active_end; ++i) {
        const FieldSelection::Node& node = tree[active_[i]];
        if (node.any != 0) active_.push(node.any);
        const auto edge = std::lower_bound(
            node.edges.begin(), node.edges.end(), token,
            [](const FieldSelection::Edge& a, std::string_view b) { return a.token < b; });
        if (edge != node.edges.end() && edge->token == token) active_.push(edge->node);
    }
}

void FieldMatcher::settle(Level& level) {
    const auto& tree = selection_->tree();
    std::uint32_t* const value = active_.begin() + level.active_end;
    const bool named =
        std::any_of(value, active_.end(), [&tree](std::uint32_t node) { return tree[node].ends; });
    const bool omit = selection_->kind() == FieldSelection::Kind::omit;
    // Under `only`, a container with a selected value in it is kept after all when it is closed.
    level.value_kept = named != omit;
    level.value_matching = !named && value != active_.end();
}

}  // namespace counterfoil::detail
