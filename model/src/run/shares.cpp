#include "run/shares.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/array.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

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

/// Of a step without nests, on exactly so many ranks, in columns that one rank computes. A halo, of which
/// little is computed, counts one column on each side (two ranks are 1.86 times as fast as one on 41 x 41
/// columns), across rows two, as in choose_process_grid.
double time_alone(const DomainConfig &d, int grain, int ranks) {
    double time = impossible;
    for (int px = 1; px <= ranks; ++px) {
        const int x = longest(d.nx, px, grain, 4);
        if (x == 0) break;
        if (ranks % px != 0) continue;
        const int y = longest(d.ny, ranks / px, grain, 2);
        if (y > 0) time = std::min(time, d.nz * (double(x) * y + (ranks > 1 ? columns_of_messages : 0)));
    }
    return time;
}

/// A domain and what is inside it while ranks are added, from one on, one by one. Of fewer ranks it keeps
/// which were best: how much memory it takes has nothing to do with how many there are.
class Node {
  public:
    /// `steps`: of it in one of its parent. On one rank.
    Node(const Config &domain, double steps);
    void add_rank();
    void grow_to(int ranks) {
        while (ranks_ < ranks) add_rank();
    }

    int ranks() const { return ranks_; }
    /// Up to so many ranks, how many make it fastest, with nests.
    int best() const { return best_; }
    /// On these, in a step of the parent.
    double time() const { return steps_ * least_; }

    /// Whether its nests, on all its ranks, had better step side by side.
    bool nests_go_apart() const { return side_by_side() < one_after_the_other(); }
    /// Those in a domain's order: each with all ranks that it may take.
    const std::vector<Node> &nests() const { return nests_go_apart() ? apart_ : together_; }

  private:
    void look_at_ranks();
    double one_after_the_other() const {
        return std::accumulate(together_.begin(), together_.end(), 0.0,
                               [](double sum, const Node &n) { return sum + n.time(); });
    }
    double side_by_side() const {
        const bool possible = apart_.size() > 1 && ranks_ >= int(apart_.size());
        return possible ? apart_[slowest()].time() : impossible;
    }
    /// Of those side by side, the first.
    std::size_t slowest() const {
        return std::size_t(std::ranges::max_element(apart_, {}, &Node::time) - apart_.begin());
    }

    DomainConfig domain_;
    int grain_;
    double steps_;
    int ranks_ = 1, best_ = 1;
    double least_ = impossible;
    // Its nests twice: all on all of its ranks, and each on its own, one more of which always goes to the
    // slowest.
    std::vector<Node> together_, apart_;
};

std::vector<Node> nests_of(const Config &domain) {
    std::vector<Node> nests;
    for (const auto &[nest, id] : nests_inside(domain))
        nests.emplace_back(nest_config(domain, *nest, id), nest->time_step_ratio());
    return nests;
}

Node::Node(const Config &domain, double steps)
    : domain_(domain.domain), grain_(domain.identity.parent_grid_ratio), steps_(steps),
      together_(nests_of(domain)) {
    if (together_.size() > 1) apart_ = together_;
    look_at_ranks();
}

void Node::add_rank() {
    ++ranks_;
    for (Node &nest : together_) nest.add_rank();
    if (!apart_.empty() && ranks_ > int(apart_.size())) apart_[slowest()].add_rank();
    look_at_ranks();
}

void Node::look_at_ranks() {
    double time = time_alone(domain_, grain_, ranks_);
    if (!together_.empty()) time += std::min(one_after_the_other(), side_by_side());
    if (time < least_) least_ = time, best_ = ranks_;
}

/// Shares of a domain and of all inside it.
void assign(const Config &domain, Share share, std::vector<Share> &shares) {
    shares[std::size_t(domain.identity.id - 1)] = share;
    Node node(domain, 1);
    node.grow_to(share.count);
    const bool apart = node.nests_go_apart();
    int first = share.first;
    std::size_t n = 0;
    for (const auto &[nest, id] : nests_inside(domain)) {
        const Node &inner = node.nests()[n++];
        assign(nest_config(domain, *nest, id), {first, inner.best()}, shares);
        if (apart) first += inner.ranks();
    }
}

} // namespace

std::vector<Share> choose_shares(const Config &config, int ranks) {
    std::vector<Share> shares(config.nests.size() + 1, Share{0, ranks});
    if (ranks > 1 && !config.nests.empty()) assign(config, {0, ranks}, shares);
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
