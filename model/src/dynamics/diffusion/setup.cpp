// What mixing needs before it starts: the scheme, base profiles, scratch memory.
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <omp.h>

#include "dynamics/diffusion/diffusion.hpp"

namespace squall {
namespace {

/// The same storage in the indices of the patch, cell (0, 0) of it being the tile's first.
Field3 placed(Array3 &a, Range tile) {
    const Field3 v = a.view();
    if (!v.origin) return v; // an array the scheme has no use for
    return {v.origin - tile.i0 - v.sj * tile.j0, v.sk, v.sj};
}

KernelVector<real> kept(const std::vector<real> &profile) { return {profile.begin(), profile.end()}; }

/// Whether a scheme of physics.boundary_layer mixes whole columns, and leaves only the horizontal.
bool columns_are_mixed(const std::string &boundary_layer) {
    return boundary_layer != "none" && boundary_layer != "resolved" && boundary_layer != "bulk";
}

/// Cells but for the outermost row at sides that are open or specified.
Range cells_inside(const Patch &p, const Boundaries &b) {
    constexpr int far = std::numeric_limits<int>::max() / 2;
    const auto rim = [](bool edge, Boundary side) {
        return edge && (side == Boundary::open || side == Boundary::specified);
    };
    return {rim(p.at_west(), b.west) ? 1 : -far,
            rim(p.at_east(), b.east) ? p.shape.nx - 1 : far,
            rim(p.at_south(), b.south) ? 1 : -far,
            rim(p.at_north(), b.north) ? p.shape.ny - 1 : far,
            0,
            p.shape.nz};
}

} // namespace

diffusion::Sponge diffusion::Sponge::of(const Config &config, const Patch &p) {
    if (config.damping.scheme != "diffusion") return {};
    constexpr int far = std::numeric_limits<int>::max() / 2;
    const Boundaries &b = config.domain.boundaries;
    const int rows = config.boundary.specified_rows + config.boundary.relaxation_rows - 1;
    const auto clear = [](bool edge, Boundary side) { return edge && side == Boundary::specified; };
    return {real(config.damping.depth),
            real(config.damping.diffusion_number),
            config.run.as_wrf(),
            {clear(p.at_west(), b.west) ? rows : -far, clear(p.at_east(), b.east) ? p.shape.nx - rows : far,
             clear(p.at_south(), b.south) ? rows : -far,
             clear(p.at_north(), b.north) ? p.shape.ny - rows : far, 0, p.shape.nz}};
}

Diffusion::Diffusion(const Config &config, const ScalarSet &scalars, const Grid &grid, const Patch &patch,
                     real dt, TileSize largest_tile)
    : config_(config.diffusion), set_(scalars), grid_(GridView(grid).kept_in(tables_)),
      physical_(config.diffusion.surfaces == "physical"), moist_theta_(config.dynamics.moist_theta),
      as_wrf_(config.run.as_wrf()), closed_west_(patch.at_west() && patch.west == MPI_PROC_NULL),
      closed_south_(patch.at_south() && patch.south == MPI_PROC_NULL),
      inner_(cells_inside(patch, config.domain.boundaries)), sponge_(diffusion::Sponge::of(config, patch)),
      dt_(dt), largest_tile_(largest_tile), u_base_(kept(grid.u_base)), v_base_(kept(grid.v_base)),
      theta_base_(kept(grid.theta_base)), vapour_base_(kept(grid.qv_base)) {
    choose_scheme(config.diffusion);
    upwards_ = scheme_ == Scheme::constant ||
               (scheme_ != Scheme::smagorinsky_2d && !columns_are_mixed(config.physics.boundary_layer));
    if (scheme_ == Scheme::none) return;
    const auto nz = static_cast<std::size_t>(grid_.nz);
    none_.assign(nz, 0);
    if (config_.mix_full_fields) u_base_ = v_base_ = theta_base_ = vapour_base_ = none_;
    if (physical_ || config_.vertical > 0) check_base_profiles(nz);
    const bool whole = chains_are_launched();
    if (whole) largest_tile_ = {patch.shape.nx, patch.shape.ny};
    memory_.resize(whole ? 1 : static_cast<std::size_t>(omp_get_max_threads()));
    for (Memory &m : memory_) allocate(m, {largest_tile_.x, largest_tile_.y, grid_.nz});
}

void Diffusion::choose_scheme(const DiffusionConfig &config) {
    if (config.scheme == "none")
        scheme_ = Scheme::none;
    else if (config.scheme == "constant")
        scheme_ = Scheme::constant;
    else if (config.scheme == "smagorinsky-2d")
        scheme_ = Scheme::smagorinsky_2d;
    else if (config.scheme == "smagorinsky-3d")
        scheme_ = Scheme::smagorinsky_3d;
    else if (config.scheme == "tke")
        scheme_ = Scheme::tke;
    else
        throw std::invalid_argument(
            fmt::format("diffusion.scheme: there is no scheme \"{}\"", config.scheme));
    if (!physical_ && config.surfaces != "coordinate")
        throw std::invalid_argument(
            fmt::format("diffusion.surfaces must be coordinate or physical, not \"{}\"", config.surfaces));
    if (!physical_ && scheme_ == Scheme::smagorinsky_3d)
        throw std::invalid_argument(
            fmt::format("diffusion.scheme = \"{}\" needs surfaces = \"physical\"", config.scheme));
    if ((scheme_ == Scheme::tke) != (set_.tke >= 0))
        throw std::invalid_argument(
            "diffusion: the scalar TKE and diffusion.scheme = \"tke\" need each other; one is missing");
}

void Diffusion::check_base_profiles(std::size_t nz) const {
    for (const KernelVector<real> *base : {&u_base_, &v_base_, &theta_base_, &vapour_base_})
        if (base->size() != nz && (base != &vapour_base_ || set_.vapour >= 0))
            throw std::invalid_argument(fmt::format(
                "diffusion of departures needs base profiles (U_BASE, V_BASE, T_BASE, and QV_BASE of moist "
                "air) of {} layers; one has {}. Or set diffusion.mix_full_fields = true",
                nz, base->size()));
}

void Diffusion::allocate(Memory &m, Shape tile) const {
    const bool constant = scheme_ == Scheme::constant;
    m.momentum_h = Array3(tile);
    if (!constant || config_.prandtl != 1) m.scalar_h = Array3(tile);
    if (constant) {
        m.momentum_h.fill(real(config_.horizontal));
        m.scalar_h.fill(real(config_.horizontal / config_.prandtl));
    }
    if (physical_ || !constant)
        for (Array3 *a : {&m.rdzw, &m.rdz, &m.zx, &m.zy, &m.xy}) *a = Array3(tile);
    for (Array3 *a : {&m.xx, &m.yy, &m.xz, &m.yz}) *a = Array3(tile);
    if (!physical_) return;
    for (Array3 *a : {&m.zz, &m.spare_1, &m.spare_2, &m.rho}) *a = Array3(tile);
    if (needs_stability())
        for (Array3 *a : {&m.theta, &m.n2}) *a = Array3(tile);
    if (needs_stability() && (scheme_ == Scheme::tke || set_.vapour >= 0)) m.temperature = Array3(tile);
    if (scheme_ == Scheme::smagorinsky_2d) return;
    m.momentum_v = Array3(tile);
    if (!constant || config_.prandtl != 1) m.scalar_v = Array3(tile);
    if (constant) {
        m.momentum_v.fill(real(config_.vertical));
        m.scalar_v.fill(real(config_.vertical / config_.prandtl));
    }
}

Diffusion::Work Diffusion::work_for(Range tile) {
    if (tile.i1 - tile.i0 > largest_tile_.x || tile.j1 - tile.j0 > largest_tile_.y)
        throw std::invalid_argument(
            fmt::format("diffusion: the tile has {} x {} cells, but its memory {} x {}", tile.i1 - tile.i0,
                        tile.j1 - tile.j0, largest_tile_.x, largest_tile_.y));
    Memory &m = memory_.at(static_cast<std::size_t>(omp_get_thread_num()));
    const auto at = [&](Array3 &a) { return placed(a, tile); };
    Work w;
    w.metrics = {at(m.rdzw), at(m.rdz), at(m.zx), at(m.zy)};
    w.tensor = {at(m.xx), at(m.yy), at(m.zz), at(m.xy), at(m.xz), at(m.yz)};
    w.viscosity = {at(m.momentum_h), at(m.momentum_v), at(m.scalar_h), at(m.scalar_v)};
    // Where two of them are the same, they share memory.
    if (scheme_ == Scheme::constant && config_.prandtl == 1) {
        w.viscosity.scalar_h = w.viscosity.momentum_h;
        w.viscosity.scalar_v = w.viscosity.momentum_v;
    }
    if (scheme_ == Scheme::smagorinsky_2d) w.viscosity.momentum_v = w.viscosity.momentum_h;
    w.rho = at(m.rho);
    w.spare_1 = at(m.spare_1);
    w.spare_2 = at(m.spare_2);
    w.n2 = at(m.n2);
    // These are done with before density and stress, and begin after the stress.
    w.thermodynamics = {at(m.theta), at(m.temperature), w.spare_1, w.spare_2, w.rho};
    w.scalars = {at(m.xx), at(m.xy), at(m.yy), at(m.zz), at(m.xz), w.spare_1, w.spare_2};
    w.surfaces = {at(m.xx), at(m.yy), at(m.xz), at(m.yz)};
    return w;
}

} // namespace squall
