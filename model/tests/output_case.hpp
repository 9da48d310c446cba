/// A domain with a state that is a known function of global indices, for the tests of output.
#pragma once

#include <vector>

#include "initial/blank.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall::test {

inline constexpr int out_nx = 13, out_ny = 11, out_nz = 4;

/// A value of field number `n` that no other point has.
inline real value_at(int n, int i, int k, int j) {
    return real(1000 * n) + real(i) + real(20 * j) + real(k) / 16 + real(1) / 3;
}

inline void fill(Array3 &a, int n, const Patch &p) {
    for (int j = 0; j <= p.shape.ny; ++j)
        for (int k = 0; k <= p.shape.nz; ++k)
            for (int i = 0; i <= p.shape.nx; ++i) a(i, k, j) = value_at(n, p.x0 + i, k, p.y0 + j);
}

inline void fill(Array2 &a, int n, const Patch &p) {
    for (int j = 0; j <= p.shape.ny; ++j)
        for (int i = 0; i <= p.shape.nx; ++i) a(i, j) = value_at(n, p.x0 + i, 0, p.y0 + j);
}

struct OutputCase {
    Config config;
    Patch patch;
    Grid grid;
    State state;
    PhysicsState physics;
    Array3 p, al;
};

inline OutputCase output_case(int rank, int px, int py, const std::string &directory,
                              const std::string &microphysics = "none") {
    OutputCase c;
    c.config.physics.microphysics = microphysics;
    c.config.file = "case.toml";
    c.config.run.directory = directory;
    c.config.run.start = "2000-02-28T12:00:00";
    c.config.run.time_step = 6;
    c.config.domain.nx = out_nx, c.config.domain.ny = out_ny, c.config.domain.nz = out_nz;
    c.patch = make_patch(rank, px, py, out_nx, out_ny, out_nz, Boundaries{});
    auto blank = blank_state(c.config, c.patch.shape, 2000, 1000);
    c.grid = std::move(blank.grid);
    c.grid.vertical = VerticalGrid::make({1, 0.9, 0.6, 0.2, 0}, 10000, 0);
    c.state = std::move(blank.state);
    c.physics = std::move(blank.physics);
    c.p = Array3(c.patch.shape);
    c.al = Array3(c.patch.shape);
    int n = 0;
    for (auto *a : {&c.state.u, &c.state.v, &c.state.w, &c.state.theta, &c.state.ph, &c.p})
        fill(*a, ++n, c.patch);
    for (auto *a : {&c.grid.phb, &c.grid.pb}) fill(*a, ++n, c.patch);
    fill(c.state.mu, ++n, c.patch);
    fill(c.grid.lat, ++n, c.patch);
    for (auto &q : c.state.scalars) fill(q, ++n, c.patch);
    if (!c.state.scalars.empty()) {
        fill(c.physics.heating, ++n, c.patch);
        for (auto *a : {&c.physics.rain, &c.physics.snow, &c.physics.graupel}) fill(*a, ++n, c.patch);
    }
    return c;
}

inline StreamConfig output_stream(const std::string &name) {
    StreamConfig s;
    s.name = name;
    s.placement = "inline";
    s.path = name + "_%Y-%m-%d_%H:%M:%S.nc";
    return s;
}

} // namespace squall::test
