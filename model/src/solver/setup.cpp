// Construction of the solver: ranges, stencils, tiles and halos of the grid.
#include <algorithm>
#include <cmath>

#include <omp.h>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "initial/turbine_tables.hpp"
#include "initial/wrfinput_fire.hpp"
#include "physics/ocean_layer.hpp"
#include "physics/terrain_wind.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// Which sides of the patch are sides of the domain that are not periodic.
struct ClosedSides {
    bool west, east, south, north;
    ClosedSides(const Patch &p, const Boundaries &b)
        : west(p.at_west() && b.west != Boundary::periodic),
          east(p.at_east() && b.east != Boundary::periodic),
          south(p.at_south() && b.south != Boundary::periodic),
          north(p.at_north() && b.north != Boundary::periodic) {}
};

/// WRF carries the normal wind up and down at a western side where the south is not open and at an eastern
/// one where the north is not (advect_u asks for the wrong sides), at no other: ours are all alike.
OpenSides find_open_sides(const Patch &p, const Boundaries &b, bool as_wrf) {
    const int nx = p.shape.nx, ny = p.shape.ny;
    OpenSides sides;
    if (p.at_west() && b.west == Boundary::open)
        sides.push_back({Axis::x, true, 0, 0, as_wrf && b.south != Boundary::open});
    if (p.at_east() && b.east == Boundary::open)
        sides.push_back({Axis::x, false, nx - 1, nx, as_wrf && b.north != Boundary::open});
    if (p.at_south() && b.south == Boundary::open) sides.push_back({Axis::y, true, 0, 0});
    if (p.at_north() && b.north == Boundary::open) sides.push_back({Axis::y, false, ny - 1, ny});
    return sides;
}

bool has(const OpenSides &sides, Axis axis, bool low) {
    return std::ranges::any_of(sides, [=](const OpenSide &s) { return s.axis == axis && s.low == low; });
}

/// `rows`: how many a boundary file specifies at the sides; 0 where they are closed otherwise.
FaceRange face_range(bool closed_low, bool closed_high, bool open_low, bool open_high, int n, int rows) {
    FaceRange r;
    r.begin = closed_low ? std::max(rows, 1) : 0;
    r.end = closed_high ? n + 1 - std::max(rows, 1) : n + 1;
    r.tend_begin = open_low ? 0 : r.begin;
    r.tend_end = open_high ? n + 1 : r.end;
    r.last_cells = closed_high ? n - rows : n;
    return r;
}

PatchFaces find_faces(const Config &config, const Patch &patch, const OpenSides &open) {
    const Boundaries &b = config.domain.boundaries;
    const ClosedSides closed(patch, b);
    const bool specified = b.west == Boundary::specified; // then all are (config/check_boundary.cpp)
    const int rows = specified ? config.boundary.specified_rows : 0, nx = patch.shape.nx, ny = patch.shape.ny;
    return {
        face_range(closed.west, closed.east, has(open, Axis::x, true), has(open, Axis::x, false), nx, rows),
        face_range(closed.south, closed.north, has(open, Axis::y, true), has(open, Axis::y, false), ny, rows),
        nx,
        ny,
        closed.east,
        closed.north};
}

std::vector<real> with_extra(std::vector<real> profile, std::size_t n) {
    profile.resize(n, 0);
    return profile;
}

/// Tables that belong to them go to `memory`.
AdvectionStencils find_stencils(const Config &config, const Grid &grid, const Patch &patch,
                                const PatchFaces &faces, const OpenSides &open, KernelMemory &memory) {
    const DynamicsConfig &d = config.dynamics;
    const Boundaries &b = config.domain.boundaries;
    const ClosedSides closed(patch, b);
    const int nx = grid.shape.nx, ny = grid.shape.ny, nz = grid.shape.nz;
    const bool specified = b.west == Boundary::specified;
    // Sides without points beyond them that mean anything.
    const bool west = has(open, Axis::x, true) || (specified && closed.west),
               east = has(open, Axis::x, false) || (specified && closed.east),
               south = has(open, Axis::y, true) || (specified && closed.south),
               north = has(open, Axis::y, false) || (specified && closed.north);
    const AdvectedPoints x_cells{0, nx, west, east, 0, nx - 1}, y_cells{0, ny, south, north, 0, ny - 1},
        x_u{faces.u.begin, nx, west, east, 0, nx}, y_v{faces.v.begin, ny, south, north, 0, ny};

    const std::size_t levels = static_cast<std::size_t>(nz) + 1;
    const VerticalStencils layers_m =
        make_vertical_stencils(nz, d.momentum_order_vertical, with_extra(grid.vertical.fnm, levels),
                               with_extra(grid.vertical.fnp, levels));
    const std::vector<real> half(levels + 1, real(0.5));
    std::vector<real> rd_interfaces = with_extra(grid.vertical.rdn, levels);
    rd_interfaces[nz] = 2 * grid.vertical.rdn[nz - 1];
    return {
        make_axis_stencils(x_cells, d.momentum_order_horizontal),
        make_axis_stencils(y_cells, d.momentum_order_horizontal),
        make_axis_stencils(x_cells, d.scalar_order_horizontal),
        make_axis_stencils(y_cells, d.scalar_order_horizontal),
        make_axis_stencils(x_u, d.momentum_order_horizontal),
        make_axis_stencils(y_v, d.momentum_order_horizontal), layers_m.kept_in(memory),
        make_vertical_stencils(nz, d.scalar_order_vertical, layers_m.above, layers_m.below).kept_in(memory),
        make_vertical_stencils(nz + 1, d.momentum_order_vertical, half, half).kept_in(memory),
        memory.keep(std::span<const real>(rd_interfaces)),
        // WRF forgets this stencil in x where sides are specified (rhs_ph), which shows in w alone: that
        // of the third cell from either side does not follow from the wind there.
        make_derivative_segments(x_cells, d.scalar_order_horizontal, specified && config.run.as_wrf()),
        make_derivative_segments(y_cells, d.scalar_order_horizontal)};
}

TileSize tile_size(const Config &config, Shape shape) {
    TileSize size = choose_tile_size(shape, omp_get_max_threads(), l2_cache_bytes());
    if (config.parallel.tile_x > 0) size.x = std::min(config.parallel.tile_x, shape.nx);
    if (config.parallel.tile_y > 0) size.y = std::min(config.parallel.tile_y, shape.ny);
    return size;
}

/// Whether the arrays of a stage exceed what threads have of the last cache. Where they did not, a step in
/// wavefronts took 3 % longer (supercell, 41 x 41 x 40); where they did, 8 to 25 % less (dry waves).
bool exceeds_last_cache(Shape s) {
    constexpr std::size_t stage_arrays = 40;
    const auto cells =
        static_cast<std::size_t>(s.nx) * static_cast<std::size_t>(s.ny) * static_cast<std::size_t>(s.nz);
    return stage_arrays * sizeof(real) * cells >
           last_cache_bytes() * static_cast<std::size_t>(omp_get_max_threads());
}

/// Whether all columns of the domain, halos included, have one profile of base pressure. Collective.
bool has_level_base(const GridView &g, const Patch &patch, MPI_Comm comm) {
    int level = 1;
    for (int j = -1; j <= g.ny; ++j)
        for (int k = 0; k < g.nz; ++k)
            for (int i = -1; i <= g.nx; ++i) level &= g.pb(i, k, j) == g.pb(0, k, 0);
    if (patch.px * patch.py > 1) MPI_Allreduce(MPI_IN_PLACE, &level, 1, MPI_INT, MPI_LAND, comm);
    return level != 0;
}

/// Whether map factors along x and y differ by more than rounding anywhere in the domain. Collective.
bool has_two_scales(const Grid &g, MPI_Comm comm) {
    int differ = 0;
    for (int j = 0; j < g.shape.ny; ++j)
        for (int i = 0; i < g.shape.nx; ++i)
            differ |= std::abs(g.msftx(i, j) - g.msfty(i, j)) > real(1e-4) * g.msfty(i, j);
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_LOR, comm);
    return differ != 0;
}

} // namespace

Solver::Solver(const Config &config, const Patch &patch, MPI_Comm comm, InitialState initial,
               std::unique_ptr<RimSource> rim)
    : config_(config.dynamics), damping_(config.damping), dt_(static_cast<real>(config.run.time_step)),
      substeps_(config.run.acoustic_substeps), curvature_(!projection_file(config).empty()),
      logarithmic_(config.dynamics.hypsometric == 2),
      rotating_(curvature_ || config.dynamics.coriolis != "none"), initial_(std::move(initial)),
      scalars_(initial_.scalars), grid_(GridView(initial_.grid).kept_in(tables_)),
      halo_(comm, patch, config.domain.boundaries), now_(initial_.state), next_(patch.shape, scalars_.size()),
      tend_(patch.shape), acoustic_(patch.shape), p_(patch.shape), al_(patch.shape), alt_(patch.shape),
      php_(patch.shape), ru_(patch.shape), rv_(patch.shape), omega_(patch.shape), muu_(patch.shape),
      muv_(patch.shape), muu_now_(patch.shape), muv_now_(patch.shape), dmudt_(patch.shape),
      tile_size_(tile_size(config, patch.shape)), exceeds_cache_(exceeds_last_cache(patch.shape)),
      sides_(patch, config.domain.boundaries, config.boundary.specified_rows, grid_) {
    const Grid &grid = initial_.grid;
    const Shape shape = grid.shape;
    const int nx = shape.nx, ny = shape.ny, nz = shape.nz;
    const OpenSides open_sides = find_open_sides(patch, config.domain.boundaries, config.run.as_wrf());
    const bool specified = config.domain.boundaries.west == Boundary::specified; // then all are
    faces_ = find_faces(config, patch, open_sides);
    whole_vectors_ = {nx, row_end(shape, 1)};
    inner_ = {0, nx, 0, ny, 0, nz};
    const AdvectionStencils stencils = find_stencils(config, grid, patch, faces_, open_sides, tables_);

    const TileSize t = tile_size_;
    cell_tiles_ = make_tiles({0, nx, 0, ny, 0, nz}, t.x, t.y);
    row_parts_ =
        wavefront_parts({-1, nx + 1, -1, ny + 1, 0, nz}, omp_get_max_threads(), Substeps::reach_of(1));
    wide_tiles_ = make_tiles({-1, nx + 1, -1, ny + 1, 0, nz}, t.x + 2, t.y);
    flux_tiles_ = make_tiles({-1, nx + 2, -1, ny + 2, 0, nz}, t.x + 3, t.y);
    scratch_.assign(static_cast<std::size_t>(omp_get_max_threads()),
                    ScratchMemory(std::max({StageKernels::scratch_rows(nz), ScalarTransport::scratch_rows(nz),
                                            Diffusion::scratch_rows(nz)}),
                                  t.x + 8 + overrun));

    slow_faces_ = {HaloField::of(tend_.u, nz, Points::x_faces), HaloField::of(tend_.v, nz, Points::y_faces)};
    departure_halos_ = {HaloField::of(acoustic_.mu), HaloField::of(acoustic_.dmudt),
                        HaloField::of(acoustic_.p, nz).inside(), HaloField::of(acoustic_.ph, nz + 1).inside(),
                        HaloField::of(acoustic_.al, nz).inside()};
    if (curvature_) {
        rw_ = Array3(shape);
        turning_ = Array3(shape);
    }
    diffusion_.emplace(config, scalars_, grid, patch, dt_, t);
    if (SixthOrderFilter::wanted(config.diffusion))
        sixth_order_.emplace(config.diffusion, config.domain.boundaries, patch, dt_);
    if (damping_.scheme == "rayleigh") rayleigh_.emplace(RayleighBase(initial_.grid).kept_in(tables_));
    if (config.physics.newtonian_cooling)
        cooling_.emplace(RayleighBase(initial_.grid, "physics.newtonian_cooling").kept_in(tables_));
    if (specified) {
        boundary_.emplace(config, patch, grid, scalars_, std::move(rim));
        inner_ = boundary_->inner_cells(inner_);
    }
    for (const Range &tile : cell_tiles_)
        if (const Range inner = inner_cells(tile); !inner.empty()) inner_tiles_.push_back(inner);
    const bool mixes_at_ground = BoundaryLayer::wanted(config.physics);
    if (Radiation::wanted(config.physics)) radiation_.emplace(config, scalars_, patch);
    if (radiation_) radiation_->survey(config, grid, comm);
    if (Convection::wanted(config.physics)) convection_.emplace(config, scalars_, nz);
    if (GravityWaveDrag::wanted(config.physics)) gravity_waves_.emplace(config, scalars_, nz);
    if (diffusion_->active() || sixth_order_ || rayleigh_ || cooling_ || boundary_ || mixes_at_ground ||
        radiation_ || convection_ || gravity_waves_ || initial_.forcing.on || Nudging::wanted(config) ||
        burns(config))
        held_.emplace(shape, scalars_.size());
    if (scalars_.moist())
        for (Array3 *a : {&water_, &moist_u_, &moist_v_, &moist_w_}) *a = Array3(shape);
    if (scalars_.size() > 0)
        set_up_transport({stencils.x_cells_s, stencils.y_cells_s, stencils.layers_s, open_sides});
    if (Microphysics::wanted(config.physics)) microphysics_.emplace(config, scalars_, nz);
    if (Tracers::wanted(config)) tracers_.emplace(config, scalars_, patch, comm, grid);
    if (mixes_at_ground || initial_.physics.convection.u.bytes() > 0 || gravity_waves_)
        for (Array3 *a : {&du_dt_, &dv_dt_}) *a = Array3(shape);
    if (mixes_at_ground) {
        boundary_layer_.emplace(config, scalars_, nz);
        if (config.wind_farm.wanted())
            boundary_layer_->set_wind_farm(WindFarm(read_turbine_types(config),
                                                    find_turbines(config, patch, comm, grid),
                                                    config.wind_farm.tke_factor, patch, grid));
        for (Array3 *a : {&dtheta_dt_, &dvapour_dt_}) *a = Array3(shape);
        if (BoundaryLayer::mixes_condensate(config.physics))
            for (Array3 *a : {&dcloud_dt_, &dice_dt_}) *a = Array3(shape);
        if (scalars_.qke >= 0) dqke_dt_ = Array3(shape);
        if (scalars_.ice_number >= 0 && BoundaryLayer::mixes_numbers(config.physics))
            dice_number_dt_ = Array3(shape);
    }
    if (Nudging::wanted(config)) set_up_nudging(config, patch, comm);
    if (SeaSurface::wanted(initial_.physics.surface)) sea_.emplace(config, patch, initial_);
    if (device::in_use()) refuse_what_has_no_kernels(!config.nests.empty());
    fill_grid_halos();
    if (burns(config)) set_up_fire(config, patch, comm);
    if (config.physics.terrain_wind != "none")
        set_terrain_wind(config.physics, patch, initial_.grid, initial_.ground);
    set_map_curvature(comm);
    grid_.level_base = has_level_base(grid_, patch, comm);
    set_up_slow_terms(stencils, open_sides);
    fill_state_halos(now_);
    if (!keeps_given_w(config.initial, initial_, comm)) set_initial_w(initial_);
    if (config.physics.ocean != "none") begin_ocean(config.physics, patch.shape, initial_.physics.surface);
    if (config.physics.surface_layer != "none") begin_surface();
}

void Solver::set_up_slow_terms(const AdvectionStencils &stencils, const OpenSides &open_sides) {
    const Grid &g = initial_.grid;
    const auto seen = [&](const auto &array) { return std::as_const(array).view(); };
    const auto kept = [&](const std::vector<real> &profile) { return tables_.keep(std::span(profile)); };
    const BaseWind at_rest{kept(g.u_base), kept(g.v_base), kept(g.z_base), g.vertical.nz};
    const bool turns_departure = config_.coriolis == "file-departure";
    slow_.emplace(SlowTerms{grid_,
                            faces_,
                            stencils,
                            open_sides,
                            boundary_ ? std::optional(boundary_->outflow_faces()) : std::nullopt,
                            {seen(p_), seen(al_), seen(alt_), seen(php_), moisture_factors(), seen(rw_),
                             seen(turning_), seen(tan_u_), seen(tan_v_)},
                            tend_.fields(),
                            turns_departure ? std::optional(at_rest) : std::nullopt,
                            config_.top_lid,
                            rotating_,
                            curvature_,
                            config_.w_damping});
}

void Solver::set_up_nudging(const Config &config, const Patch &patch, MPI_Comm comm) {
    nudging_.emplace(config, patch);
    const NudgingConfig &settings = config.nudging;
    if (!settings.spectral()) return;
    long_waves_.emplace(patch, comm, settings.waves_x, settings.waves_y, Nudging::fields, patch.shape.nz);
    if (nudging_->spares_boundary_layer())
        for (Array2 &tops : boundary_layer_tops_) tops = Array2(patch.shape);
}

void Solver::set_up_fire(const Config &config, const Patch &patch, MPI_Comm comm) {
    fire_.emplace(config, patch, comm, read_fire_input(config, patch), initial_.grid, initial_.physics.fire);
    if (config.fire.moisture == "model") ground_pressure_ = Array2(patch.shape);
    fire_depth_ = real(config.fire.extinction_depth);
    const Range inside{1 - patch.x0, patch.nx_domain - 1 - patch.x0, 1 - patch.y0,
                       patch.ny_domain - 1 - patch.y0};
    heated_by_fire_ = inner_.within(inside);
}

void Solver::set_up_transport(TransportScheme scheme) {
    const Limiter limiter = config_.limiter == "none"        ? Limiter::none
                            : config_.limiter == "monotonic" ? Limiter::monotonic
                                                             : Limiter::positive_definite;
    transport_.emplace(grid_, initial_.grid.shape, scalars_.size(), limiter, std::move(scheme), cell_tiles_,
                       scratch_, halo_);
    transport_->tell(sides_.lines(), scalars_.waters);
}

MoistureFactors Solver::moisture_factors() const {
    return {moist_u_.view(), moist_v_.view(), moist_w_.view()};
}

/// The vapour that pressure depends on beside theta: none where theta is that of moist air.
ConstField3 Solver::vapour_for_pressure(const State &s) const {
    if (config_.moist_theta || scalars_.vapour < 0) return {};
    return s.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
}

void Solver::fill_state_halos(State &s) {
    const int nz = grid_.nz;
    filled_ = {HaloField::of(s.u, nz, Points::x_faces),
               HaloField::of(s.v, nz, Points::y_faces),
               HaloField::of(s.w, nz + 1),
               HaloField::of(s.theta, nz),
               HaloField::of(s.ph, nz + 1),
               HaloField::of(s.mu)};
    for (Array3 &q : s.scalars) filled_.push_back(HaloField::of(q, nz));
    halo_.fill(filled_, halo_width);
}

void Solver::fill_grid_halos() {
    Grid &g = initial_.grid;
    const int nz = g.shape.nz;
    std::vector<HaloField> fields;
    for (Array2 *a : {&g.msftx, &g.msfty, &g.f, &g.e, &g.sina, &g.cosa, &g.lat, &g.lon, &g.terrain, &g.mub})
        fields.push_back(HaloField::of(*a));
    for (Array2 *a : {&g.msfux, &g.msfuy}) fields.push_back(HaloField::of(*a, Points::x_faces).metric());
    for (Array2 *a : {&g.msfvx, &g.msfvy}) fields.push_back(HaloField::of(*a, Points::y_faces).metric());
    for (Array3 *a : {&g.pb, &g.alb, &g.theta_init, &g.phb_residual}) fields.push_back(HaloField::of(*a, nz));
    fields.push_back(HaloField::of(g.phb, nz + 1));
    halo_.fill(fields, halo_width);
}

/// Where x and y are of two scales, the map is one of latitude and longitude, of which m_y / m_x is the
/// cosine of its own latitude, be its pole the Earth's or another: how its meridians converge on u and v
/// points. Collective.
void Solver::set_map_curvature(MPI_Comm comm) {
    const Grid &g = initial_.grid;
    if (!curvature_ || !has_two_scales(g, comm)) return;
    tan_u_ = Array2(g.shape), tan_v_ = Array2(g.shape);
    const auto convergence = [](real mx, real my, real northward_change) {
        const double secant = double(mx) / double(my);
        const double tangent = std::sqrt(std::max(secant * secant - 1, 0.0));
        return real(std::copysign(tangent, double(northward_change)) / constants::earth_radius);
    };
    for_each_column({0, g.shape.nx + 1, 0, g.shape.ny + 1}, [&](int i, int j) {
        const int inner = std::min(i, g.shape.nx - 1); // the last face has no cell
        tan_u_(i, j) = convergence(g.msfux(i, j), g.msfuy(i, j), g.msfvx(inner, j + 1) - g.msfvx(inner, j));
        tan_v_(i, j) = convergence(g.msfvx(i, j), g.msfvy(i, j), g.msftx(i, j) - g.msftx(i, j - 1));
    });
}

FlowView Solver::flow_view(const State &s) const {
    return {s.u.view(), s.v.view(), s.w.view(),    s.ph.view(), s.mu.view(),
            ru_.view(), rv_.view(), omega_.view(), muu_.view(), muv_.view()};
}

AcousticSettings Solver::acoustic_settings(real dts) const {
    const bool sponge = damping_.scheme == "implicit-w";
    return {dts,
            static_cast<real>(config_.divergence_damping),
            static_cast<real>(config_.external_mode_filter),
            static_cast<real>(config_.off_centring),
            config_.top_lid,
            sponge ? static_cast<real>(damping_.depth) : real(0),
            static_cast<real>(damping_.coefficient)};
}

} // namespace squall
