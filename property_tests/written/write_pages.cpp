// Writes anew what a program has to write, after a change that is meant: the decision corpus, the
// grid in docs/judgement.md, the table of laws and a story in docs/testing.md, the table of rules
// in docs/adapters.md and the output in docs/quickstart.md, docs/embedding.md and docs/claims.md,
// and what docs/claims.md shows of the examples. The tests compare, and never write.
//
//   write_pages SOURCE_FOLDER

#include <cstdio>
#include <string>
#include <string_view>

#include "conformance/rule_table.hpp"
#include "corpus/decisions.hpp"
#include "ladders/grid.hpp"
#include "laws/law_table.hpp"
#include "simulator/world.hpp"
#include "written/page.hpp"
#include "written/shown_code.hpp"

namespace {

namespace written = counterfoil::written;

bool write_file(const std::string& path, std::string_view text) {
    if (written::write(path, text)) return true;
    std::fprintf(stderr, "write_pages: cannot write %s\n", path.c_str());
    return false;
}

bool write_part(const std::string& path, std::string_view name, std::string_view text) {
    const auto page = written::read(path);
    const auto changed = page ? written::with_part(*page, name, text) : std::nullopt;
    if (changed) return write_file(path, *changed);
    std::fprintf(stderr, "write_pages: %s has no place for %s\n", path.c_str(),
                 std::string{name}.c_str());
    return false;
}

bool write_payment(const std::string& docs) {
    const std::string page = docs + "/claims.md";
    return write_part(page, "a payment", written::a_payment(docs).value_or("")) &&
           write_part(page, "a ruling", written::a_ruling(docs).value_or("")) &&
           write_part(page, "a long run", written::a_long_run(docs).value_or("")) &&
           write_part(
               page, "its output",
               written::as_block(docs + "/examples/long_run/expected.txt", "text").value_or("")) &&
           write_part(
               page, "the lab",
               written::as_block(docs + "/examples/payment/expected.txt", "text").value_or(""));
}

bool write_admission(const std::string& docs) {
    const std::string page = docs + "/admission.md";
    return write_part(page, "the gatekeeper", written::a_gatekeeper(docs).value_or("")) &&
           write_part(
               page, "the output",
               written::as_block(docs + "/examples/admission/expected.txt", "text").value_or(""));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: write_pages SOURCE_FOLDER\n", stderr);
        return 2;
    }
    const std::string root = argv[1];
    const std::string decisions = root + "/property_tests/vectors/decisions";
    const std::string quickstart = root + "/docs/examples/quickstart";
    const auto program = written::as_block(quickstart + "/main.cpp", "cpp").value_or("");
    const auto output = written::as_block(quickstart + "/expected.txt", "text").value_or("");
    const auto embedded =
        written::as_block(root + "/docs/examples/embedding/expected.txt", "text").value_or("");
    const std::string beast = root + "/docs/examples/beast";
    const auto claimed =
        written::as_block(root + "/docs/examples/claims/expected.txt", "text").value_or("");
    const bool done =
        write_file(decisions + "/judge.jsonl", counterfoil::corpus::judge_cases()) &&
        write_file(decisions + "/settle.jsonl", counterfoil::corpus::settle_cases()) &&
        write_file(decisions + "/sweep.jsonl", counterfoil::corpus::sweep_cases()) &&
        write_part(root + "/docs/judgement.md", "the grid", counterfoil::grid_as_markdown()) &&
        write_part(root + "/docs/quickstart.md", "the program", program) &&
        write_part(root + "/docs/quickstart.md", "the output", output) &&
        write_part(root + "/docs/embedding.md", "the output", embedded) &&
        write_part(root + "/docs/embedding.md", "a request over HTTP",
                   written::a_request_over_http(root + "/docs").value_or("")) &&
        write_part(root + "/docs/embedding.md", "what it prints",
                   written::as_block(beast + "/expected.txt", "text").value_or("")) &&
        write_part(root + "/docs/claims.md", "the output", claimed) &&
        write_payment(root + "/docs") && write_admission(root + "/docs") &&
        write_part(root + "/docs/adapters.md", "the table of rules",
                   counterfoil::conformance::rule_table()) &&
        write_part(root + "/docs/testing.md", "the table of laws", counterfoil::law_table()) &&
        write_part(root + "/docs/testing.md", "a story",
                   counterfoil::documented_story().value_or(""));
    return done ? 0 : 1;
}
