/// A small patch in a resting atmosphere of density 1 kg m-3 for tests of diffusion and damping:
/// layers of equal thickness, fields given by functions of position, halo included.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"

namespace squall::test {

inline constexpr double pi = std::numbers::pi;

struct MixingCase {
    Shape shape;
    double dz = 0; ///< thickness of a layer over ground of height 0 [m]
    Grid grid;
    ScalarSet scalars;
    State s;
    Array3 alt, p;
    Tendencies t;
    Patch patch;

    MixingCase(Shape sh, double dx, double dy, double dz_)
        : shape(sh), dz(dz_), s(sh), alt(sh), p(sh), t(sh) {
        grid.shape = sh;
        grid.dx = real(dx), grid.dy = real(dy), grid.rdx = real(1 / dx), grid.rdy = real(1 / dy);
        std::vector<double> eta(std::size_t(sh.nz + 1));
        for (int k = 0; k <= sh.nz; ++k) eta[std::size_t(k)] = k == sh.nz ? 0 : 1 - double(k) / sh.nz;
        grid.vertical = VerticalGrid::make(eta, 1e4, 0);
        for (Array2 *a : {&grid.msftx, &grid.msfty, &grid.msfux, &grid.msfuy, &grid.msfvx, &grid.msfvy}) {
            *a = Array2(sh);
            a->fill(1);
        }
        for (Array2 *a :
             {&grid.f, &grid.e, &grid.sina, &grid.cosa, &grid.lat, &grid.lon, &grid.terrain, &grid.mub})
            *a = Array2(sh);
        for (Array3 *a : {&grid.phb, &grid.pb, &grid.alb, &grid.theta_init, &grid.phb_residual})
            *a = Array3(sh);
        for (std::vector<real> *base :
             {&grid.u_base, &grid.v_base, &grid.theta_base, &grid.z_base, &grid.qv_base})
            base->assign(std::size_t(sh.nz), 0);
        for (int k = 0; k < sh.nz; ++k) grid.z_base[std::size_t(k)] = real((k + 0.5) * dz);
        grid.mub.fill(real(mass()));
        alt.fill(1);
        set_terrain([](int, int) { return 0.0; });
        patch.shape = sh;
        patch.nx_domain = sh.nx, patch.ny_domain = sh.ny;
        patch.west = patch.east = patch.south = patch.north = 0; // periodic, on one rank
    }

    /// Column mass [Pa] of nz layers of density 1.
    double mass() const { return constants::g * dz * shape.nz; }
    double top() const { return dz * shape.nz; }

    /// Scalars, all zero.
    void carry(const ScalarSet &set) {
        scalars = set;
        s.scalars = State(shape, set.size()).scalars;
        t.scalars = State(shape, set.size()).scalars;
    }

    /// f(i, k, j) on every point of the array, halo included.
    template <class F> void set(Array3 &a, F f) {
        for (int j = -3; j < shape.ny + 4; ++j)
            for (int k = 0; k <= shape.nz; ++k)
                for (int i = -3; i < shape.nx + 4; ++i) a(i, k, j) = real(f(i, k, j));
    }

    /// Layers between ground of height f(i, j) at cell centres and the top, all of the same
    /// thickness in a column.
    template <class F> void set_terrain(F f) {
        set(grid.phb, [&](int i, int k, int j) {
            const double ground = f(i, j);
            return constants::g * (ground + (top() - ground) * k / shape.nz);
        });
    }

    /// Layers of the same thickness everywhere, raised by f(i, j) as a whole.
    template <class F> void raise(F f) {
        set(grid.phb, [&](int i, int k, int j) { return constants::g * (f(i, j) + dz * k); });
    }

    /// Heights [m] of interface k at a cell, and of layers.
    double z_interface(int i, int k, int j) const { return grid.phb(i, k, j) / double(constants::g); }
    double z_layer(int i, int k, int j) const { // above the top: that of the highest layer
        const int layer = std::min(k, shape.nz - 1);
        return 0.5 * (z_interface(i, layer, j) + z_interface(i, layer + 1, j));
    }

    Range cells() const { return {0, shape.nx, 0, shape.ny, 0, shape.nz}; }
};

/// Uniform in (-1, 1), periodic over the patch, different for each `seed` and point.
inline double noise(const Shape &sh, int seed, int i, int k, int j) {
    const auto wrap = [](int a, int n) { return std::uint64_t((a % n + n) % n); };
    std::uint64_t x = std::uint64_t(seed) * 0x9E3779B97F4A7C15u + wrap(i, sh.nx) * 0xBF58476D1CE4E5B9u +
                      wrap(j, sh.ny) * 0x94D049BB133111EBu + std::uint64_t(k) * 0xD6E8FEB86659FD93u;
    for (int round = 0; round < 3; ++round) {
        x ^= x >> 31;
        x *= 0x9E3779B97F4A7C15u;
    }
    return double(x >> 11) / double(1ull << 52) - 1;
}

} // namespace squall::test
