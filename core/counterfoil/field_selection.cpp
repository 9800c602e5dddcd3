#include "counterfoil/field_selection.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "counterfoil/utf8.hpp"

namespace counterfoil {

namespace {

struct Fault {
    PointerFault fault;
    std::size_t at;
};

std::optional<Fault> fault_of(std::string_view pointer) {
    if (!pointer.empty() && pointer.front() != '/') return Fault{PointerFault::missing_slash, 0};
    const char* const end = pointer.data() + pointer.size();
    for (std::size_t at = 0; at < pointer.size();) {
        if (pointer[at] == '~') {
            const char escaped = at + 1 < pointer.size() ? pointer[at + 1] : '\0';
            if (escaped != '0' && escaped != '1') return Fault{PointerFault::bad_escape, at};
        }
        const std::size_t size = detail::utf8_sequence(pointer.data() + at, end);
        if (size == 0) return Fault{PointerFault::invalid_utf8, at};
        at += size;
    }
    return std::nullopt;
}

std::string unescaped(std::string_view token) {
    std::string plain;
    for (std::size_t at = 0; at < token.size(); ++at) {
        if (token[at] == '~') {
            ++at;
            plain += token[at] == '0' ? '~' : '/';
        } else {
            plain += token[at];
        }
    }
    return plain;
}

using Tree = std::vector<FieldSelection::Node>;

// The node below `from` for one token as written, made if it isn't there.
std::uint32_t step(Tree& tree, std::uint32_t from, std::string_view token) {
    const auto made = static_cast<std::uint32_t>(tree.size());
    if (token == "*") {
        if (tree[from].any == 0) {
            tree[from].any = made;
            tree.emplace_back();
        }
        return tree[from].any;
    }
    std::string plain = unescaped(token);
    auto& edges = tree[from].edges;
    const auto edge =
        std::lower_bound(edges.begin(), edges.end(), plain,
                         [](const auto& a, const std::string& b) { return a.token < b; });
    if (edge != edges.end() && edge->token == plain) return edge->node;
    edges.insert(edge, FieldSelection::Edge{std::move(plain), made});
    tree.emplace_back();
    return made;
}

void add(Tree& tree, std::string_view pointer) {
    std::uint32_t node = 0;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t size = std::min(pointer.find('/'), pointer.size());
        node = step(tree, node, pointer.substr(0, size));
        pointer.remove_prefix(size);
    }
    tree[node].ends = true;
}

}  // namespace

Result<FieldSelection, PointerError> FieldSelection::only(std::span<const std::string> pointers) {
    if (pointers.empty()) return PointerError{0, PointerFault::selects_nothing, 0};
    return compile(Kind::only, pointers);
}

Result<FieldSelection, PointerError> FieldSelection::omit(std::span<const std::string> pointers) {
    if (pointers.empty()) return FieldSelection{};
    return compile(Kind::omit, pointers);
}

Result<FieldSelection, PointerError> FieldSelection::compile(
    Kind kind, std::span<const std::string> pointers) {
    FieldSelection selection;
    selection.kind_ = kind;
    selection.tree_.emplace_back();
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        if (const auto fault = fault_of(pointers[i])) {
            return PointerError{i, fault->fault, fault->at};
        }
        if (kind == Kind::omit && pointers[i].empty()) {
            return PointerError{i, PointerFault::selects_nothing, 0};
        }
        add(selection.tree_, pointers[i]);
    }
    selection.pointers_.assign(pointers.begin(), pointers.end());
    std::sort(selection.pointers_.begin(), selection.pointers_.end());
    selection.pointers_.erase(std::unique(selection.pointers_.begin(), selection.pointers_.end()),
                              selection.pointers_.end());
    return selection;
}

}  // namespace counterfoil
