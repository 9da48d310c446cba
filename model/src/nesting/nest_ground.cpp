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
    bool in_air = false; ///< on the layers of both
};

void add(std::vector<Pair> &pairs, const Array2 &a, Array2 &b) {
    if (a.bytes() == 0 || b.bytes() == 0) return; // the run, or one of the two, has none
    const ConstField2 from = a.view();
    const Field2 to = b.view();
    pairs.push_back({{from.origin, 0, from.sj}, {to.origin, 0, to.sj}});
}

/// Columns of snow as they are, and what stands on the ground.
void add_canopy(std::vector<Pair> &pairs, const CanopyState &c, CanopyState &d) {
    if (c.snow_ice.bytes() == 0 || d.snow_ice.bytes() == 0) return;
    for (const auto layers : {&CanopyState::snow_temperature, &CanopyState::snow_ice,
                              &CanopyState::snow_liquid, &CanopyState::snow_thickness})
        pairs.push_back({(c.*layers).view(), (d.*layers).view(), CanopyState::snow_layers});
    for (const auto plane :
         {&CanopyState::snow_count, &CanopyState::leaf_temperature, &CanopyState::ground_temperature,
          &CanopyState::vapour_pressure, &CanopyState::liquid, &CanopyState::ice, &CanopyState::snow_albedo,
          &CanopyState::snowfall})
        add(pairs, c.*plane, d.*plane);
    add(pairs, c.leaf_area, d.leaf_area);
    for (const auto plane : {&AquiferState::depth, &AquiferState::water, &AquiferState::water_above})
        add(pairs, c.below.*plane, d.below.*plane);
}

/// All else of the surface is made in the first step.
void add_surface(std::vector<Pair> &pairs, const SurfaceState &s, SurfaceState &t) {
    add(pairs, s.skin_temperature, t.skin_temperature), add(pairs, s.albedo, t.albedo);
    add(pairs, s.emissivity, t.emissivity), add(pairs, s.roughness, t.roughness);
    if (s.soil_layers > 0)
        pairs.push_back({s.soil_temperature.view(), t.soil_temperature.view(), s.soil_layers});
    if (s.has_sea() && t.has_sea()) {
        add(pairs, s.sea.temperature, t.sea.temperature), add(pairs, s.sea.ice, t.sea.ice);
        add(pairs, s.sea.warming, t.sea.warming);
        const IceState &ice = s.sea.ice_alone;
        IceState &of_nest = t.sea.ice_alone;
        add(pairs, ice.temperature, of_nest.temperature), add(pairs, ice.vapour, of_nest.vapour);
        add(pairs, ice.albedo, of_nest.albedo), add(pairs, ice.emissivity, of_nest.emissivity);
    }
    add(pairs, s.ocean.first_temperature, t.ocean.first_temperature);
    add(pairs, s.ocean.depth, t.ocean.depth);
    add(pairs, s.ocean.u_transport, t.ocean.u_transport);
    add(pairs, s.ocean.v_transport, t.ocean.v_transport);
    if (!s.has_land_water()) return;
    const LandWaterState &w = s.land_water;
    LandWaterState &v = t.land_water;
    pairs.push_back({w.moisture.view(), v.moisture.view(), s.soil_layers});
    pairs.push_back({w.liquid.view(), v.liquid.view(), s.soil_layers});
    add(pairs, w.canopy_water, v.canopy_water), add(pairs, w.snow_water, v.snow_water);
    add(pairs, w.snow_depth, v.snow_depth), add(pairs, w.snow_cover, v.snow_cover);
    add(pairs, w.snow_age, v.snow_age);
    add_canopy(pairs, s.canopy, t.canopy);
}

/// Of mountains within the parent's cells: the nest's ground between these is smooth.
void add_orography(std::vector<Pair> &pairs, const SubgridOrography &a, SubgridOrography &b) {
    add(pairs, a.deviation, b.deviation), add(pairs, a.convexity, b.convexity);
    add(pairs, a.spacing, b.spacing);
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n)
        add(pairs, a.asymmetry[n], b.asymmetry[n]), add(pairs, a.length[n], b.length[n]);
}

void add_ground(std::vector<Pair> &pairs, const Ground &g, Ground &h) {
    add(pairs, g.temperature, h.temperature), add(pairs, g.wetness, h.wetness), add(pairs, g.land, h.land);
    add(pairs, g.thermal_inertia, h.thermal_inertia), add(pairs, g.snow_cover, h.snow_cover);
    add(pairs, g.albedo, h.albedo), add(pairs, g.emissivity, h.emissivity);
    add(pairs, g.cover.vegetation, h.cover.vegetation), add(pairs, g.cover.soil, h.cover.soil);
    add(pairs, g.cover.green, h.cover.green), add(pairs, g.cover.least_green, h.cover.least_green);
    add(pairs, g.cover.most_green, h.cover.most_green);
    add(pairs, g.cover.deep_temperature, h.cover.deep_temperature);
    add(pairs, g.cover.snow_albedo, h.cover.snow_albedo), add(pairs, g.cover.ice, h.cover.ice);
    add_orography(pairs, g.orography, h.orography);
    add(pairs, g.terrain_wind.hills, h.terrain_wind.hills);
    add(pairs, g.aerosol, h.aerosol), add(pairs, g.aerosol_source, h.aerosol_source);
}

/// Cells take what the parent has around them.
void lay(ParentWindow &window, const NestPlace &place, const Patch &patch, const std::vector<Pair> &pairs) {
    const Shape shape = window.grid().shape;
    std::vector<Array3> around;
    std::vector<Fetched> fetched;
    for (const Pair &pair : pairs) around.emplace_back(Shape{shape.nx, shape.ny, pair.levels});
    for (std::size_t n = 0; n < pairs.size(); ++n)
        fetched.push_back({pairs[n].parent, around[n].view(), pairs[n].levels});
    window.fetch(fetched);
    for (std::size_t n = 0; n < pairs.size(); ++n) {
        const bool mapped = pairs[n].in_air && !window.levels().same();
        Array3 on_levels(mapped ? shape : Shape{});
        if (mapped) window.map(OnLevels::amounts, around[n].view(), on_levels.view());
        const ConstField3 there = window.in_parent(ConstField3((mapped ? on_levels : around[n]).view()));
        const int levels = pairs[n].in_air ? patch.shape.nz : pairs[n].levels;
        for_each({0, patch.shape.nx, 0, patch.shape.ny, 0, levels}, [&](int i, int k, int j) {
            const int x = place.i0 + (patch.x0 + i) / place.ratio,
                      y = place.j0 + (patch.y0 + j) / place.ratio;
            pairs[n].nest(i, k, j) = there(x, k, y);
        });
    }
}

} // namespace

void lay_surface(ParentWindow &window, const NestPlace &place, const Patch &patch, const PhysicsState &parent,
                 PhysicsState &nest) {
    std::vector<Pair> pairs;
    add_surface(pairs, parent.surface, nest.surface);
    if (parent.radiation.cosine.bytes() > 0)
        pairs.push_back(
            {parent.radiation.heating.view(), nest.radiation.heating.view(), window.parent_layers(), true});
    lay(window, place, patch, pairs);
}

void lay_ground(ParentWindow &window, const NestPlace &place, const Patch &patch, const InitialState &parent,
                InitialState &nest) {
    std::vector<Pair> pairs;
    add_ground(pairs, parent.ground, nest.ground);
    add_surface(pairs, parent.physics.surface, nest.physics.surface);
    lay(window, place, patch, pairs);
}

} // namespace squall
