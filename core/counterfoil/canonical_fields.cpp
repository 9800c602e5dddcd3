#include "counterfoil/canonical_fields.hpp"

#include <algorithm>
#include <utility>

namespace counterfoil::detail {
namespace {

bool by_pointer(const CanonicalField& one, const CanonicalField& other) {
    return one.pointer < other.pointer;
}

/// Goes over the text once, with the pointer of the value at hand.
class Cutter {
public:
    Cutter(std::string_view text, std::size_t depth, std::size_t max_fields)
        : text_(text), depth_(depth), max_fields_(max_fields) {}

    CanonicalFields cut() {
        if (text_.empty()) return {};
        do {
            while (open_.size() < depth_ && opens_with_content()) enter();
            const auto begin = at_;
            skip_value();
            take(text_.substr(begin, at_ - begin));
        } while (go_to_next_value());
        std::sort_heap(taken_.first.begin(), taken_.first.end(), by_pointer);
        return std::move(taken_);
    }

private:
    struct Container {
        std::size_t pointer_size;  // of the container's own pointer
        std::size_t index;         // of the element at hand
        bool is_array;
    };

    [[nodiscard]] bool opens_with_content() const {
        return (text_[at_] == '{' && text_[at_ + 1] != '}') ||
               (text_[at_] == '[' && text_[at_ + 1] != ']');
    }

    void enter() {
        open_.push_back({pointer_.size(), 0, text_[at_] == '['});
        ++at_;
        go_to_value();
    }

    /// Behind a value: closes what ends here, and goes to the value that follows, if one does.
    bool go_to_next_value() {
        while (!open_.empty() && text_[at_] != ',') {
            pointer_.resize(open_.back().pointer_size);
            open_.pop_back();
            ++at_;
        }
        if (open_.empty()) return false;
        ++at_;
        ++open_.back().index;
        go_to_value();
        return true;
    }

    void go_to_value() {
        const auto& container = open_.back();
        pointer_.resize(container.pointer_size);
        pointer_ += '/';
        if (container.is_array) {
            pointer_ += std::to_string(container.index);
            return;
        }
        for (++at_; text_[at_] != '"'; ++at_) append_to_pointer(name_byte());
        at_ += 2;  // the quote and the colon
    }

    /// The byte of a name that is written at the cursor; an escape is left at its last byte.
    char name_byte() {
        if (text_[at_] != '\\') return text_[at_];
        switch (text_[++at_]) {
            case 'b': return '\b';
            case 't': return '\t';
            case 'n': return '\n';
            case 'f': return '\f';
            case 'r': return '\r';
            case 'u': break;
            default: return text_[at_];
        }
        constexpr std::string_view digits = "0123456789abcdef";
        at_ += 4;  // canonical text has no other escapes of this kind than \u00xx
        return static_cast<char>(digits.find(text_[at_ - 1]) * 16 + digits.find(text_[at_]));
    }

    void append_to_pointer(char byte) {
        switch (byte) {
            case '~': pointer_ += "~0"; break;
            case '/': pointer_ += "~1"; break;
            default: pointer_ += byte; break;
        }
    }

    void skip_value() {
        std::size_t level = 0;
        do {
            switch (text_[at_]) {
                case '"': skip_string(); break;
                case '{':
                case '[':
                    ++level;
                    ++at_;
                    break;
                case '}':
                case ']':
                    --level;
                    ++at_;
                    break;
                case ',':
                case ':': ++at_; break;
                default: at_ = std::min(text_.find_first_of(",]}", at_), text_.size()); break;
            }
        } while (level > 0);
    }

    void skip_string() {
        for (++at_; text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\') ++at_;
        }
        ++at_;
    }

    /// Keeps the field at hand if it is among the first so far: the last of those is on top of a
    /// heap, so that a document of many fields costs no more memory than one of max_fields.
    void take(std::string_view value) {
        auto& first = taken_.first;
        if (first.size() < max_fields_) {
            first.push_back({pointer_, value});
            std::push_heap(first.begin(), first.end(), by_pointer);
            return;
        }
        ++taken_.left_out;
        if (first.empty() || pointer_ >= first.front().pointer) return;
        std::pop_heap(first.begin(), first.end(), by_pointer);
        first.back().pointer = pointer_;
        first.back().value = value;
        std::push_heap(first.begin(), first.end(), by_pointer);
    }

    std::string_view text_;
    std::size_t depth_;
    std::size_t max_fields_;
    std::size_t at_{};
    std::string pointer_;
    std::vector<Container> open_;
    CanonicalFields taken_;
};

}  // namespace

CanonicalFields canonical_fields(std::string_view canonical, std::size_t depth,
                                 std::size_t max_fields) {
    return Cutter{canonical, depth, max_fields}.cut();
}

}  // namespace counterfoil::detail
