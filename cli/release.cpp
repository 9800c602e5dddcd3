#include <memory>

#include "cli/inputs.hpp"
#include "cli/permit.hpp"
#include "cli/program.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    PermitOptions permit;
};

Exit release(Context& context, const Options& options) {
    const Permit permit = options.permit.permit();
    sqlite::Store store = store_for_writing(context, default_book());
    const Release released = store.release(permit);
    expect_written(released, permit);
    tell(context, permit, word(released), "the key is free: a retry runs it anew");
    return Exit::done;
}

}  // namespace

void add_release(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command = program.add(
        "release",
        "Free a key that is held, where surely nothing happened; `resolve` leaves an audit row",
        "counterfoil --db pay.db release -t acme -o charge -k key-1 --fence 1764590000000001",
        [options](Context& context) { return release(context, *options); });
    options->permit.add_to(command);
}

}  // namespace counterfoil::cli
