#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/describe.hpp"
#include "counterfoil/json_site.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/policy_figures.hpp"
#include "counterfoil/policy_findings.hpp"

namespace counterfoil {

namespace {

namespace json = boost::json;

using Kind = PolicyFaultKind;
using Faults = std::vector<PolicyFault>;
using detail::JsonSite;

json::string_view boosted(std::string_view text) {
    return {text.data(), text.size()};
}

std::string_view plain(json::string_view text) {
    return {text.data(), text.size()};
}

// A policy file nests five deep; what nests deeper than this is another file.
constexpr std::size_t max_file_depth = 32;

Result<json::value, PolicyFault> parse_json(std::string_view text) {
    // Boost.JSON keeps the last of several members of one name and says nothing; a policy that is
    // half ignored is what nobody wants. Ours refuses them, with the place.
    Canonicalizer canonicalizer{Numbers::ieee754, max_file_depth};
    if (const auto checked = canonicalizer.canonicalize(text); !checked) {
        return PolicyFault{Kind::not_json, "", describe(checked.error())};
    }
    json::parse_options options;
    options.max_depth = 2 * max_file_depth;
    json::parser parser{{}, options};
    json::error_code error;
    const auto read = parser.write(text.data(), text.size(), error);
    if (error) {
        return PolicyFault{Kind::not_json, "",
                           error.message() + " at byte " + std::to_string(read)};
    }
    return parser.release();
}

/// Whether one pointer is the other, or leads to what encloses it.
bool leads_to(std::string_view outer, std::string_view inner) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

/// One policy of the file: its figures, and what is wrong with them.
class Section {
public:
    /// Reads what the file says over what is inherited. Without a parent it is the default.
    Section(std::string pointer, const json::value* said, const Section* parent,
            const ServiceBounds& bounds)
        : pointer_(std::move(pointer)), said_(said), parent_(parent) {
        if (parent != nullptr) figures_ = parent->figures_;
        if (said != nullptr) detail::read(*said, JsonSite{pointer_, unreadable_}, figures_);
        for (auto& finding : detail::findings_in(figures_, bounds)) take(std::move(finding));
    }

    [[nodiscard]] const PolicyFigures& figures() const noexcept { return figures_; }

    void tell(Faults& faults) const {
        faults.insert(faults.end(), unreadable_.begin(), unreadable_.end());
        faults.insert(faults.end(), unfit_.begin(), unfit_.end());
    }

private:
    /// Keeps a finding, at the place that the file gives for it. One that is about inherited
    /// figures alone was the parent's; one about a figure that could not be read is nobody's.
    void take(detail::Finding finding) {
        auto& fault = finding.fault;
        const bool said_here = says(fault.pointer);
        const bool other_said_here = says(finding.against);
        if (parent_ != nullptr && !said_here && !other_said_here) return;
        if (is_unread(fault.pointer) || is_unread(finding.against)) return;
        if (!said_here && other_said_here) fault.pointer = finding.against;
        if (!fault.pointer.empty()) fault.pointer.insert(0, pointer_);
        unfit_.push_back(std::move(fault));
    }

    [[nodiscard]] bool says(std::string_view figure) const {
        if (said_ == nullptr || figure.empty()) return false;
        json::error_code error;
        return said_->find_pointer(boosted(figure), error) != nullptr;
    }

    [[nodiscard]] bool is_unread(std::string_view figure) const {
        if (figure.empty()) return false;
        if (parent_ != nullptr && !says(figure)) return parent_->is_unread(figure);
        const auto place = pointer_ + std::string{figure};
        return std::any_of(unreadable_.begin(), unreadable_.end(), [&](const PolicyFault& fault) {
            return leads_to(fault.pointer, place) || leads_to(place, fault.pointer);
        });
    }

    std::string pointer_;
    const json::value* said_;  // nothing where the file has no such member
    const Section* parent_;
    PolicyFigures figures_;
    Faults unreadable_;
    Faults unfit_;
};

class BookReader {
public:
    BookReader(const json::object& members, const ServiceBounds& bounds)
        : members_(members),
          bounds_(bounds),
          fallback_("/default", members.if_contains("default"), nullptr, bounds) {}

    Result<PolicyBook, Faults> read() && {
        if (!members_.contains("default")) fallback_.tell(faults_);
        for (const auto& member : members_) read_member(plain(member.key()), member.value());
        if (!faults_.empty()) return std::move(faults_);

        PolicyBook book{*validate(fallback_.figures(), bounds_)};
        for (auto& [operation, figures] : operations_) {
            book.set(std::move(operation), *validate(std::move(figures), bounds_));
        }
        return book;
    }

private:
    void read_member(std::string_view name, const json::value& value) {
        const auto site = JsonSite{"", faults_}.at(name);
        if (name == "default") {
            fallback_.tell(faults_);
        } else if (name == "operations") {
            read_operations(value, site);
        } else {
            site.tell(Kind::unknown_name, detail::quoted(name) + " is no name that belongs here");
        }
    }

    void read_operations(const json::value& value, const JsonSite& site) {
        const auto* operations = detail::object_at(value, site);
        if (operations == nullptr) return;
        for (const auto& member : *operations) {
            const auto place = site.at(plain(member.key()));
            auto operation = parse_operation(plain(member.key()));
            if (!operation) place.tell(Kind::bad_value, "no operation can have this name");
            const Section section{place.pointer(), &member.value(), &fallback_, bounds_};
            section.tell(faults_);
            if (operation) operations_.emplace_back(*std::move(operation), section.figures());
        }
    }

    const json::object& members_;
    const ServiceBounds& bounds_;
    const Section fallback_;  // read first, wherever it stands: the operations inherit from it
    std::vector<std::pair<Operation, PolicyFigures>> operations_;
    Faults faults_;
};

}  // namespace

Result<PolicyBook, std::vector<PolicyFault>> parse_policy_book(std::string_view json,
                                                               const ServiceBounds& bounds) {
    const auto file = parse_json(json);
    if (!file) return Faults{file.error()};
    Faults faults;
    const auto* members = detail::object_at(*file, JsonSite{"", faults});
    if (members == nullptr) return faults;
    return BookReader{*members, bounds}.read();
}

std::string to_json(const PolicyBook& book) {
    const auto& fallback = book.fallback().figures();
    json::object operations;
    for (const auto& [operation, policy] : book.operations()) {
        operations[operation.text()] = detail::to_object(policy.figures(), fallback);
    }
    return json::serialize(json::object{
        {"default", detail::to_object(fallback, PolicyFigures{})},
        {"operations", std::move(operations)},
    });
}

}  // namespace counterfoil
