#include "counterfoil/http/routes.hpp"

#include <algorithm>
#include <array>

#include "counterfoil/http/request_intent.hpp"

namespace counterfoil::http {

namespace {

/// Takes a path's first segment off its front, with the slash before it.
std::string_view next_segment(std::string_view& path) {
    path.remove_prefix(1);
    const auto segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

bool is_placeholder(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

bool matches_path(std::string_view pattern, std::string_view path) {
    while (!pattern.empty()) {
        if (pattern == "/**") return true;
        if (path.empty() || path.front() != '/') return false;
        const auto wanted = next_segment(pattern);
        const auto segment = next_segment(path);
        if (is_placeholder(wanted) ? segment.empty() : wanted != segment) return false;
    }
    return path.empty();
}

}  // namespace

bool is_idempotent(std::string_view method) {
    constexpr std::array<std::string_view, 6> methods{"GET",   "HEAD", "OPTIONS",
                                                      "TRACE", "PUT",  "DELETE"};
    return std::find(methods.begin(), methods.end(), method) != methods.end();
}

bool matches(const Route& route, std::string_view method, std::string_view path) {
    const bool of_the_method = route.method ? *route.method == method : !is_idempotent(method);
    return of_the_method && matches_path(route.path, normalized(path));
}

}  // namespace counterfoil::http
