#include "run/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "parallel/decomposition.hpp"
#include "settings/nests.hpp"
#include "settings/network.hpp"
#include "squall/io.hpp"

namespace squall {
namespace {

/// Near-equal parts of n cells in whole grains: the smallest and the largest.
std::array<int, 2> part_sizes(int n, int parts, int grain) {
    const int grains = n / grain;
    return {grains / parts * grain, (grains + parts - 1) / parts * grain};
}

StepPlan plan_step(const Config &c, const PlanFacts &facts) {
    StepPlan p;
    p.stepping = make_stepping(c);
    // From a time that is no whole number of steps, the first is shorter.
    p.steps = std::llround(std::ceil((c.run.duration - facts.begin) / c.run.time_step - 1e-3));
    p.wind = facts.wind, p.wind_assumed = facts.wind_assumed;
    // |u|/dx + |v|/dy is largest where the wind blows along (1/dx, 1/dy).
    const double wavenumber =
        p.stepping.one_row ? 1 / c.domain.dx : std::hypot(1 / c.domain.dx, 1 / c.domain.dy);
    p.courant = facts.wind * c.run.time_step * wavenumber;
    p.courant_limit = advection_limit(p.stepping.horizontal_order);
    p.acoustic = acoustic_courant(p.stepping);

    p.recommended_step = usual_time_step(p.stepping);
    if (facts.wind > 0)
        p.recommended_step = std::min(p.recommended_step, 0.8 * p.courant_limit / (facts.wind * wavenumber));
    p.recommended_step = round_step(p.recommended_step);
    p.recommended_substeps = substeps_needed(p.stepping);
    return p;
}

const StreamFacts &facts_of(const PlanFacts &facts, const std::string &stream) {
    const auto found = std::find_if(facts.streams.begin(), facts.streams.end(),
                                    [&](const StreamFacts &f) { return f.name == stream; });
    if (found == facts.streams.end())
        throw std::invalid_argument(fmt::format("output.{}: the size of its frames is not known", stream));
    return *found;
}

/// Frames fall on whole multiples of the interval after the start of the run.
StreamPlan plan_frames(const StreamConfig &s, const RunConfig &run, double begin, const StreamFacts &facts) {
    StreamPlan p;
    p.name = s.name, p.engine = s.engine, p.placement = facts.placement;
    p.interval = s.interval;
    p.bytes_per_frame = facts.bytes_per_frame;
    p.made = facts.made;
    p.source_bytes = facts.source_bytes;
    p.bins_bytes = facts.bins_bytes;
    p.encodable = facts.encodable;
    constexpr double slack = 1e-6; // of an interval: times are sums of steps
    const auto before = static_cast<std::int64_t>(std::floor(begin / s.interval + slack));
    const auto last = static_cast<std::int64_t>(std::floor(run.duration / s.interval + slack));
    const std::int64_t first = begin == 0 && facts.at_start ? 0 : before + 1;
    p.frames = std::max<std::int64_t>(0, last - first + 1);
    p.files = goes_over_network(s.engine) ? 0 : (p.frames + s.frames_per_file - 1) / s.frames_per_file;
    if (p.files == 0) return p;

    const auto file = [&](std::int64_t n) {
        return io::format_time({static_cast<double>(first + n * s.frames_per_file) * s.interval, run.start},
                               s.path);
    };
    p.first_file = file(0);
    p.last_file = file(p.files - 1);
    return p;
}

/// Memory for frames on their way, and how long they may be on it.
void plan_draining(StreamPlan &p, const StreamConfig &s, const Config &c, const PlanFacts &facts) {
    const auto &known = facts_of(facts, s.name);
    p.staged_bytes = known.staged_bytes;
    p.staging_limit = s.staging_limit;
    p.spills = s.when_full == "spill";
    if (facts.servers > 0 && p.placement == "servers")
        p.server_bytes =
            (p.bytes_per_frame + known.sent_bytes) / std::max(1, facts.servers / c.output.groups);
    p.steps = s.interval / c.run.time_step;
    const double cells = double(c.domain.nx) * c.domain.ny * c.domain.nz;
    p.seconds = p.steps * cells / (assumed_speed * facts.ranks * facts.threads);
}

} // namespace

Decomposition plan_decomposition(const Config &c, const PlanFacts &facts) {
    Decomposition d;
    const auto [px, py] = choose_process_grid(facts.ranks, c.domain.nx, c.domain.ny, c.parallel.ranks_x,
                                              c.parallel.ranks_y, c.identity.parent_grid_ratio);
    d.px = px, d.py = py;
    const auto x = part_sizes(c.domain.nx, px, c.identity.parent_grid_ratio),
               y = part_sizes(c.domain.ny, py, c.identity.parent_grid_ratio);
    d.smallest = {x[0], y[0], c.domain.nz};
    d.largest = {x[1], y[1], c.domain.nz};

    const double owned = double(x[1]) * y[1], all = double(x[1] + 2 * halo_width) * (y[1] + 2 * halo_width);
    d.halo_share = all / owned - 1;

    d.tile = choose_tile_size(d.largest, facts.threads, facts.l2_bytes);
    if (c.parallel.tile_x > 0) d.tile.x = c.parallel.tile_x;
    if (c.parallel.tile_y > 0) d.tile.y = c.parallel.tile_y;
    d.tiles = make_tiles({0, x[1], 0, y[1], 0, c.domain.nz}, d.tile.x, d.tile.y).size();
    return d;
}

int StreamPlan::servers() const {
    return std::max(1, static_cast<int>(std::ceil(bandwidth() / assumed_bandwidth)));
}

bool Plan::stable() const { return step.stable() && std::ranges::all_of(nests, &Plan::stable); }

/// Of one domain.
static Plan plan_domain(const Config &config, const PlanFacts &facts) {
    Plan p;
    p.config = config;
    p.ranks = facts.ranks, p.threads = facts.threads, p.servers = facts.servers;
    p.begin = facts.begin;
    p.decomposition = plan_decomposition(config, facts);
    p.step = plan_step(config, facts);
    p.bytes_per_rank = facts.patch_bytes(config, p.decomposition.largest);
    for (const StreamConfig &s : config.streams) {
        if (s.interval <= 0) continue;
        p.streams.push_back(plan_frames(s, config.run, facts.begin, facts_of(facts, s.name)));
        plan_draining(p.streams.back(), s, config, facts);
    }
    return p;
}

PlanFacts facts_on(const Share &share, PlanFacts facts) {
    facts.ranks = share.count;
    return facts;
}

Plan make_plan(const Config &config, const PlanFacts &facts) {
    Plan p = plan_domain(config, facts);
    p.all_ranks = facts.ranks;
    const auto shares = choose_shares(config, facts.ranks);
    for (const Config &domain : with_nests(config)) {
        if (domain.identity.id == 1) continue;
        const Share &share = shares[static_cast<std::size_t>(domain.identity.id - 1)];
        p.nests.push_back(plan_domain(domain, facts_on(share, facts)));
        p.nests.back().first_rank = share.first, p.nests.back().all_ranks = facts.ranks;
    }
    return p;
}

} // namespace squall
