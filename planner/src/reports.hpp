/// Diagnostics of a frame, stations or zonal means, on their way to rank 0: made by the ranks that hold the
/// points, where only what is not whole goes up the output runtime's tree of ranks; or made by rank 0 of
/// whole fields that all others send.
#pragma once

#include "count/count.hpp"
#include "step_plan.hpp"

namespace squall::planner {

struct ReportPlan {
    StepPlan travel;  ///< a phase for each round of the tree, or one for all
    double first = 0; ///< terms that the rank with most adds up before anything travels
    double last = 0;  ///< that rank 0 adds up once all is there
    double held = 0;  ///< bytes that a rank hears and holds, at most
};

/// `what`: stations or means, by field; the domain and its patches are the world's. Counted with the
/// runtime's own code, of made-up values.
ReportPlan plan_in_place(const World &world, bench::Diagnostics what);
ReportPlan plan_gathered(const World &world, const bench::Diagnostics &what);

} // namespace squall::planner
