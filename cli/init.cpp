#include <ostream>

#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"

namespace counterfoil::cli {

namespace {

PolicyBook default_policies() {
    return PolicyOption{}.book();
}

Exit init(Context& context) {
    if (context.file.empty()) {
        throw Failure{Exit::wrong_use, "name the database with --db FILE or COUNTERFOIL_DB"};
    }
    const bool was_there = std::filesystem::exists(context.file);
    sqlite::Settings settings;
    if (was_there) settings.access = sqlite::FileAccess::as_it_is;
    const sqlite::Store store{context.file, {.policies = default_policies()}, settings};
    context.out << (was_there ? "the schema is up to date: " : "made ") << escaped(context.file)
                << '\n';
    return Exit::done;
}

}  // namespace

void add_init(Program& program) {
    program.add("init", "Make a database, or bring the schema of one up to date",
                "counterfoil --db orders.db init", init);
}

}  // namespace counterfoil::cli
