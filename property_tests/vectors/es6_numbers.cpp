#include "es6_numbers.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>
#include <counterfoil/canonical_json.hpp>

#include "vector_files.hpp"

namespace counterfoil::vectors {

namespace {

// The bit patterns of the sequence, one after the other.
class Es6Patterns {
public:
    Es6Patterns() {
        std::istringstream lines{read_vector("jcs/numbers/es6-static-u64.txt")};
        for (std::string line; std::getline(lines, line);) {
            fixed_.push_back(std::stoull(line, nullptr, 16));
        }
        for (std::uint64_t i = 0; i < 2'000; ++i) fixed_.push_back(0x0010'0000'0000'0000 + i);
    }

    std::uint64_t next() {
        if (next_fixed_ < fixed_.size()) return fixed_[next_fixed_++];
        while (true) {
            const std::uint64_t pattern = next_random();
            const auto value = std::bit_cast<double>(pattern);
            if (std::isfinite(value) && value != 0) return pattern;
        }
    }

private:
    std::uint64_t next_random() {
        if (used_ == block_.bytes.size()) {
            hash_.update({reinterpret_cast<const char*>(block_.bytes.data()), block_.bytes.size()});
            block_ = hash_.finish();
            used_ = 0;
        }
        std::uint64_t pattern = 0;
        for (unsigned i = 0; i < 8; ++i) {
            pattern |= std::uint64_t{block_.bytes.at(used_++)} << (8 * i);
        }
        return pattern;
    }

    std::vector<std::uint64_t> fixed_;
    std::size_t next_fixed_ = 0;
    Sha256 hash_;
    Digest block_{};
    std::size_t used_ = 32;
};

template <class Use>
void each_line(std::uint64_t count, Use use) {
    Es6Patterns patterns;
    Canonicalizer json{Numbers::ieee754};
    std::array<char, 64> line{};
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t pattern = patterns.next();
        char* end = std::to_chars(line.data(), line.data() + line.size(), pattern, 16).ptr;
        *end++ = ',';
        const boost::json::value number(std::bit_cast<double>(pattern));
        const std::string_view text = json.canonicalize(number).value();
        end = std::copy(text.begin(), text.end(), end);
        *end++ = '\n';
        use(std::string_view{line.data(), static_cast<std::size_t>(end - line.data())});
    }
}

}  // namespace

std::string es6_lines(std::uint64_t count) {
    std::string lines;
    each_line(count, [&lines](std::string_view line) { lines += line; });
    return lines;
}

Es6Checksum es6_checksum(std::uint64_t count) {
    Es6Checksum checksum;
    Sha256 hash;
    each_line(count, [&](std::string_view line) {
        checksum.bytes += line.size();
        hash.update(line);
    });
    checksum.digest = hash.finish();
    return checksum;
}

}  // namespace counterfoil::vectors
