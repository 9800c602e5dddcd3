#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/sqlite/reader.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

Exit verify(Context& context) {
    sqlite::Reader reader{existing_file(context)};
    std::uint64_t faults = 0;
    const std::uint64_t read = reader.verify([&](const std::string& fault) {
        ++faults;
        if (context.json) {
            context.out << json_line(boost::json::object{{"fault", json_text(fault)}}) << '\n';
        } else {
            context.out << fault << '\n';
        }
    });
    if (context.json) {
        context.out << json_line(boost::json::object{{"receipts", read}, {"faults", faults}})
                    << '\n';
    } else {
        context.out << read << " receipts, " << faults << " faults\n";
    }
    return faults == 0 ? Exit::done : Exit::finding;
}

}  // namespace

void add_verify(Program& program) {
    program.add("verify", "Check the file and read every receipt; exit code 1 if there is a fault",
                "counterfoil --db orders.db verify", verify);
}

}  // namespace counterfoil::cli
