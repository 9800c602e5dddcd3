#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <counterfoil/policy.hpp>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

// Any text is a book that is written and read back, or has faults, each with a place and a
// sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace counterfoil;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    constexpr ServiceBounds bounds{Span{1'000'000}, Span{1'000}};

    const auto book = parse_policy_book(text, bounds);
    if (book) {
        const auto written = to_json(*book);
        const auto read = parse_policy_book(written, bounds);
        require(read.has_value() && *read == *book && to_json(*read) == written);
        return 0;
    }
    require(!book.error().empty());
    for (const auto& fault : book.error()) {
        require(!fault.detail.empty());
        require(fault.pointer.empty() || fault.pointer.front() == '/');
        if (fault.kind == PolicyFaultKind::not_json) require(book.error().size() == 1);
    }
    return 0;
}
