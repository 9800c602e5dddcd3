#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/fingerprint.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    SecretOptions secrets;
    std::string file{"-"};
    std::string scheme{"exact-json"};
    bool canonical{};
};

Exit fingerprint(Context& context, const Options& options) {
    const Result<Scheme, SchemeError> scheme = parse_scheme(options.scheme);
    if (!scheme) {
        throw Failure{Exit::wrong_use, "'" + escaped(options.scheme) +
                                           "' is no scheme: " + describe(scheme.error())};
    }
    const std::string body = read_input(options.file);
    const Intent intent =
        scheme->form == Form::raw ? Intent{intent::Bytes{body}} : Intent{intent::Json{body}};
    Fingerprinter fingerprinter{options.secrets.secrets()};
    const auto no_fingerprint = [](const FingerprintError& error) {
        return Failure{Exit::wrong_use, "no fingerprint: " + describe(error)};
    };
    if (options.canonical) {
        const auto bytes = fingerprinter.canonical_bytes(*scheme, intent);
        if (!bytes) throw no_fingerprint(bytes.error());
        context.out << *bytes;
        return Exit::done;
    }
    const auto made = fingerprinter.fingerprint(*scheme, intent);
    if (!made) throw no_fingerprint(made.error());
    if (context.json) {
        context.out << json_line(boost::json::object{{"scheme", made->scheme.text},
                                                     {"digest", to_hex(made->digest)}})
                    << '\n';
    } else {
        context.out << to_hex(made->digest) << "  " << made->scheme.text << '\n';
    }
    return Exit::done;
}

}  // namespace

void add_fingerprint(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command =
        program.add("fingerprint", "Print the fingerprint of a body, or the bytes that are hashed",
                    "counterfoil fingerprint order.json",
                    [options](Context& context) { return fingerprint(context, *options); });
    command.add_option("FILE", options->file, "The body; - for stdin")
        ->capture_default_str()
        ->type_name("");
    command.add_option("--scheme", options->scheme, "How it is made")->capture_default_str();
    command.add_flag("--canonical", options->canonical, "Print the canonical bytes instead");
    options->secrets.add_to(command);
}

}  // namespace counterfoil::cli
