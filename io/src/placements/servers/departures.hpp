/// Computing ranks that end, as a server sees them. Each server watches those of its node that say goodbye to
/// it; of others the launcher has to know.
#pragma once

#include <set>

namespace squall::io {
class RankGroup;
struct SessionRanks;
} // namespace squall::io

namespace squall::io::servers {

class Departures {
  public:
    /// Both must outlive this object.
    Departures(const SessionRanks &session_ranks, const RankGroup &group)
        : session_ranks_(session_ranks), group_(group) {}

    /// A rank has said goodbye: it may end.
    void has_closed(int rank) { closed_.insert(rank); }

    /// Whether one has gone without a word, without which the run cannot end.
    bool any() const { return gone_ >= 0; }

    /// Looks whether one has. Throws Error where it had `deadline` seconds ago, unless something is
    /// `draining`: what had come of it until then is stored first.
    void look(double time, double deadline, bool draining);

  private:
    bool has_gone(int rank) const;

    const SessionRanks &session_ranks_;
    const RankGroup &group_;
    std::set<int> closed_;
    int gone_ = -1;
    double gone_since_ = 0; ///< when that was seen
};

} // namespace squall::io::servers
