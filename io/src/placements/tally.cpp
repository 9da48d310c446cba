#include "placements/tally.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace squall::io {

void Tally::done(const Outcome &outcome) {
    const std::lock_guard lock(mutex_);
    if (outcome.ends_file && outcome.fault.empty()) return;
    outcomes_.push_back(outcome);
    if (outcome.ends_file) outcomes_.back().number = -1; // no frame
    if (outcome.fault.empty()) return;
    if (continues_) {
        if (speaks_)
            fmt::print(stderr, "squall io: {}; the run continues, as on_error = \"continue\" says\n",
                       outcome.fault);
    } else {
        failure_ += (failure_.empty() ? "" : "\n") + outcome.fault;
    }
}

void Tally::throw_if_failed() {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) return;
    throw Error(std::exchange(failure_, ""));
}

} // namespace squall::io
