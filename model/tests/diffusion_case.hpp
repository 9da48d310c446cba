/// Configurations of diffusion and one call of it on a test patch.
#pragma once

#include <string>

#include "dynamics/diffusion/diffusion.hpp"
#include "mixing_case.hpp"

namespace squall::test {

enum class Variable { u, v, w, theta };

inline DiffusionConfig constant(const std::string &surfaces, double horizontal, double vertical) {
    DiffusionConfig c;
    c.scheme = "constant";
    c.surfaces = surfaces;
    c.horizontal = horizontal;
    c.vertical = vertical;
    return c;
}

inline DiffusionConfig smagorinsky(const std::string &scheme, const std::string &surfaces) {
    DiffusionConfig c;
    c.scheme = scheme;
    c.surfaces = surfaces;
    return c;
}

inline void mix(MixingCase &c, const DiffusionConfig &config, real dt = 1) {
    Diffusion(config, c.grid, c.patch, dt, {c.shape.nx, c.shape.ny})
        .add_tendencies(c.cells(), c.s, c.alt.view(), c.t);
}

inline Array3 &member(Variable v, State &s) {
    return v == Variable::u ? s.u : v == Variable::v ? s.v : v == Variable::w ? s.w : s.theta;
}
inline const Array3 &member(Variable v, const Tendencies &t) {
    return v == Variable::u ? t.u : v == Variable::v ? t.v : v == Variable::w ? t.w : t.theta;
}

} // namespace squall::test
