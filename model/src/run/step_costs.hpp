/// What stepping the domains of a run has cost.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace squall {

/// Of one domain, on this rank.
struct DomainCost {
    std::string name; ///< of a nest; empty: the outermost domain
    std::int64_t steps = 0;
    double own = 0; ///< its steps and the check of its state [s]
    double nesting =
        0; ///< its rim, if its parent fills that, and what passes to and from nests inside it [s]
};

/// Of all domains, the outermost first: mean over ranks.
struct StepCosts {
    std::vector<DomainCost> domains;
    double own() const;
    double nesting() const;
    /// Time of the nested run's steps over that of its domains' own.
    double ratio() const { return own() > 0 ? 1 + nesting() / own() : 1; }
};

/// One line for a run with nests, else nothing.
std::string format_step_costs(const StepCosts &costs);

/// Divides the time since it was made among sums.
class Laps {
  public:
    /// Adds to `sum` the time since the last call [s].
    void add_to(double &sum) {
        const auto now = Clock::now();
        sum += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }
    /// Adds it to none.
    void skip() { last_ = Clock::now(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
};

} // namespace squall
