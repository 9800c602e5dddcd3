#include "command.hpp"

#include <ostream>
#include <utility>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

const char* word(Step step) {
    switch (step) {
        case Step::peek: return "peek";
        case Step::begin: return "begin";
        case Step::find: return "find";
        case Step::insert: return "insert";
        case Step::replace: return "replace";
        case Step::erase: return "erase";
        case Step::commit: return "commit";
        case Step::rollback: return "rollback";
        case Step::leave: return "leave";
        case Step::reopen: return "reopen";
    }
    return "";
}

rc::Gen<Step> step() {
    return rc::gen::weightedElement<Step>({{3, Step::peek},
                                           {1, Step::begin},
                                           {3, Step::find},
                                           {5, Step::insert},
                                           {4, Step::replace},
                                           {3, Step::erase},
                                           {4, Step::commit},
                                           {1, Step::rollback},
                                           {1, Step::leave},
                                           {1, Step::reopen}});
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Command& command) {
    out << "\n    session " << command.session << ": " << word(command.step);
    switch (command.step) {
        case Step::peek:
        case Step::find: return out << ' ' << command.receipt.scope;
        case Step::insert: return out << ' ' << command.receipt;
        case Step::replace:
            return out << ' ' << command.receipt << ", fence off by " << command.fence_off;
        case Step::erase:
            return out << ' ' << command.receipt.scope << ", fence off by " << command.fence_off;
        case Step::begin:
        case Step::commit:
        case Step::rollback:
        case Step::leave:
        case Step::reopen: return out;
    }
    return out;
}

rc::Gen<std::vector<Command>> commands(std::size_t sessions) {
    return rc::gen::container<std::vector<Command>>(rc::gen::apply(
        [](Step what, std::size_t session, std::size_t scope, Receipt receipt, std::int64_t off) {
            receipt.scope = scope_number(scope);
            return Command{what, session, std::move(receipt), off};
        },
        step(), rc::gen::inRange<std::size_t>(0, sessions), rc::gen::inRange<std::size_t>(0, 3),
        gen::receipt(), rc::gen::element<std::int64_t>(0, 0, 0, -1, 1)));
}

}  // namespace counterfoil::testing
