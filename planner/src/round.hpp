/// A phase of messages between any ranks, not only neighbours.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "step_plan.hpp"

namespace squall::planner {

class Round {
  public:
    explicit Round(const World &world);

    /// From one computing rank to another, both by the number of their patches; counted in `plan`.
    void send(int from, int to, double bytes, int messages, StepPlan &plan);
    /// What a rank copies of its own.
    void copy(int rank, double bytes);
    Phase done();

  private:
    /// Of one rank.
    struct Load {
        double packed = 0; ///< bytes
        int sent = 0, heard = 0;
    };
    Load &load(int rank) { return loads_[static_cast<std::size_t>(rank)]; }

    const World &world_;
    std::vector<std::map<int, Flow>> out_;
    std::vector<Load> loads_;
    Phase phase_;
};

} // namespace squall::planner
