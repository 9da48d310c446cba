#include "nest_plan.hpp"

#include <algorithm>

#include "round.hpp"
#include "run/domain_start.hpp"
#include "run/shares.hpp"
#include "settings/nests.hpp"

namespace squall::planner {
namespace {

/// Regions of ranks by where they begin, so that those that meet another are found without a look at all.
class Sorted {
  public:
    explicit Sorted(const std::vector<Region> &regions) {
        for (int r = 0; r < std::ssize(regions); ++r) {
            const Region &region = regions[static_cast<std::size_t>(r)];
            if (region.empty()) continue;
            all_.push_back({r, region});
            tallest_ = std::max(tallest_, region.j1 - region.j0);
        }
        std::ranges::stable_sort(all_, {}, [](const auto &entry) { return entry.second.j0; });
    }
    /// Runs f(rank, points) for each that has points of `wanted`.
    template <class F> void for_each_in(const Region &wanted, F f) const {
        if (wanted.empty()) return;
        const auto row = [](const auto &entry) { return entry.second.j0; };
        for (auto at = std::ranges::lower_bound(all_, wanted.j0 - tallest_ + 1, {}, row);
             at != all_.end() && at->second.j0 < wanted.j1; ++at) {
            const Region both = meet(at->second, wanted);
            if (!both.empty()) f(at->first, double(both.i1 - both.i0) * (both.j1 - both.j0));
        }
    }

  private:
    std::vector<std::pair<int, Region>> all_;
    int tallest_ = 0;
};

std::vector<Region> of_all(const std::function<Region(int)> &region, int ranks) {
    std::vector<Region> regions;
    for (int r = 0; r < ranks; ++r) regions.push_back(region(r));
    return regions;
}

/// Ranks of a nest's share, which is within its parent's.
World on_share(const World &parent, const Config &nest, const Share &outer, const Share &inner) {
    World world = parent;
    const auto first = parent.clients.begin() + (inner.first - outer.first);
    world.clients.assign(first, first + inner.count);
    world.patches.clear();
    for (int r = 0; r < inner.count; ++r) world.patches.push_back(patch_of(nest, inner, inner.first + r));
    return world;
}

/// The messages of one plan after those of another.
void append(const StepPlan &more, StepPlan &plan) {
    plan.phases.insert(plan.phases.end(), more.phases.begin(), more.phases.end());
    plan.messages += more.messages, plan.bytes += more.bytes;
}

/// Those of the parent that the nest has not compute beside it.
void set_beside(World &world, const World &parent) {
    for (const int rank : parent.clients)
        if (!std::ranges::binary_search(world.clients, rank)) world.beside.push_back(rank);
}

NestPlan plan_nest(const Config &config, const World &world, const NumberedNest &numbered,
                   const std::vector<Share> &shares);

std::vector<NestPlan> plan_inside(const Config &config, const World &world,
                                  const std::vector<Share> &shares) {
    std::vector<NestPlan> nests;
    for (const NumberedNest &nest : nests_inside(config))
        nests.push_back(plan_nest(config, world, nest, shares));
    if (side_by_side(nests))
        for (NestPlan &nest : nests) set_beside(nest.world, world);
    for (NestPlan &nest : nests) nest.nests = plan_inside(nest.config, nest.world, shares);
    return nests;
}

/// Without what is inside it.
NestPlan plan_nest(const Config &config, const World &world, const NumberedNest &numbered,
                   const std::vector<Share> &shares) {
    const NestConfig &nest = *numbered.nest;
    const auto share = [&](int id) { return shares[static_cast<std::size_t>(id - 1)]; };
    const Share outer = share(config.identity.id), inner = share(numbered.id);
    NestPlan plan;
    plan.config = nest_config(config, nest, numbered.id);
    plan.world = on_share(world, plan.config, outer, inner);
    plan.steps = nest.time_step_ratio();
    const auto [traffic, exchanges, rim] = traffic_of_a_nest(config, nest, numbered.id);
    plan.step = plan_step(plan.world, exchanges);
    const NestPlace place{nest.i_parent_start - 1, nest.j_parent_start - 1, nest.parent_grid_ratio, nest.nx,
                          nest.ny};
    const Patch &patch = world.patches.front(), &inside = plan.world.patches.front();
    const int first = inner.first - outer.first;
    plan.look = plan_regions(world, layout_of_windows(place, patch, inside, first), traffic.looked);
    append(plan_step(plan.world, rim), plan.look);
    plan.feedback.cells.assign(static_cast<std::size_t>(world.nodes()), 0);
    if (!nest.feedback) return plan;
    plan.feedback = plan_regions(world, layout_of_feedback(place, patch, inside, first), traffic.fed_back);
    append(plan_step(world, traffic.smoothing), plan.feedback);
    return plan;
}

} // namespace

StepPlan plan_regions(const World &parent, const RegionLayout &layout, int values) {
    StepPlan plan;
    const int ranks = static_cast<int>(parent.clients.size());
    const Sorted owned(of_all(layout.owned, ranks));
    const double bytes = double(values) * sizeof(real);
    Round round(parent);
    for (int to = 0; to < ranks; ++to)
        owned.for_each_in(layout.wanted(to), [&](int from, double points) {
            if (from == to)
                round.copy(to, points * bytes);
            else
                round.send(from, to, points * bytes, 1, plan);
        });
    plan.phases.push_back(round.done());
    plan.cells.assign(static_cast<std::size_t>(parent.nodes()), 0);
    return plan;
}

bool side_by_side(const std::vector<NestPlan> &nests) {
    return nests.size() > 1 && nests[0].world.clients.front() != nests[1].world.clients.front();
}

std::vector<NestPlan> plan_nests(const Config &config, const World &world) {
    if (config.nests.empty()) return {};
    return plan_inside(config, world, choose_shares(config, static_cast<int>(world.clients.size())));
}

} // namespace squall::planner
