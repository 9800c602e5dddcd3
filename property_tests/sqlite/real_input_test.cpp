#include <algorithm>
#include <filesystem>
#include <iostream>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <boost/json.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"
#include "sqlite/respeller.hpp"

namespace counterfoil {
namespace {

struct Payload {
    std::filesystem::path file;

    friend std::ostream& operator<<(std::ostream& out, const Payload& payload) {
        return out << payload.file.filename().string();
    }
};

std::vector<Payload> payloads() {
    std::vector<Payload> all;
    for (const auto& entry : std::filesystem::directory_iterator{COUNTERFOIL_PAYLOADS}) {
        if (entry.path().extension() == ".json") all.push_back({entry.path()});
    }
    std::sort(all.begin(), all.end(),
              [](const Payload& a, const Payload& b) { return a.file < b.file; });
    return all;
}

TEST(Payloads, are_there) {
    EXPECT_GE(payloads().size(), 19U);
}

class RealInput : public testing::TestWithParam<Payload> {
protected:
    /// Takes the document in, or says why not.
    std::string ingest(std::string_view key, std::string_view document) {
        const Submission submission{kit::scope(key, "ingest"), intent::Json{document}};
        return std::string{word(store.once(submission, [&](const sqlite::Transaction& rows) {
            SQLite::Statement& insert = rows.statement("INSERT INTO ingested VALUES (?)");
            insert.bind(1, std::string{document});
            insert.exec();
            return kit::answer(202, R"({"taken":true})");
        }))};
    }

    [[nodiscard]] std::int64_t ingested() const {
        return kit::number(file, "SELECT count(*) FROM ingested");
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    sqlite::Store store{
        file, {.policies = kit::book()}, {.on_connect = [](SQLite::Database& rows) {
            rows.exec("CREATE TABLE IF NOT EXISTS ingested (document TEXT NOT NULL)");
        }}};
};

TEST_P(RealInput, is_replayed_however_it_is_spelt_and_refused_when_a_leaf_differs) {
    const std::uint64_t seed = kit::from_environment("COUNTERFOIL_SEED", std::random_device{}());
    SCOPED_TRACE("COUNTERFOIL_SEED=" + std::to_string(seed));
    std::mt19937_64 random{seed};
    const std::string document = kit::bytes_of(GetParam().file);

    ASSERT_EQ(ingest("k", document), "create");
    EXPECT_EQ(ingest("k", document), "replay");
    constexpr int tries = 25;
    for (int time = 0; time < tries; ++time) {
        const std::string other_spelling = kit::respelt(document, random);
        ASSERT_TRUE(boost::json::parse(other_spelling).is_object());
        EXPECT_NE(other_spelling, document);
        EXPECT_EQ(ingest("k", other_spelling), "replay") << other_spelling;
        const std::string changed = kit::changed_in_a_leaf(document, random);
        EXPECT_EQ(ingest("k", changed), "conflict") << changed;
        EXPECT_EQ(ingest("k", kit::respelt(changed, random)), "conflict") << changed;
    }
    EXPECT_EQ(ingested(), 1);
    EXPECT_EQ(ingest("another", document), "create");
}

INSTANTIATE_TEST_SUITE_P(, RealInput, testing::ValuesIn(payloads()),
                         [](const testing::TestParamInfo<Payload>& param) {
                             std::string name = param.param.file.stem().string();
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace counterfoil
