#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/overloaded.hpp>
#include <counterfoil/request.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/words.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

namespace json = boost::json;

struct Options {
    ScopeOptions scope;
    PolicyOption policy;
    SecretOptions secrets;
    std::string body{"-"};
    std::string at;
    bool raw{};
};

/// The facts of a verdict, as one would tell them to a colleague.
std::string sentence(const Verdict& judged, Instant now) {
    const auto first = [&](Instant seen) { return "The key was first used " + age(seen, now); };
    return std::visit(
        overloaded{
            [](const verdict::Create&) -> std::string {
                return "Nothing is remembered of this key: the request would run.";
            },
            [&](const verdict::TakeOver& verdict) -> std::string {
                return first(verdict.receipt.created_at) +
                       " for the same request, and whoever had it let the lease lapse: attempt " +
                       std::to_string(verdict.receipt.attempt) + " would run.";
            },
            [&](const verdict::Replay& verdict) -> std::string {
                return first(verdict.first_seen) + " for the same request, which was completed " +
                       age(verdict.completed_at, now) + ": its answer " +
                       std::to_string(verdict.answer.status) + " would be given again.";
            },
            [&](const verdict::Conflict& verdict) -> std::string {
                std::string text = first(verdict.first_seen) + " for another request";
                if (verdict.differs) {
                    text += ", which differs in";
                    for (const std::string& pointer : *verdict.differs) {
                        text += " " + escaped(pointer);
                    }
                }
                return text + ".";
            },
            [&](const verdict::InProgress& verdict) -> std::string {
                return first(verdict.first_seen) +
                       " for the same request, which is being worked on: its lease ends " +
                       age(verdict.lease_end, now) + ".";
            },
            [&](const verdict::Unknown& verdict) -> std::string {
                return first(verdict.first_seen) +
                       " for the same request, and nobody knows whether it happened (" +
                       std::string{word(verdict.cause)} + ").";
            },
            [&](const verdict::Expired& verdict) -> std::string {
                const auto* seen = std::get_if<verdict::Seen>(&verdict.seen);
                if (seen == nullptr) {
                    return "The key says that it was made before this store's memory begins: it "
                           "may have been used and forgotten.";
                }
                return first(seen->first_seen) + ", the request ended with " +
                       std::to_string(seen->ended.status) +
                       ", and its answer is not given any more.";
            },
            [&](const verdict::Incomparable& verdict) -> std::string {
                return first(verdict.first_seen) + " under the scheme " +
                       escaped(verdict.scheme.text) + ", which can't be computed here (--secret?).";
            },
        },
        judged);
}

json::object to_json(const Verdict& verdict, Instant now) {
    const Why& why = counterfoil::why(verdict);
    json::object object{{"verdict", word(verdict)},
                        {"rule", static_cast<int>(why.rule)},
                        {"rule_name", word(why.rule)},
                        {"now", to_rfc3339(why.now)},
                        {"sentence", sentence(verdict, now)}};
    if (why.boundary) object["boundary"] = to_rfc3339(*why.boundary);
    if (why.attempt) object["attempt"] = *why.attempt;
    if (why.max_attempts) object["max_attempts"] = *why.max_attempts;
    if (const auto* conflict = std::get_if<verdict::Conflict>(&verdict);
        conflict != nullptr && conflict->differs) {
        json::array differs;
        for (const std::string& pointer : *conflict->differs)
            differs.emplace_back(json_text(pointer));
        object["differs"] = std::move(differs);
    }
    return object;
}

Exit why(Context& context, const Options& options) {
    const Scope scope = options.scope.scope();
    const PolicyBook book = options.policy.book();
    const Policy& policy = book.policy_for(scope.operation);
    const Instant now = options.at.empty() ? context.now : instant_of(options.at, context.now);
    sqlite::Reader reader{existing_file(context)};

    const std::string body = read_input(options.body);
    const Intent intent = options.raw ? Intent{intent::Bytes{body}} : Intent{intent::Json{body}};
    Fingerprinter fingerprinter{options.secrets.secrets()};
    Result<Request, FingerprintError> request = make_request(scope, intent, policy, fingerprinter);
    if (!request) {
        throw Failure{Exit::wrong_use, "the body has no fingerprint: " + describe(request.error())};
    }
    std::optional<Receipt> found = reader.find(scope);
    if (found) compare_under(found->fingerprint.scheme, *request, intent, fingerprinter);

    const Verdict verdict = judge(*request, std::move(found), now, policy);
    if (context.json) {
        context.out << json_line(to_json(verdict, now)) << '\n';
    } else {
        context.out << word(verdict) << '\n'
                    << sentence(verdict, now) << '\n'
                    << describe(counterfoil::why(verdict)) << '\n';
    }
    return Exit::done;
}

}  // namespace

void add_why(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command = program.add(
        "why", "Say what a request would get now, and by which rule; changes nothing",
        "counterfoil --db orders.db why -t acme -o create_order -k key-1 --body order.json",
        [options](Context& context) { return why(context, *options); });
    options->scope.add_to(command);
    command.add_option("--body", options->body, "The request's body; - for stdin")
        ->capture_default_str()
        ->type_name("FILE");
    command.add_flag("--raw", options->raw, "The body is bytes, not JSON");
    options->policy.add_to(command);
    options->secrets.add_to(command);
    command.add_option("--at", options->at, "Judge at this instant instead of now")
        ->type_name("INSTANT");
}

}  // namespace counterfoil::cli
