// error: (is private|private constructor|calling a private)
// A name is made by its parser and nothing else.
#include <string>

#include <counterfoil/names.hpp>

std::size_t length() {
#ifdef OFFENDING
    const counterfoil::Key key{std::string{"not looked at"}};
#else
    const counterfoil::Key key = counterfoil::parse_key("looked-at").value();
#endif
    return key.text().size();
}
