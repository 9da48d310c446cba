#include "dynamics/diffusion/diffusion.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <omp.h>

#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/coordinate.hpp"
#include "dynamics/diffusion/scalar.hpp"
#include "dynamics/diffusion/stress.hpp"

namespace squall {
namespace {

using namespace diffusion;

/// The same storage in the indices of the patch, cell (0, 0) of it being the tile's first.
Field3 placed(Array3 &a, Range tile) {
    const Field3 v = a.view();
    if (!v.origin) return v; // an array the scheme has no use for
    return {v.origin - tile.i0 - v.sj * tile.j0, v.sk, v.sj};
}

} // namespace

Diffusion::Diffusion(const DiffusionConfig &config, const Grid &grid, const Patch &patch, real dt,
                     TileSize largest_tile)
    : config_(config), grid_(grid), physical_(config.surfaces == "physical"),
      closed_west_(patch.at_west() && patch.west == MPI_PROC_NULL),
      closed_south_(patch.at_south() && patch.south == MPI_PROC_NULL), dt_(dt), largest_tile_(largest_tile),
      u_base_(grid.u_base), v_base_(grid.v_base), theta_base_(grid.theta_base) {
    if (config.scheme == "none")
        scheme_ = Scheme::none;
    else if (config.scheme == "constant")
        scheme_ = Scheme::constant;
    else if (config.scheme == "smagorinsky-2d")
        scheme_ = Scheme::smagorinsky_2d;
    else if (config.scheme == "smagorinsky-3d")
        scheme_ = Scheme::smagorinsky_3d;
    else
        throw std::invalid_argument(
            fmt::format("diffusion.scheme: no scheme is called \"{}\"", config.scheme));
    if (!physical_ && config.surfaces != "coordinate")
        throw std::invalid_argument(
            fmt::format("diffusion.surfaces must be coordinate or physical, not \"{}\"", config.surfaces));
    if (!physical_ && scheme_ == Scheme::smagorinsky_3d)
        throw std::invalid_argument("diffusion.scheme = \"smagorinsky-3d\" needs surfaces = \"physical\"");

    if (scheme_ == Scheme::none) return;
    const auto nz = static_cast<std::size_t>(grid_.nz);
    for (std::vector<real> *base : {&u_base_, &v_base_, &theta_base_}) {
        if (config.mix_full_fields) base->assign(nz, 0);
        if (base->size() != nz)
            throw std::invalid_argument(fmt::format(
                "diffusion of departures needs base profiles (U_BASE, V_BASE, T_BASE) of {} layers; "
                "one has {}. Or set diffusion.mix_full_fields = true",
                nz, base->size()));
    }
    scratch_.resize(static_cast<std::size_t>(omp_get_max_threads()));
    for (Scratch &s : scratch_) allocate(s, {largest_tile.x, largest_tile.y, grid_.nz});
}

void Diffusion::allocate(Scratch &s, Shape tile) const {
    const bool constant = scheme_ == Scheme::constant;
    s.momentum_h = Array3(tile);
    if (constant)
        s.momentum_h.fill(real(config_.horizontal));
    else
        s.scalar_h = Array3(tile);
    if (physical_ || !constant)
        for (Array3 *a : {&s.rdzw, &s.rdz, &s.zx, &s.zy, &s.xx, &s.yy, &s.xy, &s.interfaces_1})
            *a = Array3(tile);
    if (!physical_) return;
    for (Array3 *a : {&s.zz, &s.xz, &s.yz, &s.interfaces_2, &s.rho}) *a = Array3(tile);
    if (scheme_ == Scheme::smagorinsky_2d) return;
    s.momentum_v = Array3(tile);
    if (constant)
        s.momentum_v.fill(real(config_.vertical));
    else
        s.scalar_v = Array3(tile);
}

Diffusion::Work Diffusion::work_for(Range tile) {
    if (tile.i1 - tile.i0 > largest_tile_.x || tile.j1 - tile.j0 > largest_tile_.y)
        throw std::invalid_argument(fmt::format("diffusion: a tile of {} x {} cells, but scratch for {} x {}",
                                                tile.i1 - tile.i0, tile.j1 - tile.j0, largest_tile_.x,
                                                largest_tile_.y));
    Scratch &s = scratch_.at(static_cast<std::size_t>(omp_get_thread_num()));
    Work w;
    w.metrics = {placed(s.rdzw, tile), placed(s.rdz, tile), placed(s.zx, tile), placed(s.zy, tile)};
    w.tensor = {placed(s.xx, tile), placed(s.yy, tile), placed(s.zz, tile),
                placed(s.xy, tile), placed(s.xz, tile), placed(s.yz, tile)};
    w.viscosity = {placed(s.momentum_h, tile), placed(s.momentum_v, tile), placed(s.scalar_h, tile),
                   placed(s.scalar_v, tile)};
    // Where two of them are the same, they share memory.
    if (scheme_ == Scheme::constant) {
        w.viscosity.scalar_h = w.viscosity.momentum_h;
        w.viscosity.scalar_v = w.viscosity.momentum_v;
    }
    if (scheme_ == Scheme::smagorinsky_2d) w.viscosity.momentum_v = w.viscosity.momentum_h;
    w.rho = placed(s.rho, tile);
    w.interfaces_1 = placed(s.interfaces_1, tile);
    w.interfaces_2 = placed(s.interfaces_2, tile);
    return w;
}

Range Diffusion::u_faces(Range tile) const {
    return closed_west_ && tile.i0 == 0 ? tile.with_i(1, tile.i1) : tile;
}

Range Diffusion::v_faces(Range tile) const {
    return closed_south_ && tile.j0 == 0 ? tile.with_j(1, tile.j1) : tile;
}

void Diffusion::add_tendencies(Range tile, const State &s, ConstField3 alt, Tendencies &t) {
    if (!active() || tile.empty()) return;
    const Work w = work_for(tile);
    if (physical_ || scheme_ != Scheme::constant) {
        compute_metrics(widened(tile, 2, 2), grid_, s.ph.view(), w.metrics);
        compute_horizontal_deformation(widened(tile, 1, 1), grid_, w.metrics, s.u.view(), s.v.view(),
                                       w.tensor, w.interfaces_1);
    }
    if (physical_)
        add_in_physical_space(tile, s, alt, w, t);
    else
        add_on_coordinate_surfaces(tile, s, alt, w, t);
}

void Diffusion::compute_viscosity(Range around, const State &s, const Work &w) const {
    const real c_s = real(config_.c_s), prandtl = real(config_.prandtl);
    if (scheme_ == Scheme::smagorinsky_2d) {
        smagorinsky_2d(around, grid_, w.tensor, c_s, prandtl, w.viscosity);
        if (physical_) limit_on_slopes(around, grid_, w.metrics, w.tensor, w.viscosity);
    }
    if (scheme_ == Scheme::smagorinsky_3d)
        smagorinsky_3d(around, grid_, w.metrics, w.tensor, s.theta.view(), c_s, prandtl, dt_, w.viscosity);
}

void Diffusion::add_on_coordinate_surfaces(Range tile, const State &s, ConstField3 alt, const Work &w,
                                           Tendencies &t) const {
    compute_viscosity(widened(tile, 1, 1), s, w);
    if (scheme_ != Scheme::constant || config_.horizontal > 0)
        add_mixing_on_surfaces(u_faces(tile), v_faces(tile), tile, grid_, s, w.viscosity.momentum_h,
                               w.viscosity.scalar_h, t);
    if (config_.vertical > 0) {
        const real k = real(config_.vertical);
        const real k_scalar = scheme_ == Scheme::constant ? k : k / real(config_.prandtl);
        const diffusion::MixingBase base{u_base_.data(), v_base_.data(),
                                         real(config_.mix_full_fields ? 0 : 1)};
        add_constant_vertical_mixing(u_faces(tile), v_faces(tile), tile, grid_, s, alt, k, k_scalar, base, t);
    }
}

void Diffusion::add_in_physical_space(Range tile, const State &s, ConstField3 alt, const Work &w,
                                      Tendencies &t) const {
    const Range around = widened(tile, 1, 1);
    const bool vertical = scheme_ != Scheme::smagorinsky_2d;
    const Field3 rho = w.rho;
    const ConstField3 theta = s.theta.view();
    for_each(around.with_k(0, grid_.nz), [=](int i, int k, int j) { rho(i, k, j) = 1 / alt(i, k, j); });
    compute_vertical_deformation(around, grid_, w.metrics, s.u.view(), s.v.view(), s.w.view(), u_base_.data(),
                                 v_base_.data(), w.tensor);
    compute_viscosity(around, s, w);
    stress_from_deformation(tile, grid_, rho, w.viscosity, w.tensor);
    add_horizontal_stress_divergence(u_faces(tile), v_faces(tile), tile, grid_, w.metrics, w.tensor,
                                     w.interfaces_1, w.interfaces_2, t);
    if (vertical) {
        add_vertical_stress_divergence(u_faces(tile), v_faces(tile), tile, grid_, w.tensor, t);
        add_vertical_scalar_mixing(tile, grid_, w.metrics, theta, theta_base_.data(), rho,
                                   w.viscosity.scalar_v, t.theta.view());
    }
    // The stress has done its duty; the flux of theta takes its memory.
    add_horizontal_scalar_mixing(tile, grid_, w.metrics, theta, rho, w.viscosity.scalar_h, w.tensor.xx,
                                 w.interfaces_1, t.theta.view());
}

} // namespace squall
