/// Who takes which points of a field to whom: worked out once for a way of cutting the domain up.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agree/rank_group.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "stage/staged.hpp"

namespace squall::io {

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

/// Works out one writer's plans for the fields of a frame, or of those fixed in time. Local: what others must
/// know is in packets, which somebody has to carry. Nobody learns more than who has what of his shares.
class Planner {
  public:
    /// Of `writers`, this is number `writer`. `boxes`: its own, in the order of its blocks.
    Planner(const Layout &layout, bool per_frame, int writer, int writers,
            const std::vector<std::pair<int, Box>> &boxes);

    /// What this writer has to tell others, and itself.
    std::vector<RankGroup::Packet> packets();
    /// Takes in what has come. Returns what is missing of this writer's shares, or was put twice; "" if
    /// nothing.
    std::string hear(const std::vector<RankGroup::Packet> &packets);
    /// The plan of a field that was asked for. Fields that are cut up alike share one.
    const std::shared_ptr<const Plan> &plan(int field) const { return plans_[field]; }
    bool concerned(int field) const { return layout_.fields[field].field.per_frame == per_frame_; }

  private:
    /// Boxes of another writer that reach into this one's shares of a field.
    struct Holder {
        int writer;
        std::vector<Box> boxes;
        friend bool operator==(const Holder &, const Holder &) = default;
    };
    /// Boxes of this writer that reach into another one's shares of some fields.
    struct Notice {
        std::vector<int> fields;
        std::vector<Box> boxes;
        void append_to(std::vector<std::int64_t> &words) const;
        static Notice read(std::vector<std::int64_t>::const_iterator &at);
    };

    void look_out(int field);
    std::string complete(int field);
    std::string hole_in(int field, const std::vector<Box> &shares) const;

    const Layout &layout_;
    bool per_frame_;
    int writer_, writers_;
    std::vector<std::vector<Box>> mine_;
    std::vector<std::vector<Holder>> holders_;
    std::map<int, std::vector<Notice>> notices_; ///< per receiver
    std::vector<std::shared_ptr<const Plan>> plans_;
    std::shared_ptr<const Plan> previous_; ///< of the field before
    int previous_field_ = 0;
    std::string previous_hole_;
};

/// The plans of the fields of a frame, or of those fixed in time. Collective over the group, which throws
/// the same Error on all writers where a point is missing or was put twice. `boxes`: this writer's, in
/// the order of its blocks. Fills in `plans`, one per field of the layout; fields that are not `per_frame` as
/// asked stay. Null: the engine takes what comes.
void make_plans(const RankGroup &group, const Layout &layout, bool per_frame,
                const std::vector<std::pair<int, Box>> &boxes,
                std::vector<std::shared_ptr<const Plan>> &plans);

} // namespace squall::io
