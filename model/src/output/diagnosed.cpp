#include "output/diagnosed.hpp"

#include <utility>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "output/history_fields.hpp"
#include "output/location.hpp"
#include "parallel/tiles.hpp"
#include "physics/declared_state.hpp"
#include "physics/microphysics_scheme.hpp"

namespace squall {
namespace {

Echoes echoes_of(const Config &config) {
    static const std::map<std::string, Echoes> of{{"kessler", Echoes::kessler},
                                                  {"lin", Echoes::lin},
                                                  {"wsm3", Echoes::wsm3},
                                                  {"wsm5", Echoes::wsm6}, // which has graupel beside
                                                  {"wsm6", Echoes::wsm6},
                                                  {"wdm5", Echoes::wdm},
                                                  {"wdm6", Echoes::wdm},
                                                  {"thompson", Echoes::thompson},
                                                  {"thompson-aerosol", Echoes::thompson},
                                                  {"morrison", Echoes::morrison},
                                                  {"morrison-graupel", Echoes::morrison_graupel}};
    const auto found = of.find(config.physics.microphysics);
    return found == of.end() ? Echoes::none : found->second;
}

/// A field of the initial file on cells; empty where it is not there.
Array2 plane_of(const io::Reader &file, const char *name, const Patch &patch) {
    if (!file.has(name)) return {};
    Array2 plane(patch.shape);
    const Field2 view = plane.view();
    file.read(name, 0, box_of(patch, at::plane), view.origin, strides_of(view));
    return plane;
}

} // namespace

std::set<Need> needs_met(const Config &config) {
    const ScalarSet scalars = scalars_of(config);
    std::set<Need> met;
    const auto add = [&](Need need, bool has) {
        if (has) met.insert(need);
    };
    add(Need::vapour, scalars.vapour >= 0);
    add(Need::cloud, scalars.cloud >= 0);
    add(Need::ice, scalars.ice >= 0);
    add(Need::rain, scalars.rain >= 0);
    add(Need::snow, scalars.snow >= 0);
    add(Need::graupel, scalars.graupel >= 0);
    add(Need::echoes, echoes_of(config) != Echoes::none);
    add(Need::skin, config.physics.surface_temperature > 0 ||
                        (!config.initial.file.empty() && io::Reader(config.initial.file).has("TSK")));
    return met;
}

Diagnosed::Diagnosed(const Config &config, const Patch &patch, const Grid &grid, DryTheta dry_theta,
                     bool surface, std::vector<Range> tiles)
    : config_(config), patch_(patch), grid_(grid), tiles_(std::move(tiles)), scalars_(scalars_of(config)),
      dry_theta_(integrates_moist_theta(config) ? dry_theta : DryTheta::nowhere), psfc_(patch.shape) {
    const Shape &s = patch.shape;
    if (dry_theta_ == DryTheta::all_at_once) theta_ = Array3(s);
    if (dry_theta_ == DryTheta::some_at_a_time) theta_ = Array3({s.nx, std::min(s.ny, rows_at_a_time), s.nz});
    if (!surface) return;
    if (!config.initial.file.empty()) {
        const io::Reader file(config.initial.file);
        skin_ = plane_of(file, "TSK", patch);
        land_ = plane_of(file, "LANDMASK", patch);
    }
    if (config.physics.surface_temperature > 0) {
        skin_ = Array2(patch.shape);
        skin_.fill(real(config.physics.surface_temperature));
        if (projection_file(config).empty()) land_ = Array2(patch.shape); // an ocean
    }
}

void Diagnosed::begin(const Snapshot &now) {
    now_.emplace(now);
    has_psfc_ = has_theta_ = false;
}

SeenAir Diagnosed::air() {
    const Snapshot &now = *now_;
    const auto scalar = [&](int n) {
        return n < 0 ? ConstField3{} : now.state.scalars[static_cast<std::size_t>(n)].view();
    };
    const auto scheme = microphysics_schemes().find(config_.physics.microphysics);
    const auto counted = [&](Number number) {
        return scheme == microphysics_schemes().end() ? ConstField3{}
                                                      : scalar(index_of(number, scheme->second, scalars_));
    };
    const auto if_any = [](const Array2 &plane) { return plane.bytes() > 0 ? plane.view() : ConstField2{}; };
    const auto fallen = [&](int n, const Array2 &sum) { return n < 0 ? ConstField2{} : if_any(sum); };
    const SurfaceState &surface = now.physics.surface;
    const bool periodic_x = config_.domain.boundaries.west == Boundary::periodic;
    const bool periodic_y = config_.domain.boundaries.south == Boundary::periodic;
    return {.grid = GridView(grid_),
            .ends = {patch_.at_west() && !periodic_x, patch_.at_east() && !periodic_x,
                     patch_.at_south() && !periodic_y, patch_.at_north() && !periodic_y},
            .echoes = echoes_of(config_),
            .u = now.state.u.view(),
            .v = now.state.v.view(),
            .w = now.state.w.view(),
            .ph = now.state.ph.view(),
            .p = now.p.view(),
            .theta_pert = theta(),
            .vapour = scalar(scalars_.vapour),
            .cloud = scalar(scalars_.cloud),
            .rain = scalar(scalars_.rain),
            .ice = scalar(scalars_.ice),
            .snow = scalar(scalars_.snow),
            .graupel = scalar(scalars_.graupel),
            .rain_number = counted(Number::rain),
            .snow_number = counted(Number::snow),
            .graupel_number = counted(Number::graupel),
            .mu = now.state.mu.view(),
            .psfc = psfc(),
            .rain_sum = fallen(scalars_.rain, now.physics.rain),
            .snow_sum = fallen(scalars_.snow, now.physics.snow),
            .graupel_sum = fallen(scalars_.graupel, now.physics.graupel),
            .skin = if_any(surface.skin_temperature.bytes() > 0 ? surface.skin_temperature : skin_),
            .land = if_any(land_),
            .u_10m = if_any(surface.wind_u_10m),
            .v_10m = if_any(surface.wind_v_10m)};
}

/// Pressure of the lowest layer and the weight of the half of it that lies below: what a barometer shows. It
/// is less than the weight of the column where the Coriolis force lifts the air, by 20 Pa under westerlies of
/// 20 m/s.
void Diagnosed::diagnose_surface_pressure() {
    const State &state = now_->state;
    const auto psfc = psfc_.view();
    const Range owned{0, patch_.shape.nx, 0, patch_.shape.ny, 0, 1};
    for_each_column(owned, [=](int i, int j) { psfc(i, j) = 0; });
    for (int n = 0; n < scalars_.waters; ++n)
        for_each_column(owned, [=, q = state.scalars[static_cast<std::size_t>(n)].view()](int i, int j) {
            psfc(i, j) += q(i, 0, j);
        });
    const auto pp = now_->p.view(), pb = grid_.pb.view();
    const auto mu = state.mu.view(), mub = grid_.mub.view();
    const VerticalGrid &levels = grid_.vertical;
    const real c1 = levels.c1h[0], c2 = levels.c2h[0], dnw = levels.dnw[0];
    for_each_column(owned, [=](int i, int j) {
        const real dry = -(c1 * (mub(i, j) + mu(i, j)) + c2) * dnw; // dnw < 0: eta falls with height
        psfc(i, j) = pp(i, 0, j) + pb(i, 0, j) + (1 + psfc(i, j)) * dry / 2;
    });
}

ConstField2 Diagnosed::psfc() {
    if (const SurfaceState &surface = now_->physics.surface; surface.has_pressure())
        return surface.pressure.view();
    if (!std::exchange(has_psfc_, true)) diagnose_surface_pressure();
    return psfc_.view();
}

ConstField3 Diagnosed::theta() {
    if (dry_theta_ == DryTheta::nowhere) return now_->state.theta.view();
    if (!std::exchange(has_theta_, true)) diagnose_dry_theta(tiles_, theta_.view());
    return theta_.view();
}

ConstField3 Diagnosed::theta(Rows rows) {
    Field3 some = theta_.view();
    some.origin -= some.sj * rows.first;
    const Shape &s = patch_.shape;
    diagnose_dry_theta(make_tiles({0, s.nx, rows.first, rows.first + rows.count, 0, s.nz}, s.nx, 1), some);
    return some;
}

void Diagnosed::diagnose_dry_theta(const std::vector<Range> &tiles, Field3 dry) const {
    const State &state = now_->state;
    constexpr real ratio = constants::rv_over_rd, theta0 = constants::theta0;
    const auto moist = state.theta.view(),
               q = state.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    for_each_tile(tiles, [=](const Range &tile) {
        for_each(tile, [=](int i, int k, int j) {
            dry(i, k, j) = (moist(i, k, j) + theta0) / (1 + ratio * q(i, k, j)) - theta0;
        });
    });
}

} // namespace squall
