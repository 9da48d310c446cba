/// The built-in storm's air under a scheme of radiation, in a domain of any size.
#pragma once

#include <string>

#include "core/array.hpp"
#include "dynamics/state_equation.hpp"
#include "grid/grid_view.hpp"
#include "initial/initial.hpp"
#include "settings/config.hpp"

namespace squall::test {

inline Config radiated_storm(const std::string &scheme, const Shape &cells) {
    Config c;
    c.domain.nx = cells.nx, c.domain.ny = cells.ny, c.domain.nz = cells.nz;
    c.domain.dx = c.domain.dy = 2e3;
    c.vertical.top = 20e3;
    c.run.start = "2005-07-16 12:00:00";
    c.run.time_step = 12;
    c.physics.microphysics = "kessler";
    c.physics.radiation = scheme;
    c.physics.radiation_interval = 12;
    c.physics.surface_temperature = 300;
    c.initial.case_name = "supercell";
    for (const CaseParameter &q : cases().at("supercell").parameters) c.initial.parameters[q.key] = q.value;
    return c;
}

/// Perturbation pressure [Pa].
inline Array3 pressure_of(const InitialState &air) {
    const Shape n = air.grid.shape;
    Array3 p(n), al(n), alt(n), php(n);
    diagnose_pressure({0, n.nx, 0, n.ny, 0, n.nz}, GridView(air.grid), true, air.state.theta.view(), {},
                      air.state.ph.view(), air.state.mu.view(), al.view(), p.view(), alt.view(), php.view());
    return p;
}

} // namespace squall::test
