#include <string>
#include <thread>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>

namespace counterfoil {
namespace {

// One fingerprinter a thread, all made from one map of secrets; for the thread sanitizer above all.
TEST(Fingerprinters, of_several_threads_agree) {
    const Secrets secrets{{"k", "a secret"}};
    const std::vector<SchemeName> names{
        {"exact-json"}, {"rfc8785"}, {"hmac-raw;secret=k"}, {"hmac-exact-json;omit=/b;secret=k"}};
    const std::string body = R"({"b":[1,2.5,"x"],"a":{"c":null}})";
    const auto work = [&](std::vector<Digest>& made) {
        Fingerprinter fingerprinter{secrets};
        for (int round = 0; round < 50; ++round) {
            for (const auto& name : names) {
                made.push_back(fingerprinter.fingerprint(name, intent::Json{body})->digest);
            }
            intent::Http http{"a", "POST", "/", {{"q", "1"}}, intent::Json{body}};
            made.push_back(fingerprinter.fingerprint(names.front(), http)->digest);
        }
    };

    std::vector<Digest> expected;
    work(expected);
    std::vector<std::vector<Digest>> made(4);
    std::vector<std::thread> threads;
    threads.reserve(made.size());
    for (auto& mine : made) threads.emplace_back([&work, &mine] { work(mine); });
    for (auto& thread : threads) thread.join();
    for (const auto& mine : made) EXPECT_EQ(mine, expected);
}

}  // namespace
}  // namespace counterfoil
