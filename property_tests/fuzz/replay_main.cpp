// Gives each file of the folders named to a fuzz target, once: how a compiler without libFuzzer,
// and every test run, keeps what fuzzing found.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& file : std::filesystem::directory_iterator{argv[i]}) {
            std::ifstream in{file.path(), std::ios::binary};
            const std::vector<char> text{std::istreambuf_iterator<char>{in}, {}};
            std::cout << file.path().filename().string() << std::endl;
            // A copy of just this size, so that a sanitizer sees every read behind it.
            const std::vector<std::uint8_t> bytes(text.begin(), text.end());
            LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
            ++count;
        }
    }
    std::cout << count << " inputs\n";
    return count == 0 ? 1 : 0;
}
