#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>

#include "cli/inputs.hpp"
#include "cli/permit.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    PermitOptions permit;
    PolicyOption policy;
    bool applied{};
    bool not_applied{};
    int status{};
    std::string body;
    std::vector<std::string> fields;
    std::string reference;
    bool secret{};
    std::string by;
    std::string evidence;
};

Field field_of(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon == std::string::npos) {
        throw Failure{Exit::wrong_use,
                      "--field: '" + escaped(text) + "' is no header field, NAME: VALUE"};
    }
    const std::size_t value = text.find_first_not_of(' ', colon + 1);
    return {text.substr(0, colon), value == std::string::npos ? "" : text.substr(value)};
}

Ruling ruling_of(const Options& options) {
    if (options.applied == options.not_applied) {
        throw Failure{Exit::wrong_use, "say --applied or --not-applied"};
    }
    if (options.not_applied) {
        if (options.status != 0 || !options.body.empty() || !options.fields.empty() ||
            !options.reference.empty() || options.secret) {
            throw Failure{Exit::wrong_use, "what was not applied has no answer"};
        }
        return ruling::NotApplied{};
    }
    if (options.status == 0) {
        throw Failure{Exit::wrong_use,
                      "--applied needs the --status that a retry is to be answered with"};
    }
    ruling::Applied applied{.answer = {.status = options.status},
                            .exposure = options.secret ? Exposure::secret : Exposure::ordinary};
    for (const std::string& field : options.fields) {
        applied.answer.fields.push_back(field_of(field));
    }
    if (!options.body.empty()) applied.answer.body = body::Bytes{read_input(options.body)};
    if (!options.reference.empty()) applied.answer.reference = options.reference;
    return applied;
}

Exit resolve(Context& context, const Options& options) {
    const Permit permit = options.permit.permit();
    const Resolution resolution{ruling_of(options), options.by, options.evidence};
    sqlite::Store store = store_for_writing(context, options.policy.book());
    const Resolving resolving = store.resolve(permit, resolution);
    expect_written(resolving, permit);
    tell(context, permit, word(resolving),
         options.applied ? "a retry is answered with " + std::to_string(options.status)
                         : "the key is free: a retry runs it anew");
    return Exit::done;
}

}  // namespace

void add_resolve(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command = program.add(
        "resolve", "End what is unknown, on your word; it leaves an audit row",
        "counterfoil --db pay.db resolve -t acme -o charge -k key-1 --fence 1764590000000001 "
        "--not-applied --by anna --evidence 'not in the provider log of 2026-12-01'",
        [options](Context& context) { return resolve(context, *options); });
    options->permit.add_to(command);
    command.add_flag("--applied", options->applied, "It did happen, and this is the answer");
    command.add_flag("--not-applied", options->not_applied, "It did not happen, and won't");
    command.add_option("--status", options->status, "The answer's status")
        ->check(CLI::Range(100, 599))
        ->type_name("N");
    command.add_option("--body", options->body, "The answer's body; - for stdin")
        ->type_name("FILE");
    command.add_option("--field", options->fields, "A header field of the answer, NAME: VALUE")
        ->type_name("FIELD");
    command.add_option("--reference", options->reference, "The id of what was made")
        ->type_name("ID");
    command.add_flag("--secret", options->secret, "The body is not to be kept");
    command.add_option("--by", options->by, "Who says so")->required()->type_name("NAME");
    command.add_option("--evidence", options->evidence, "On what ground")
        ->required()
        ->type_name("TEXT");
    options->policy.add_to(command);
}

}  // namespace counterfoil::cli
