/// Configurations of diffusion and one call of it on a test patch.
#pragma once

#include <string>

#include "dynamics/diffusion/diffusion.hpp"
#include "mixing_case.hpp"

namespace squall::test {

enum class Variable { u, v, w, theta };

/// The same K for scalars as for momentum.
inline DiffusionConfig constant(const std::string &surfaces, double horizontal, double vertical) {
    DiffusionConfig c;
    c.scheme = "constant";
    c.surfaces = surfaces;
    c.horizontal = horizontal;
    c.vertical = vertical;
    c.prandtl = 1;
    return c;
}

inline DiffusionConfig smagorinsky(const std::string &scheme, const std::string &surfaces) {
    DiffusionConfig c;
    c.scheme = scheme;
    c.surfaces = surfaces;
    return c;
}

/// One call for the whole patch, or one for each tile of that size. `config` says whether theta is moist,
/// and what closes the sides.
inline void mix(MixingCase &c, const Config &config, real dt = 1, TileSize tile = {}) {
    if (tile.x == 0) tile = {c.shape.nx, c.shape.ny};
    Diffusion diffusion(config, c.scalars, c.grid, c.patch, dt, tile);
    std::vector<ScratchMemory> scratch(static_cast<std::size_t>(omp_get_max_threads()),
                                       ScratchMemory(Diffusion::scratch_rows(c.shape.nz), tile.x + 1));
    for_each_chain(make_tiles(c.cells(), tile.x, tile.y), scratch, [&](const Chain &chain) {
        diffusion.add_tendencies(chain, c.s, {c.alt.view(), c.p.view()}, c.t);
    });
}

inline void mix(MixingCase &c, const DiffusionConfig &diffusion, real dt = 1, TileSize tile = {}) {
    Config config;
    config.diffusion = diffusion;
    mix(c, config, dt, tile);
}

inline Array3 &member(Variable v, State &s) {
    return v == Variable::u ? s.u : v == Variable::v ? s.v : v == Variable::w ? s.w : s.theta;
}
inline const Array3 &member(Variable v, const Tendencies &t) {
    return v == Variable::u ? t.u : v == Variable::v ? t.v : v == Variable::w ? t.w : t.theta;
}

} // namespace squall::test
