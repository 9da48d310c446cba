#include "nesting/nest_ground.hpp"

#include <vector>

#include "core/loop.hpp"

namespace squall {
namespace {

/// A plane, or layers of soil, of the parent and of the nest.
struct Pair {
    ConstField3 parent;
    Field3 nest;
    int levels = 1;
};

std::vector<Pair> pairs_of(const InitialState &parent, InitialState &nest) {
    std::vector<Pair> pairs;
    const auto add = [&](const Array2 &a, Array2 &b) {
        if (a.bytes() == 0) return; // the run has none
        const ConstField2 from = a.view();
        const Field2 to = b.view();
        pairs.push_back({{from.origin, 0, from.sj}, {to.origin, 0, to.sj}});
    };
    const Ground &g = parent.ground;
    Ground &h = nest.ground;
    add(g.temperature, h.temperature), add(g.wetness, h.wetness), add(g.land, h.land);
    add(g.thermal_inertia, h.thermal_inertia), add(g.snow_cover, h.snow_cover);
    add(g.albedo, h.albedo), add(g.emissivity, h.emissivity);
    add(g.cover.vegetation, h.cover.vegetation), add(g.cover.soil, h.cover.soil);
    add(g.cover.green, h.cover.green), add(g.cover.least_green, h.cover.least_green);
    add(g.cover.most_green, h.cover.most_green), add(g.cover.deep_temperature, h.cover.deep_temperature);
    add(g.cover.snow_albedo, h.cover.snow_albedo), add(g.cover.ice, h.cover.ice);
    const SurfaceState &s = parent.physics.surface;
    SurfaceState &t = nest.physics.surface;
    add(s.skin_temperature, t.skin_temperature), add(s.albedo, t.albedo), add(s.emissivity, t.emissivity);
    add(s.roughness, t.roughness);
    // All else of the surface is made in the first step.
    if (s.soil_layers > 0)
        pairs.push_back({s.soil_temperature.view(), t.soil_temperature.view(), s.soil_layers});
    if (s.has_land_water()) {
        const LandWaterState &w = s.land_water;
        LandWaterState &v = t.land_water;
        pairs.push_back({w.moisture.view(), v.moisture.view(), s.soil_layers});
        pairs.push_back({w.liquid.view(), v.liquid.view(), s.soil_layers});
        add(w.canopy_water, v.canopy_water), add(w.snow_water, v.snow_water);
        add(w.snow_depth, v.snow_depth), add(w.snow_cover, v.snow_cover), add(w.snow_age, v.snow_age);
    }
    return pairs;
}

} // namespace

void lay_ground(ParentWindow &window, const NestPlace &place, const Patch &patch, const InitialState &parent,
                InitialState &nest) {
    const std::vector<Pair> pairs = pairs_of(parent, nest);
    const Shape shape = window.grid().shape;
    std::vector<Array3> around;
    std::vector<Fetched> fetched;
    for (const Pair &pair : pairs) around.emplace_back(Shape{shape.nx, shape.ny, pair.levels});
    for (std::size_t n = 0; n < pairs.size(); ++n)
        fetched.push_back({pairs[n].parent, around[n].view(), pairs[n].levels});
    window.fetch(fetched);
    for (std::size_t n = 0; n < pairs.size(); ++n) {
        const ConstField3 there = window.in_parent(ConstField3(around[n].view()));
        for_each({0, patch.shape.nx, 0, patch.shape.ny, 0, pairs[n].levels}, [&](int i, int k, int j) {
            const int x = place.i0 + (patch.x0 + i) / place.ratio,
                      y = place.j0 + (patch.y0 + j) / place.ratio;
            pairs[n].nest(i, k, j) = there(x, k, y);
        });
    }
}

} // namespace squall
