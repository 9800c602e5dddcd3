// es6_numbers COUNT: bytes and SHA-256 of the first COUNT lines of the ES6 number sequence, to be
// compared with jcs/numbers/es6-checksums.tsv. Fails if that file knows the count and says
// otherwise.

#include <cstdint>
#include <iostream>
#include <string>

#include "es6_numbers.hpp"
#include "vector_files.hpp"

int main(int argc, char** argv) {
    using namespace counterfoil::vectors;
    if (argc != 2) {
        std::cerr << "usage: es6_numbers COUNT\n";
        return 2;
    }
    const Es6Checksum checksum = es6_checksum(std::stoull(argv[1]));
    const std::string digest = to_hex(checksum.digest);
    std::cout << argv[1] << '\t' << checksum.bytes << '\t' << digest << '\n';
    for (const auto& row : read_tsv("jcs/numbers/es6-checksums.tsv")) {
        if (row[0] != argv[1]) continue;
        const bool same = row[1] == std::to_string(checksum.bytes) && row[2] == digest;
        std::cout << (same ? "as published\n" : "not as published\n");
        return same ? 0 : 1;
    }
    return 0;
}
