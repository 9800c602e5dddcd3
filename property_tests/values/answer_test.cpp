#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/values.hpp"

namespace counterfoil {
namespace {

/// The table of the contract, status by status.
Disposition expected(int status, Effect effect) {
    const auto doubt =
        effect == Effect::may_have_begun ? Disposition::unknown : Disposition::release;
    switch (status) {
        case 400:
        case 401:
        case 403:
        case 404:
        case 408:
        case 409:
        case 412:
        case 422:
        case 425:
        case 429:
        case 503: return Disposition::release;
        default: return status >= 200 && status <= 499 ? Disposition::keep : doubt;
    }
}

TEST(Dispositions, of_every_status_are_those_of_the_contract) {
    const Dispositions table;
    for (int status = 0; status <= 700; ++status) {
        for (const auto effect : {Effect::not_begun, Effect::may_have_begun}) {
            EXPECT_EQ(table.of(status, effect), expected(status, effect)) << status;
        }
    }
}

TEST(Dispositions, an_exception_wins_over_its_class_whichever_was_set_last) {
    Dispositions table;
    table.set_status(404, Disposition::keep).set_class(4, Disposition::unknown);
    EXPECT_EQ(table.of(404, Effect::may_have_begun), Disposition::keep);
    EXPECT_EQ(table.of(402, Effect::may_have_begun), Disposition::unknown);
    EXPECT_EQ(table.of(400, Effect::may_have_begun), Disposition::release);
    EXPECT_EQ(table.of(302, Effect::may_have_begun), Disposition::keep);
}

/// A table told by what was set last for each status and each class.
RC_GTEST_PROP(DispositionsLaws, the_last_word_on_a_status_or_else_on_its_class_holds, ()) {
    const auto some_status =
        rc::gen::element(100, 101, 199, 200, 404, 405, 422, 499, 500, 503, 504, 599);
    Dispositions table;
    std::map<int, Disposition> statuses{
        {404, Disposition::release}, {422, Disposition::release}, {503, Disposition::release}};
    std::map<int, Disposition> classes{{1, Disposition::unknown},
                                       {2, Disposition::keep},
                                       {3, Disposition::keep},
                                       {4, Disposition::keep},
                                       {5, Disposition::unknown}};
    const auto changes = *rc::gen::inRange(0, 12);
    for (int i = 0; i < changes; ++i) {
        const auto status = *some_status;
        const auto disposition = *gen::disposition();
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                table.set_status(status, disposition);
                statuses[status] = disposition;
                break;
            case 1:
                table.clear_status(status);
                statuses.erase(status);
                break;
            default:
                table.set_class(status / 100, disposition);
                classes[status / 100] = disposition;
                break;
        }
    }
    const auto status = *some_status;
    const auto told = statuses.contains(status) ? statuses[status] : classes[status / 100];
    RC_ASSERT(table.of(status, Effect::may_have_begun) == told);
    const auto without_doubt = told == Disposition::unknown ? Disposition::release : told;
    RC_ASSERT(table.of(status, Effect::not_begun) == without_doubt);
}

RC_GTEST_PROP(DispositionsLaws, exceptions_are_told_in_order_and_once, ()) {
    const auto table = *gen::dispositions();
    const auto& exceptions = table.exceptions();
    RC_ASSERT(
        std::adjacent_find(exceptions.begin(), exceptions.end(), [](const auto& a, const auto& b) {
            return a.status >= b.status;
        }) == exceptions.end());
    for (const auto& [status, disposition] : exceptions) {
        RC_ASSERT(table.of(status, Effect::may_have_begun) == disposition);
    }
}

const std::vector<std::string>& framing_and_credentials() {
    static const std::vector<std::string> names{"Connection",
                                                "Keep-Alive",
                                                "Proxy-Connection",
                                                "TE",
                                                "Trailer",
                                                "Transfer-Encoding",
                                                "Upgrade",
                                                "Content-Length",
                                                "Date",
                                                "Set-Cookie",
                                                "Set-Cookie2",
                                                "Cookie",
                                                "Authorization",
                                                "Proxy-Authorization",
                                                "WWW-Authenticate",
                                                "Proxy-Authenticate",
                                                "Authentication-Info",
                                                "Proxy-Authentication-Info"};
    return names;
}

Answer with_fields(std::vector<Field> fields) {
    return {200, std::move(fields), body::Bytes{"{}"}, std::nullopt};
}

RC_GTEST_PROP(StoredFormLaws, framing_and_credentials_are_never_kept_however_written, ()) {
    const auto name = *rc::gen::elementOf(framing_and_credentials());
    const auto written = gen::in_random_case(name);
    RC_ASSERT(is_never_kept(written));
    const AnswerLimits limits{.max_body_bytes = 10, .kept_fields = {name, written}};
    RC_ASSERT(
        stored_form(with_fields({{written, "x"}}), Exposure::ordinary, limits).fields.empty());
}

TEST(StoredForm, a_name_is_never_kept_whole_and_not_in_part) {
    for (const auto* name : {"", "Dat", "Date2", "X-Date", "Cookies", "ET", "Content-Type",
                             "Content-Encoding", "Location", "ETag", "Retry-After"}) {
        EXPECT_FALSE(is_never_kept(name)) << name;
    }
}

RC_GTEST_PROP(StoredFormLaws, what_describes_the_body_is_kept_whatever_the_policy_lists, ()) {
    const auto name = gen::in_random_case(
        *rc::gen::element<std::string>("Content-Type", "Content-Encoding", "Location", "ETag"));
    auto answer = *gen::answer();
    answer.fields.push_back({name, "gzip"});
    const auto exposure = *rc::gen::element(Exposure::ordinary, Exposure::secret);
    const auto stored = stored_form(answer, exposure, *gen::answer_limits());
    RC_ASSERT(!stored.fields.empty());
    RC_ASSERT(stored.fields.back() == answer.fields.back());
}

RC_GTEST_PROP(StoredFormLaws, other_fields_are_kept_in_order_when_they_are_listed, ()) {
    const auto answer = *gen::answer();
    const auto limits = *gen::answer_limits();
    std::vector<Field> kept;
    for (const auto& field : answer.fields) {
        // Every spelling that gen::answer() draws.
        const bool always = field.name == "Content-Type" || field.name == "content-encoding" ||
                            field.name == "ETAG" || field.name == "Location";
        const bool listed = !limits.kept_fields.empty() &&
                            (field.name == "X-Request-Cost" || field.name == "x-request-cost");
        if (always || listed) kept.push_back(field);
    }
    RC_CLASSIFY(kept.size() < answer.fields.size(), "something dropped");
    RC_ASSERT(stored_form(answer, Exposure::ordinary, limits).fields == kept);
}

RC_GTEST_PROP(StoredFormLaws, status_and_reference_stay_and_a_second_time_changes_nothing, ()) {
    const auto answer = *gen::answer();
    const auto exposure = *rc::gen::element(Exposure::ordinary, Exposure::secret);
    const auto limits = *gen::answer_limits();
    const auto stored = stored_form(answer, exposure, limits);
    RC_ASSERT(stored.status == answer.status);
    RC_ASSERT(stored.reference == answer.reference);
    RC_ASSERT(stored_form(stored, exposure, limits) == stored);
    RC_ASSERT(stored_form(stored, Exposure::secret, limits).status == answer.status);
}

Body stored_body(Body body, Exposure exposure) {
    const AnswerLimits limits{.max_body_bytes = 4, .kept_fields = {}};
    return stored_form({200, {}, std::move(body), std::nullopt}, exposure, limits).body;
}

TEST(StoredForm, a_body_stays_up_to_the_limit) {
    for (const auto* kept : {"", "123", "1234"}) {
        EXPECT_EQ(stored_body(body::Bytes{kept}, Exposure::ordinary), Body{body::Bytes{kept}});
    }
    EXPECT_EQ(stored_body(body::Bytes{"12345"}, Exposure::ordinary),
              Body{body::Omitted{Omission::too_large}});
}

TEST(StoredForm, a_secret_body_goes_however_short_it_is) {
    for (const auto* hidden : {"", "1234", "12345"}) {
        EXPECT_EQ(stored_body(body::Bytes{hidden}, Exposure::secret),
                  Body{body::Omitted{Omission::secret}});
    }
}

TEST(StoredForm, what_is_left_out_already_keeps_its_reason_and_none_is_not_empty) {
    for (const auto exposure : {Exposure::ordinary, Exposure::secret}) {
        for (const Body& as_it_is :
             {Body{body::None{}}, Body{body::Omitted{Omission::too_large}},
              Body{body::Omitted{Omission::streamed}}, Body{body::Omitted{Omission::secret}}}) {
            EXPECT_EQ(stored_body(as_it_is, exposure), as_it_is);
        }
    }
    EXPECT_NE(Body{body::None{}}, Body{body::Bytes{}});
}

}  // namespace
}  // namespace counterfoil
