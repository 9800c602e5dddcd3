#include "sqlite/respeller.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace counterfoil::kit {

namespace {

/// A value of a document; what has no parts is kept as its text.
struct Node {
    enum class Kind { scalar, array, object };

    Kind kind{Kind::scalar};
    std::string token{};
    std::vector<std::pair<std::string, Node>> parts{};  // names are empty in arrays
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_{text} {}

    Node value() {
        skip_space();
        switch (text_[at_]) {
            case '{': return compound(Node::Kind::object, '}');
            case '[': return compound(Node::Kind::array, ']');
            default: return {Node::Kind::scalar, token(), {}};
        }
    }

private:
    void skip_space() { at_ = text_.find_first_not_of(" \t\r\n", at_); }

    std::string token() {
        const std::size_t start = at_;
        if (text_[at_] == '"') {
            for (++at_; text_[at_] != '"'; ++at_) {
                if (text_[at_] == '\\') ++at_;
            }
            ++at_;
        } else {
            at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        }
        return std::string{text_.substr(start, at_ - start)};
    }

    Node compound(Node::Kind kind, char end) {
        Node node{kind, {}, {}};
        ++at_;
        for (skip_space(); text_[at_] != end; skip_space()) {
            std::string name;
            if (kind == Node::Kind::object) {
                name = token();
                skip_space();
                ++at_;  // the colon
            }
            Node part = value();
            node.parts.emplace_back(std::move(name), std::move(part));
            skip_space();
            if (text_[at_] == ',') ++at_;
            skip_space();
        }
        ++at_;
        return node;
    }

    std::string_view text_;
    std::size_t at_{};
};

bool is_plain_integer(std::string_view token) {
    return token.find_first_not_of("-0123456789") == std::string_view::npos;
}

class Writer {
public:
    explicit Writer(std::mt19937_64* random) : random_{random} {}

    std::string write(Node& node) {
        text_.clear();
        value(node);
        return std::move(text_);
    }

private:
    std::uint64_t draw(std::uint64_t sides) {
        return random_ != nullptr ? (*random_)() % sides : 1;
    }

    void space() {
        static constexpr std::array<std::string_view, 4> spaces{" ", "\n", "\t", "\r\n  "};
        if (draw(3) == 0) text_ += spaces.at(draw(spaces.size()));
    }

    void value(Node& node) {
        space();
        if (node.kind == Node::Kind::scalar) {
            scalar(node.token);
        } else {
            compound(node);
        }
        space();
    }

    void compound(Node& node) {
        const bool object = node.kind == Node::Kind::object;
        if (object && random_ != nullptr) {
            std::shuffle(node.parts.begin(), node.parts.end(), *random_);
        }
        text_ += object ? '{' : '[';
        bool first = true;
        for (auto& [name, part] : node.parts) {
            if (!std::exchange(first, false)) text_ += ',';
            if (object) {
                space();
                scalar(name);
                space();
                text_ += ':';
            }
            value(part);
        }
        if (node.parts.empty()) space();
        text_ += object ? '}' : ']';
    }

    void scalar(std::string_view token) {
        if (token.front() == '"') {
            string(token);
            return;
        }
        text_ += token;
        if (!is_plain_integer(token)) return;
        const std::uint64_t spelling = draw(4);
        if (spelling == 0) text_ += ".0";
        if (spelling == 2) text_ += "e0";
    }

    void string(std::string_view token) {
        for (std::size_t at = 0; at < token.size(); ++at) {
            const char byte = token[at];
            if (byte == '\\') {
                text_ += token.substr(at++, 2);
            } else if (byte != '"' && byte >= ' ' && byte <= '~' && draw(8) == 0) {
                std::array<char, 7> escape{};
                std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(byte));
                text_ += escape.data();
            } else {
                text_ += byte;
            }
        }
    }

    std::mt19937_64* random_;
    std::string text_;
};

void collect_leaves(Node& node, std::vector<Node*>& leaves) {
    if (node.parts.empty()) leaves.push_back(&node);
    for (auto& [name, part] : node.parts) collect_leaves(part, leaves);
}

void change(Node& leaf) {
    if (leaf.kind != Node::Kind::scalar) {
        leaf = {Node::Kind::scalar, "0", {}};
    } else if (leaf.token.front() == '"') {
        leaf.token.insert(leaf.token.size() - 1, "x");
    } else if (leaf.token == "true") {
        leaf.token = "false";
    } else if (leaf.token == "false" || leaf.token == "null") {
        leaf.token = "true";
    } else {
        // One digit more in front, behind the sign if there is one.
        leaf.token.insert(leaf.token.front() == '-' ? 1 : 0, "1");
        if (leaf.token == "10") leaf.token = "7";
    }
}

}  // namespace

std::string respelt(std::string_view json, std::mt19937_64& random) {
    Node document = Reader{json}.value();
    return Writer{&random}.write(document);
}

std::string changed_in_a_leaf(std::string_view json, std::mt19937_64& random) {
    Node document = Reader{json}.value();
    std::vector<Node*> leaves;
    collect_leaves(document, leaves);
    change(*leaves.at(random() % leaves.size()));
    return Writer{nullptr}.write(document);
}

}  // namespace counterfoil::kit
