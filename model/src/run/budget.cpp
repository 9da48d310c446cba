#include "run/budget.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "run/text.hpp"

namespace squall {
namespace {

MassBudget balance(const ExactSum &first, const ExactSum &now, const Flow &flow, const ExactSum &rim,
                   const ExactSum &nests) {
    const ExactSum change = now - first;
    return {now.value(),
            change.value(),
            flow.in.value(),
            flow.out.value(),
            rim.value(),
            nests.value(),
            (change - flow.in + flow.out - rim - nests).value()};
}

std::string row(const Budget &b, double to_mean, const char *kind, const MassBudget &m) {
    const auto part = [=](double mass) { return fmt::format("{:+.3e}", mass * to_mean); };
    const std::string name = b.name.empty() ? "outermost domain" : b.name;
    return fmt::format("  {:<16}  {:<5}  {:>12.6g}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}\n", name,
                       kind, m.mass * to_mean, part(m.change), part(m.in), part(0 - m.out), part(m.rim),
                       part(m.nests), part(m.rest));
}

} // namespace

MassBudget &MassBudget::operator+=(const MassBudget &next) {
    mass = next.mass;
    change += next.change, in += next.in, out += next.out, rim += next.rim, nests += next.nests;
    rest += next.rest;
    return *this;
}

Budget &Budget::operator+=(const Budget &next) {
    to = next.to, area = next.area;
    dry += next.dry, water += next.water;
    return *this;
}

void add_up(MPI_Comm comm, std::vector<Account> &accounts) {
    std::vector<ExactSum *> sums;
    std::vector<std::int64_t> numbers;
    std::vector<double> began;
    for (Account &account : accounts) {
        began.push_back(account.began);
        for (ExactSum *sum : account.kept_sums()) sums.push_back(sum);
        for (ExactSum *sum : account.sums_of_now()) sums.push_back(sum);
    }
    for (const ExactSum *sum : sums) numbers.insert(numbers.end(), {sum->coarse(), sum->fine()});
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, began.data(), static_cast<int>(began.size()), MPI_DOUBLE, MPI_MAX, comm);
    for (std::size_t n = 0; n < sums.size(); ++n) *sums[n] = ExactSum::of(numbers[2 * n], numbers[2 * n + 1]);
    for (std::size_t n = 0; n < accounts.size(); ++n) accounts[n].began = began[n];
}

Budget budget_of(const Account &a, double seconds) {
    Budget b;
    b.from = a.began, b.to = seconds;
    b.area = a.now.all.area.value();
    const Content rim = a.now.rim - a.at_first.rim;
    b.dry = balance(a.at_first.all.dry, a.now.all.dry, a.crossed.dry, rim.dry, a.fed_back.dry);
    b.water = balance(a.at_first.all.water, a.now.all.water, a.crossed.water, rim.water + a.crossed.relaxed,
                      a.fed_back.water);
    return b;
}

std::string format_budgets(const std::vector<Budget> &budgets) {
    if (budgets.empty()) return "";
    const Budget &first = budgets.front();
    std::string text =
        fmt::format("budget of {} to {}: dry air [Pa] and water [kg m-2], means over each domain\n",
                    format_duration(first.from), format_duration(first.to));
    text += fmt::format("  {:<16}  {:<5}  {:>12}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}\n", "", "",
                        "now", "change", "in", "out", "rim", "nests", "rest");
    for (const Budget &b : budgets) {
        if (b.from != first.from || b.to != first.to)
            text +=
                fmt::format("  {} from {} to {}:\n", b.name, format_duration(b.from), format_duration(b.to));
        text += row(b, constants::g / b.area, "dry", b.dry);
        if (b.water.mass != 0 || b.water.in != 0) text += row(b, 1 / b.area, "water", b.water);
    }
    return text;
}

void BudgetBook::add(const std::vector<Budget> &budgets) {
    for (const Budget &b : budgets) {
        const auto known = std::ranges::find(total_, b.domain, &Budget::domain);
        if (known == total_.end())
            total_.push_back(b);
        else
            *known += b;
    }
}

} // namespace squall
