// What a fingerprint costs, beside the plain SHA-256 of the same bytes in the same process.
//
// Names are `group/body/subject`: group is `fingerprint`, `payload`, `hostile` or `threads`; the
// subject `sha256` is the baseline. The counter `ratio` is the subject's time over the baseline's,
// both taken in turn, the best of some rounds each; it bears a busy machine better than two
// benchmarks far apart.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <counterfoil/sha256.hpp>
#include <openssl/evp.h>

#include "hostile_texts.hpp"

namespace counterfoil::bench {
namespace {

// Something that turns a body into a digest. Each thread makes its own.
using Subject = std::function<Digest(std::string_view)>;
using MakeSubject = std::function<Subject()>;

Digest checked(const Result<Digest, JsonError>& digest) {
    if (!digest) std::abort();
    return *digest;
}

Subject plain_sha256() {
    return [hash = std::make_shared<Sha256>()](std::string_view body) {
        hash->update(body);
        return hash->finish();
    };
}

Subject plain_hmac() {
    return [hash = std::make_shared<HmacSha256>("a secret of some length")](std::string_view body) {
        hash->update(body);
        return hash->finish();
    };
}

MakeSubject canonical(Numbers numbers, detail::Blocks blocks) {
    return [numbers, blocks] {
        auto json =
            std::make_shared<Canonicalizer>(numbers, Canonicalizer::default_max_depth, blocks);
        return [json, hash = std::make_shared<Sha256>()](std::string_view body) {
            return checked(json->digest(body, {}, *hash));
        };
    };
}

Subject canonical_hmac() {
    return [json = std::make_shared<Canonicalizer>(),
            hash = std::make_shared<HmacSha256>("a secret of some length")](std::string_view body) {
        return checked(json->digest(body, {}, *hash));
    };
}

Subject canonical_with_selection() {
    const std::vector<std::string> pointers{"/note", "/description", "/items/*/gift"};
    return [json = std::make_shared<Canonicalizer>(), hash = std::make_shared<Sha256>(),
            selection = FieldSelection::omit(pointers).value()](std::string_view body) {
        return checked(json->digest(body, selection, *hash));
    };
}

// What is written when there is no time to: parse, sort, serialize, hash. Its numbers are wrong.
void sort_members(boost::json::value& value) {
    if (auto* array = value.if_array()) {
        for (auto& element : *array) sort_members(element);
    } else if (auto* object = value.if_object()) {
        std::vector<boost::json::key_value_pair*> members;
        for (auto& member : *object) members.push_back(&member);
        std::sort(members.begin(), members.end(),
                  [](const auto* a, const auto* b) { return a->key() < b->key(); });
        boost::json::object sorted;
        for (auto* member : members) {
            sort_members(member->value());
            sorted.emplace(member->key(), std::move(member->value()));
        }
        *object = std::move(sorted);
    }
}

Subject boost_dom() {
    return [](std::string_view body) {
        boost::json::value value = boost::json::parse({body.data(), body.size()});
        sort_members(value);
        const std::string text = boost::json::serialize(value);
        Digest digest;
        EVP_Digest(text.data(), text.size(), digest.bytes.data(), nullptr, EVP_sha256(), nullptr);
        return digest;
    };
}

double seconds(const Subject& subject, std::string_view body, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) benchmark::DoNotOptimize(subject(body));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double ratio_to_sha256(const Subject& subject, std::string_view body) {
    const Subject baseline = plain_sha256();
    constexpr int rounds = 25;
    const int times = static_cast<int>(std::clamp<std::size_t>(500'000 / body.size(), 1, 1'000));
    double best = std::numeric_limits<double>::max();
    double best_baseline = best;
    for (int round = 0; round < rounds; ++round) {
        best_baseline = std::min(best_baseline, seconds(baseline, body, times));
        best = std::min(best, seconds(subject, body, times));
    }
    return best / best_baseline;
}

void measure(benchmark::State& state, const std::string& body, const MakeSubject& make) {
    const Subject subject = make();
    for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(subject(body));
    state.SetBytesProcessed(static_cast<std::int64_t>(body.size()) * state.iterations());
    if (state.threads() == 1) state.counters["ratio"] = ratio_to_sha256(subject, body);
}

benchmark::internal::Benchmark* add(const std::string& name, const std::string& body,
                                    const MakeSubject& make) {
    return benchmark::RegisterBenchmark(
        name.c_str(), [body, make](benchmark::State& state) { measure(state, body, make); });
}

std::string read(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) std::abort();
    return {std::istreambuf_iterator<char>{in}, {}};
}

void add_all() {
    using detail::Blocks;
    const MakeSubject exact = canonical(Numbers::exact, Blocks::fastest);
    const std::filesystem::path bodies{COUNTERFOIL_BENCH_BODIES};
    for (const std::string name : {"payment_315B", "order_954B", "order_16KiB"}) {
        const std::string body = read(bodies / (name + ".json"));
        const std::string group = "fingerprint/" + name + '/';
        add(group + "sha256", body, plain_sha256);
        add(group + "exact_json", body, exact);
        add(group + "exact_json_portable", body, canonical(Numbers::exact, Blocks::portable));
        add(group + "exact_json_selection", body, canonical_with_selection);
        add(group + "rfc8785", body, canonical(Numbers::ieee754, Blocks::fastest));
        add(group + "hmac_sha256", body, plain_hmac);
        add(group + "hmac_exact_json", body, canonical_hmac);
        add(group + "boost_dom", body, boost_dom);
        for (const int threads : {1, 2}) {
            add("threads/" + name + "/exact_json", body, exact)->Threads(threads)->UseRealTime();
        }
    }

    const std::filesystem::path payloads{COUNTERFOIL_TEST_PAYLOADS};
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator{payloads}) {
        if (file.path().extension() == ".json") files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        const std::string group = "payload/" + file.stem().string() + '/';
        const std::string body = read(file);
        add(group + "sha256", body, plain_sha256);
        add(group + "exact_json", body, exact);
        add(group + "boost_dom", body, boost_dom);
    }

    for (const HostileText& hostile : hostile_texts()) {
        add("hostile/" + hostile.name + "/sha256", hostile.text, plain_sha256);
        add("hostile/" + hostile.name + "/exact_json", hostile.text, exact);
        add("hostile/" + hostile.name + "/rfc8785", hostile.text,
            canonical(Numbers::ieee754, Blocks::fastest));
    }
}

}  // namespace
}  // namespace counterfoil::bench

int main(int argc, char** argv) {
    counterfoil::bench::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
