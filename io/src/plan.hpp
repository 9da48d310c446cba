/// Who takes which points of a field to whom: worked out once for a way of cutting the domain up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crew.hpp"
#include "engine.hpp"
#include "staged.hpp"

namespace squall::io {

using Holdings = Shares;

/// Part of a box on its way from one writer to another, or from one box of this writer to another.
struct Leg {
    int writer = 0;               ///< at the other end
    std::size_t from = 0, to = 0; ///< index among this writer's boxes of before, and of after
    Box part;
};

/// One field's points, on one writer. Of what goes between the same two writers both have the legs in
/// the same order.
struct Plan {
    std::vector<Box> from, to; ///< this writer's boxes before and after
    std::vector<Leg> sends, receives, stays;

    /// Whether the boxes can be written as they are.
    bool nothing_to_do() const { return sends.empty() && receives.empty() && from == to; }
};

/// From lists of which all writers know all.
Plan plan_between(const Shares &from, const Shares &to, int writer);

/// The plans of the fields of a frame, or of those fixed in time. Collective over the crew, which throws
/// the same Error on all writers where a point is missing or was put twice. `boxes`: this writer's, in
/// the order of its blocks. Nobody learns more than who has what of his shares: O(P) letters in all.
/// Fills in `plans`, one per field of the layout; fields that are not `per_frame` as asked stay. Fields
/// cut up alike share a plan. Null: the engine takes what comes.
void make_plans(const Crew &crew, const Layout &layout, bool per_frame,
                const std::vector<std::pair<int, Box>> &boxes,
                std::vector<std::shared_ptr<const Plan>> &plans);

} // namespace squall::io
