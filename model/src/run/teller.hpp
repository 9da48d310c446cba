/// Where rank 0 tells how far a run is.
#pragma once

#include <optional>
#include <vector>

#include "run/budget.hpp"
#include "run/domain.hpp"
#include "run/progress.hpp"
#include "run/roll_call.hpp"
#include "run/run_log.hpp"
#include "run/status_file.hpp"

namespace squall {

/// On the screen, in the log and in the status file; on other ranks than the first it does nothing.
class Teller {
  public:
    /// `adapts`: whether steps differ in length.
    Teller(RunLog &log, StatusFile *status, bool adapts) : log_(log), status_(status), adapts_(adapts) {}

    /// From a model time [s] on.
    void begin(double seconds, double end);
    void step(const Domain &root, const Health &health);
    void ranks(const std::vector<RankState> &states);
    /// To the log where there are nests.
    void budgets(const std::vector<Budget> &closed);
    void finish();

    /// Since the run began, of each domain.
    const std::vector<Budget> &all_budgets() const { return book_.total(); }

  private:
    RunLog &log_;
    StatusFile *status_; ///< null on other ranks
    bool adapts_;
    std::optional<Progress> screen_, logged_;
    BudgetBook book_;
    std::vector<StreamCost> costs_; ///< of streams, in the step that is told
};

} // namespace squall
