#include "message.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <variant>

#include "incoming.hpp"

namespace order_service {

namespace {

namespace cf = counterfoil;

constexpr int no_content = 204;
constexpr int not_modified = 304;

/// Empty for a status that has none here; a client has no use for it.
std::string_view reason_of(int status) {
    constexpr std::array<std::pair<int, std::string_view>, 18> reasons{{
        {200, "OK"},
        {201, "Created"},
        {204, "No Content"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {410, "Gone"},
        {413, "Content Too Large"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Content"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
    }};
    const auto* found =
        std::ranges::find(reasons, status, &std::pair<int, std::string_view>::first);
    return found == reasons.end() ? std::string_view{} : found->second;
}

bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char byte) {
        return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
               (byte >= '0' && byte <= '9') || others.find(byte) != std::string_view::npos;
    });
}

/// A CR or LF in a value would begin a field, or a whole answer, of somebody else's making.
bool stays_in_its_line(std::string_view value) {
    return std::ranges::none_of(
        value, [](char byte) { return byte == '\r' || byte == '\n' || byte == '\0'; });
}

bool is_framing(std::string_view name) {
    constexpr std::array<std::string_view, 9> names{"Connection", "Content-Length",    "Date",
                                                    "Keep-Alive", "Proxy-Connection",  "TE",
                                                    "Trailer",    "Transfer-Encoding", "Upgrade"};
    return std::ranges::any_of(names, [&](std::string_view one) { return same_name(one, name); });
}

bool has_body(int status) {
    return status != no_content && status != not_modified;
}

std::string_view bytes_of(const cf::Answer& answer) {
    const auto* bytes = std::get_if<cf::body::Bytes>(&answer.body);
    return bytes != nullptr ? std::string_view{bytes->bytes} : std::string_view{};
}

void add_field(std::string& message, std::string_view name, std::string_view value) {
    message.append(name).append(": ").append(value).append("\r\n");
}

void add_number(std::string& text, int digits, int number) {
    const std::string plain = std::to_string(number);
    const auto width = static_cast<std::size_t>(digits);
    text.append(plain.size() < width ? width - plain.size() : 0, '0').append(plain);
}

}  // namespace

bool sendable(const cf::Answer& answer) {
    constexpr int first_final = 200;
    constexpr int last_final = 599;
    return answer.status >= first_final && answer.status <= last_final &&
           !std::holds_alternative<cf::body::Omitted>(answer.body);
}

std::size_t sent_bytes(const cf::Answer& answer, bool head) {
    return head || !has_body(answer.status) ? 0 : bytes_of(answer).size();
}

std::string message_of(const cf::Answer& answer, const Framing& framing) {
    assert(sendable(answer));
    const std::string_view body = bytes_of(answer);
    std::string message{"HTTP/1.1 "};
    message.append(std::to_string(answer.status)).append(" ");
    message.append(reason_of(answer.status)).append("\r\n");
    if (!framing.date.empty()) add_field(message, "Date", framing.date);
    for (const cf::Field& field : answer.fields) {
        if (is_framing(field.name) || !is_token(field.name) || !stays_in_its_line(field.value))
            continue;
        add_field(message, field.name, field.value);
    }
    if (has_body(answer.status)) add_field(message, "Content-Length", std::to_string(body.size()));
    if (framing.close) {
        add_field(message, "Connection", "close");
    } else if (framing.told_to_keep) {
        add_field(message, "Connection", "keep-alive");
    }
    message.append("\r\n");
    if (!framing.head && has_body(answer.status)) message.append(body);
    return message;
}

std::string http_date(std::chrono::sys_seconds at) {
    constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{at - day};

    std::string text{days.at(std::chrono::weekday{day}.c_encoding())};
    text.append(", ");
    add_number(text, 2, static_cast<int>(static_cast<unsigned>(date.day())));
    text.append(" ").append(months.at(static_cast<unsigned>(date.month()) - 1)).append(" ");
    add_number(text, 4, static_cast<int>(date.year()));
    text.append(" ");
    add_number(text, 2, static_cast<int>(time.hours().count()));
    text.append(":");
    add_number(text, 2, static_cast<int>(time.minutes().count()));
    text.append(":");
    add_number(text, 2, static_cast<int>(time.seconds().count()));
    return text.append(" GMT");
}

}  // namespace order_service
