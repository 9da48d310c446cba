#include "run/teller.hpp"

#include <iostream>

namespace squall {
void Teller::begin(double seconds, double end) {
    if (!status_) return;
    const bool redrawn = on_terminal(); // which is nothing for a file
    screen_.emplace(redrawn ? log_.screen() : std::cout, redrawn, seconds, end);
    if (redrawn) logged_.emplace(log_.only(), false, seconds, end);
    status_->begin(seconds);
}

void Teller::step(const Domain &root, const Health &health) {
    if (!status_) return;
    const double length = adapts_ ? root.last_step() : 0;
    screen_->step(root.seconds(), health, length);
    if (logged_) logged_->step(root.seconds(), health, length);
    costs_.clear();
    root.gather(costs_);
    status_->step(root.seconds(), root.steps_done(), health, costs_);
}

void Teller::ranks(const std::vector<RankState> &states) {
    if (status_) status_->ranks(states);
}

void Teller::budgets(const std::vector<Budget> &closed) {
    if (!status_ || closed.empty()) return;
    book_.add(closed);
    status_->budgets(closed);
    if (book_.total().size() > 1) log_.only() << format_budgets(closed) << std::flush;
}

void Teller::finish() {
    if (!status_) return;
    screen_->finish();
    if (logged_) logged_->finish();
}

} // namespace squall
