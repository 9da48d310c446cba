#include "reports.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "round.hpp"

namespace squall::planner {
namespace {

constexpr int corners = 4; ///< of a column between which a station lies

/// Of the patch with most stations, those that squall-io-count strews: with a rim of the cells beside it.
double stations_of_patch(const World &world, const bench::Diagnostics &what) {
    std::vector<int> in(world.patches.size(), 0);
    for (int n = 0; n < what.stations; ++n) {
        const auto at = bench::station(what, n);
        for (std::size_t p = 0; p < in.size(); ++p) {
            const Patch &patch = world.patches[p];
            const auto meets = [](double x, int begin, int size) {
                return x > begin - 1 && x < begin + size;
            };
            in[p] += meets(at.x, patch.x0, patch.shape.nx) && meets(at.y, patch.y0, patch.shape.ny);
        }
    }
    return *std::ranges::max_element(in);
}

double columns_of_patch(const World &world) {
    double most = 0;
    for (const Patch &p : world.patches) most = std::max(most, double(p.shape.nx) * p.shape.ny);
    return most;
}

double terms(const bench::Diagnostics &what, double stations, double columns) {
    const double levels = double(what.nz) * what.fields;
    return levels * (corners * stations + (what.zonal ? columns : 0));
}

} // namespace

ReportPlan plan_in_place(const World &world, bench::Diagnostics what) {
    what.px = world.patches.front().px, what.py = world.patches.front().py;
    ReportPlan plan;
    plan.first = terms(what, stations_of_patch(world, what), columns_of_patch(world));
    // A rank sends when it has heard those below it: in the round of its lowest bit.
    std::map<int, std::vector<bench::Message>> rounds;
    const bench::Sent sent = bench::count(what);
    plan.held = static_cast<double>(sent.heard);
    for (const bench::Message &m : sent.each)
        rounds[std::countr_zero(static_cast<unsigned>(m.from))].push_back(m);
    for (const auto &[bit, messages] : rounds) {
        Round round(world);
        for (const auto &m : messages) round.send(m.from, m.to, static_cast<double>(m.bytes), 1, plan.travel);
        plan.travel.phases.push_back(round.done());
    }
    plan.travel.cells.assign(static_cast<std::size_t>(world.nodes()), 0);
    return plan;
}

ReportPlan plan_gathered(const World &world, const bench::Diagnostics &what) {
    ReportPlan plan;
    plan.last = terms(what, what.stations, double(what.nx) * double(what.ny));
    plan.held = 4.0 * double(what.nx) * double(what.ny) * double(what.nz) * what.fields;
    Round round(world);
    for (int r = 1; r < std::ssize(world.patches); ++r) {
        const Shape s = world.patches[static_cast<std::size_t>(r)].shape;
        const double bytes = 4.0 * s.nx * s.ny * double(what.nz) * what.fields;
        round.send(r, 0, bytes, what.fields, plan.travel);
    }
    plan.travel.phases.push_back(round.done());
    plan.travel.cells.assign(static_cast<std::size_t>(world.nodes()), 0);
    return plan;
}

} // namespace squall::planner
