#include "generators/schemes.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <counterfoil/words.hpp>

namespace counterfoil {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

std::ostream& operator<<(std::ostream& out, Form form) {
    switch (form) {
        case Form::exact_json: return out << "exact-json";
        case Form::rfc8785: return out << "rfc8785";
        case Form::raw: return out << "raw";
    }
    return out << '?';
}

std::ostream& operator<<(std::ostream& out, const SchemeName& name) {
    return out << gen::visible(name.text);
}

std::ostream& operator<<(std::ostream& out, const Scheme& scheme) {
    return out << name_of(scheme);
}

std::ostream& operator<<(std::ostream& out, SchemeFault fault) {
    return out << word(fault);
}

std::ostream& operator<<(std::ostream& out, const SchemeError& error) {
    return out << error.fault << " at " << error.at;
}

namespace gen {
namespace {

rc::Gen<std::string> one_of(std::vector<std::string> texts) {
    return rc::gen::elementOf(std::move(texts));
}

rc::Gen<std::string> pointer() {
    return one_of({"/a", "/b", "/a/b", "/*", "/*/id", "/a/0", "/~0", "/a~1b", "/,", "/;",
                   "/=", "/%", "/%2C", "/ ", "/\xC3\xA9", "/", "/\n"});
}

rc::Gen<FieldSelection> selection() {
    return rc::gen::exec([] {
        const auto pointers = *rc::gen::container<std::vector<std::string>>(pointer());
        const auto way = *rc::gen::inRange(0, 3);
        if (way == 0 || pointers.empty()) return FieldSelection{};
        auto made = way == 1 ? FieldSelection::only(pointers) : FieldSelection::omit(pointers);
        return *std::move(made);
    });
}

}  // namespace

std::string visible(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        if (c >= ' ' && c <= '~') {
            text += c;
            continue;
        }
        const auto byte = static_cast<std::uint8_t>(c);
        text += "\\x";
        text += hex_digits[byte >> 4U];
        text += hex_digits[byte & 15U];
    }
    return text;
}

rc::Gen<Scheme> scheme() {
    return rc::gen::exec([] {
        Scheme made;
        made.form = *rc::gen::element(Form::exact_json, Form::rfc8785, Form::raw);
        if (made.form != Form::raw) made.fields = *selection();
        if (*rc::gen::arbitrary<bool>()) {
            made.secret = *one_of({"k", "2026-q4", "a;b", "a,b=c%", "\xC3\xA9", "secret=", " "});
        }
        return made;
    });
}

rc::Gen<std::string> almost_scheme_name() {
    return rc::gen::exec([] {
        auto text = name_of(*scheme()).text;
        const auto changes = *rc::gen::inRange(0, 3);
        for (int i = 0; i < changes && !text.empty(); ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
            const auto byte =
                *rc::gen::oneOf(rc::gen::elementOf(std::string{";,=%/~*-a0AFG \x7F\x80"}),
                                rc::gen::arbitrary<char>());
            switch (*rc::gen::inRange(0, 4)) {
                case 0: text[at] = byte; break;
                case 1: text.insert(at, 1, byte); break;
                case 2: text.erase(at, 1); break;
                default: text += text.substr(at); break;
            }
        }
        return text;
    });
}

}  // namespace gen
}  // namespace counterfoil
