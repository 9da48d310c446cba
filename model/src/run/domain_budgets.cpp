// What a domain and the nests inside it keep account of.
#include <algorithm>
#include <cmath>
#include <utility>

#include "run/domain.hpp"

namespace squall {
namespace {

constexpr double interval = 3600; ///< [s]

/// Whole intervals until a time that steps have added up to.
std::int64_t intervals(double seconds) { return std::llround(std::floor(seconds / interval + 1e-9)); }

} // namespace

bool Domain::some_nest_ends() const {
    return std::ranges::any_of(nests_, [this](const Nest &nest) {
        return lives(nest) && (reached(nest.last) || nest.domain->some_nest_ends());
    });
}

bool Domain::budgets_due() const {
    return intervals(seconds()) > intervals(seconds() - last_step_) || some_nest_ends();
}

/// What a nest and this domain both have, on this rank.
Content Domain::covered_by(const Nest &nest) const {
    if (!dynamics_) return {};
    const Region r = meet(nest.place.covered(),
                          {patch_.x0, patch_.x0 + patch_.shape.nx, patch_.y0, patch_.y0 + patch_.shape.ny});
    if (r.empty()) return {};
    return dynamics_->content({r.i0 - patch_.x0, r.i1 - patch_.x0, r.j0 - patch_.y0, r.j1 - patch_.y0, 0, 1});
}

/// Of this rank; closed ones begin anew.
void Domain::collect(std::vector<Account> &accounts, bool close) {
    if (dynamics_) account_.crossed += dynamics_->take_crossing();
    accounts.push_back(account_);
    if (close && exists()) {
        accounts.back().now = holdings();
        account_.open(seconds(), accounts.back().now);
    }
    for (Nest &nest : nests_) nest.domain->collect(accounts, close);
}

/// Of accounts of all ranks, from this domain's on, those that say something.
void Domain::tell(std::span<const Account> accounts, std::size_t &next, std::vector<Budget> &budgets) const {
    const Account &account = accounts[next++];
    if (exists() && account.began < seconds()) {
        Budget budget = budget_of(account, seconds());
        budget.domain = config_.identity.id, budget.name = config_.identity.name;
        budgets.push_back(std::move(budget));
    }
    for (const Nest &nest : nests_) nest.domain->tell(accounts, next, budgets);
}

std::vector<Account> Domain::accounts(bool close) {
    std::vector<Account> all;
    collect(all, close);
    add_up(session_.comm(), all);
    return all;
}

std::vector<Budget> Domain::close_budgets() {
    const std::vector<Account> all = accounts(true);
    std::vector<Budget> budgets;
    std::size_t next = 0;
    tell(all, next, budgets);
    return budgets;
}

} // namespace squall
