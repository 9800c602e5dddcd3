#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/provider_log.hpp>

namespace {

using namespace counterfoil;

const std::vector<std::string> succeeded{"succeeded"};

void require(bool holds) {
    if (!holds) std::abort();
}

void require_faults_in_order(const ProviderLog& log, std::size_t lines) {
    std::size_t before = 0;
    for (const LogFault& fault : log.faults) {
        require(before < fault.line && fault.line <= lines && !fault.detail.empty());
        before = fault.line;
    }
    require(log.entries.size() + log.faults.size() <= lines);
    if (log.unreadable) require(log.entries.empty() && log.faults.empty());
}

void add_quoted(std::string& text, std::string_view field, std::string_view end) {
    text += '"';
    for (const char one : field) text += one == '"' ? std::string{"\"\""} : std::string{one};
    text += '"';
    text += end;
}

std::string as_csv(const std::vector<ProviderEntry>& entries) {
    std::string text{"key,status,amount,currency,time\r\n"};
    for (const ProviderEntry& entry : entries) {
        add_quoted(text, entry.key, ",");
        add_quoted(text, entry.standing == Standing::applied ? "succeeded" : "refused", ",");
        add_quoted(text, entry.money.amount.value_or(""), ",");
        add_quoted(text, entry.money.currency.value_or(""), ",");
        add_quoted(text, to_rfc3339(entry.at), "\r\n");
    }
    return text;
}

void require_sound(const ProviderLog& log, std::size_t lines) {
    require_faults_in_order(log, lines);
    std::vector<ProviderEntry> entries = log.entries;
    for (ProviderEntry& entry : entries) {
        require(!entry.key.empty());
        if (entry.money.amount) require(exact_amount(*entry.money.amount) == entry.money.amount);
        // CSV can't tell an empty text from none.
        if (entry.money.currency == "") entry.money.currency.reset();
    }
    const ProviderLog again = read_provider_log(as_csv(entries), LogForm::csv, succeeded);
    require(again == ProviderLog{.entries = entries});
}

}  // namespace

// Any text is read, in both forms: each fault has its line, each amount is a number in its one
// form, and the entries, written as CSV, are read back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require_sound(read_provider_log(text, LogForm::json_lines, succeeded), lines);
    require_sound(read_provider_log(text, LogForm::csv, succeeded), lines);
    return 0;
}
