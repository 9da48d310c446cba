/// Scalars in prescribed winds on a periodic patch, for tests of their transport alone.
#pragma once

#include <utility>
#include <vector>

#include <mpi.h>

#include "core/loop.hpp"
#include "dynamics/mass_flux.hpp"
#include "dynamics/scalar_transport.hpp"
#include "mixing_case.hpp"
#include "parallel/halo.hpp"
#include "parallel/tiles.hpp"

namespace squall::test {

struct TransportSettings {
    Limiter limiter = Limiter::none;
    int order = 5;
    int order_vertical = 3;
    TileSize tile = {}; ///< one tile where it is 0
};

/// Layers of density 1 and equal thickness, periodic on all sides; column mass as set by `mu`.
struct TransportCase : MixingCase {
    Halo halo;
    GridView view;
    std::vector<Range> tiles;
    std::vector<ScratchMemory> scratch;
    KernelMemory tables;
    ScalarTransport transport;
    std::vector<Array3> now, next, held; ///< the scalars, of the stage, and their held tendencies (or none)
    Array2 mu, mu_next;
    Array3 u, v, departure_u, departure_v; ///< winds [m s-1], what the substeps add to the mass fluxes
    Array3 ru, rv, omega;
    Array2 muu, muv, rate;

    TransportCase(Shape sh, double dx, int count, TransportSettings settings = {})
        : MixingCase(sh, dx, dx, 100),
          halo(MPI_COMM_NULL, make_patch(0, 1, 1, sh.nx, sh.ny, sh.nz, Boundaries{}), Boundaries{}),
          view(grid), tiles(make_tiles(cells(), settings.tile.x ? settings.tile.x : sh.nx,
                                       settings.tile.y ? settings.tile.y : sh.ny)),
          scratch(64, ScratchMemory(ScalarTransport::scratch_rows(sh.nz), sh.nx + 16)),
          transport(view, sh, count, settings.limiter, scheme(settings), tiles, scratch, halo), mu(sh),
          mu_next(sh), u(sh), v(sh), departure_u(sh), departure_v(sh), ru(sh), rv(sh), omega(sh), muu(sh),
          muv(sh), rate(sh) {
        for (int n = 0; n < count; ++n) {
            now.emplace_back(sh);
            next.emplace_back(sh);
        }
    }

    TransportScheme scheme(const TransportSettings &settings) {
        const std::size_t faces = std::size_t(shape.nz) + 1;
        std::vector<real> above(faces, real(0.5)), below(faces, real(0.5));
        return {make_axis_stencils({0, shape.nx}, settings.order),
                make_axis_stencils({0, shape.ny}, settings.order),
                make_vertical_stencils(shape.nz, settings.order_vertical, above, below).kept_in(tables),
                {}};
    }

    /// Mass fluxes of the winds and of half the departures twice: two substeps.
    void find_fluxes() {
        const Range faces{0, shape.nx + 1, 0, shape.ny + 1, 0, shape.nz};
        face_column_mass(faces, view, mu.view(), muu.view(), muv.view());
        couple_momentum(faces, view, u.view(), v.view(), muu.view(), muv.view(), ru.view(), rv.view());
        for (int n = 0; n < 2; ++n)
            for_each_tile(tiles, [&](const Range &tile) {
                transport.substep_sum().add(tile, departure_u.view(), departure_v.view(), n == 0);
            });
        transport.finish_substeps(2, std::as_const(ru).view(), std::as_const(rv).view());
        diagnose_omega(cells(), view, transport.ru(), transport.rv(), omega.view(), rate.view());
    }

    void fill_halos() {
        std::vector<HaloField> fields{HaloField::of(mu)};
        for (std::vector<Array3> *all : {&now, &next})
            for (Array3 &q : *all) fields.push_back(HaloField::of(q, shape.nz));
        halo.fill(fields, halo_width);
    }

    /// A step in three stages, column mass and all.
    void step(double dt) {
        fill_halos();
        find_fluxes();
        for (std::size_t n = 0; n < now.size(); ++n) next[n].copy_from(now[n]);
        for (const int part : {3, 2, 1}) {
            const real share = real(dt / part);
            for_each_column(cells(), [=, m = mu.view(), m_next = mu_next.view(), r = rate.view()](
                                         int i, int j) { m_next(i, j) = m(i, j) + share * r(i, j); });
            fill_halos();
            transport.advance(now, next, next, held, std::as_const(mu).view(), std::as_const(mu_next).view(),
                              cells(), {share, part == 3, part == 1});
        }
        std::swap(now, next);
        std::swap(mu, mu_next);
    }

    /// What all cells hold of a scalar together: sum of q times dry mass.
    double total(const Array3 &q) const {
        long double sum = 0; // whose own rounding is not what is looked for
        for (int j = 0; j < shape.ny; ++j)
            for (int k = 0; k < shape.nz; ++k)
                for (int i = 0; i < shape.nx; ++i)
                    sum -= double(view.dnw[k]) * (double(view.mub(i, j)) + mu(i, j)) * q(i, k, j) /
                           (double(view.msftx(i, j)) * view.msfty(i, j));
        return double(sum);
    }

    /// Least and greatest value of owned cells.
    std::pair<real, real> extremes(const Array3 &q) const {
        real least = q(0, 0, 0), most = least;
        for (int j = 0; j < shape.ny; ++j)
            for (int k = 0; k < shape.nz; ++k)
                for (int i = 0; i < shape.nx; ++i) {
                    least = std::min(least, q(i, k, j));
                    most = std::max(most, q(i, k, j));
                }
        return {least, most};
    }
};

} // namespace squall::test
