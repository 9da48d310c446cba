#include "run/shares.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/array.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

/// Time of a step by number of ranks, from 1, in columns that one rank computes.
using Times = std::vector<double>;

/// What messages of a step cost, in columns: some 30 exchanges of a few microseconds.
constexpr double columns_of_messages = 6;

/// Of the longest part of n cells, in whole grains, and `more` for its halos if there are any. 0: the
/// narrowest part is not as wide as a halo.
int longest(int n, int parts, int grain, int more) {
    const int grains = n / grain;
    if (parts == 1) return n;
    if (grains / parts * grain < halo_width) return 0;
    return (grains + parts - 1) / parts * grain + more;
}

/// Without nests. A halo, of which little is computed, counts one column on each side (two ranks are 1.86
/// times as fast as one on 41 x 41 columns), across rows two, as in choose_process_grid.
Times times_alone(const Config &domain, int ranks) {
    const DomainConfig &d = domain.domain;
    const int grain = domain.identity.parent_grid_ratio;
    Times times(std::size_t(ranks), impossible);
    for (int px = 1; px <= ranks; ++px) {
        const int x = longest(d.nx, px, grain, 4);
        if (x == 0) break;
        for (int py = 1; px * py <= ranks; ++py) {
            const int y = longest(d.ny, py, grain, 2);
            if (y == 0) break;
            double &time = times[std::size_t(px * py - 1)];
            time = std::min(time, d.nz * (double(x) * y + (px * py > 1 ? columns_of_messages : 0)));
        }
    }
    return times;
}

/// A domain and what is inside it.
struct Node {
    int id;
    double steps;          ///< of it in one of its parent
    Times times;           ///< with nests, on exactly so many ranks
    std::vector<int> best; ///< up to so many ranks, how many make it fastest
    std::vector<Node> nests{};

    /// On at most so many ranks, in a step of the parent.
    double time(int ranks) const { return steps * times[std::size_t(best[std::size_t(ranks - 1)] - 1)]; }
};

/// Which of those side by side on so many ranks each takes at most: one more always goes to the slowest.
class SideBySide {
  public:
    explicit SideBySide(std::span<const Node> nodes) : nodes_(nodes), ranks_(nodes.size(), 1) {}
    double time() const { return nodes_[slowest()].time(ranks_[slowest()]); }
    void add_rank() { ++ranks_[slowest()]; }
    const std::vector<int> &ranks() const { return ranks_; }

  private:
    std::size_t slowest() const {
        std::size_t found = 0;
        for (std::size_t n = 1; n < nodes_.size(); ++n)
            if (nodes_[n].time(ranks_[n]) > nodes_[found].time(ranks_[found])) found = n;
        return found;
    }
    std::span<const Node> nodes_;
    std::vector<int> ranks_;
};

double one_after_the_other(std::span<const Node> nodes, int ranks) {
    return std::accumulate(nodes.begin(), nodes.end(), 0.0,
                           [&](double sum, const Node &n) { return sum + n.time(ranks); });
}

Node look_at(const Config &domain, double steps, int ranks) {
    Node node{domain.identity.id, steps, times_alone(domain, ranks), {}};
    for (const auto &[nest, id] : nests_inside(domain))
        node.nests.push_back(look_at(nest_config(domain, *nest, id), nest->time_step_ratio(), ranks));
    const int siblings = int(node.nests.size());
    SideBySide beside(node.nests);
    for (int r = 1; r <= ranks && siblings > 0; ++r) {
        double inside = one_after_the_other(node.nests, r);
        if (r > siblings) beside.add_rank();
        if (siblings > 1 && r >= siblings) inside = std::min(inside, beside.time());
        node.times[std::size_t(r - 1)] += inside;
    }
    for (int r = 1, best = 1; r <= ranks; ++r) {
        if (node.times[std::size_t(r - 1)] < node.times[std::size_t(best - 1)]) best = r;
        node.best.push_back(best);
    }
    return node;
}

void assign(const Node &node, Share share, std::vector<Share> &shares) {
    shares[std::size_t(node.id - 1)] = share;
    const int siblings = int(node.nests.size());
    std::vector<int> apart;
    if (siblings > 1 && share.count >= siblings) {
        SideBySide beside(node.nests);
        for (int r = siblings; r < share.count; ++r) beside.add_rank();
        if (beside.time() < one_after_the_other(node.nests, share.count)) apart = beside.ranks();
    }
    int first = share.first;
    for (std::size_t n = 0; n < node.nests.size(); ++n) {
        const int most = apart.empty() ? share.count : apart[n];
        assign(node.nests[n], {first, node.nests[n].best[std::size_t(most - 1)]}, shares);
        if (!apart.empty()) first += most;
    }
}

} // namespace

std::vector<Share> choose_shares(const Config &config, int ranks) {
    std::vector<Share> shares(config.nests.size() + 1, Share{0, ranks});
    if (ranks > 1 && !config.nests.empty()) assign(look_at(config, 1, ranks), {0, ranks}, shares);
    return shares;
}

ShareComm::ShareComm(const ShareComm &outer, bool member) : comm_(MPI_COMM_NULL), mine_(true) {
    if (outer.comm_ != MPI_COMM_NULL) MPI_Comm_split(outer.comm_, member ? 0 : MPI_UNDEFINED, 0, &comm_);
}

ShareComm::~ShareComm() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (mine_ && comm_ != MPI_COMM_NULL && !finalized) MPI_Comm_free(&comm_);
}

ShareComm::ShareComm(ShareComm &&other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), mine_(std::exchange(other.mine_, false)) {}

} // namespace squall
