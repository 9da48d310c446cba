#include "physics/radiation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "core/interval.hpp"
#include "physics/radiation/clouds.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"
#include "physics/radiation/sun.hpp"
#include "physics/saturation.hpp"
#include "physics/sunlit_ground.hpp"
#include "settings/calendar.hpp"

namespace squall {
namespace {

using namespace radiation;

constexpr double vapour_molecules = 28.964 / 18.016; ///< molecules of vapour per kg, over those of dry air

/// Temperature at interfaces, linear in the logarithm of pressure; beyond the layers' middles extrapolated.
void set_between(Column &c, int layers) {
    for (int k = 0; k <= layers; ++k) {
        const auto lower = static_cast<std::size_t>(std::clamp(k - 1, 0, layers - 2));
        const Layer &a = c.layers[lower], &b = c.layers[lower + 1];
        const double w = detail::logarithm(c.pressure[static_cast<std::size_t>(k)] / a.pressure) /
                         detail::logarithm(b.pressure / a.pressure);
        c.temperature[static_cast<std::size_t>(k)] = a.temperature + w * (b.temperature - a.temperature);
    }
}

/// Temperature over potential temperature.
double exner_of(double pressure) {
    return detail::exponential(double(constants::kappa) *
                               detail::logarithm(pressure / double(constants::p0)));
}

/// Neighbours are solved together.
constexpr int columns_together = 8;

/// Unless more is asked for [s].
constexpr double longest_interval = 1800;

/// How many steps lie between calls.
std::int64_t steps_between(const Config &config) {
    const double asked = config.physics.radiation_interval;
    const double interval = asked > 0 ? asked : std::min(60 * config.domain.dx / 1000, longest_interval);
    return std::max(std::llround(interval / config.run.time_step), 1LL);
}

AerosolOptics aerosol_of(const PhysicsConfig &c) {
    const auto said = [](double key) {
        return key == PhysicsConfig::of_type ? std::nullopt : std::optional(key);
    };
    return {aerosol_types().at(c.aerosol_type), said(c.aerosol_angstrom_exponent),
            said(c.aerosol_single_scattering_albedo), said(c.aerosol_asymmetry)};
}

/// Vapour's pressure over that of saturation, of their mixing ratios.
double relative_humidity(double vapour, double saturated) {
    constexpr double ratio = double(constants::r_d / constants::r_v);
    return saturated > 0 ? vapour / (vapour + ratio) * (saturated + ratio) / saturated : 0;
}

/// Puts aerosol of a depth at 550 nm above the ground, in air as moist as it is in `layers` layers from
/// there.
void add_aerosol(Column &c, const AerosolOptics &optics, double depth, int layers) {
    c.aerosol = optics;
    spread_aerosol(c, depth);
    for (int k = 0; k < layers; ++k) {
        Layer &layer = c.layers[static_cast<std::size_t>(k)];
        layer.humidity =
            relative_humidity(double(layer.ratios[h2o]) / vapour_molecules,
                              double(saturation_over_water(real(layer.temperature), real(layer.pressure))));
    }
}

} // namespace

struct Radiation::Implementation {
    /// What belongs to a column while it is worked on.
    struct Work {
        Column column;
        Fluxes thermal, solar;
    };
    /// What one thread works with.
    struct Worker {
        std::unique_ptr<Scheme> scheme;
        std::vector<Work> columns = std::vector<Work>(columns_together);
        std::vector<Task> tasks{};
    };
    /// A column of the patch and what it is part of.
    struct Place {
        int i, j;
        const Grid &grid;
        const State &state;
        ConstField3 p;
        const Ground &ground;
        PhysicsState &physics;
    };

    Implementation(const Config &config, const ScalarSet &set, const Patch &where)
        : scalars(set), patch(where), every(steps_between(config)), dt(config.run.time_step),
          interval(double(every) * dt), as_wrf(config.run.as_wrf()),
          moist_theta(config.dynamics.moist_theta && set.vapour >= 0), start(parse_time(config.run.start)),
          aerosol_depth(config.physics.aerosol_optical_depth), aerosol(aerosol_of(config.physics)),
          seasonal_ozone(config.physics.ozone == "season") {
        if (config.physics.sun_stands())
            standing = Sunlight{std::cos(config.physics.zenith_angle * std::numbers::pi / 180),
                                config.physics.insolation};
        const SchemeMaker make =
            scheme_named(config.physics.radiation).prepare(config.physics.radiation_tables);
        for (int thread = 0; thread < omp_get_max_threads(); ++thread) workers.push_back({make()});
    }

    void fill(const Place &at, Column &c) const;
    void fill_clouds(const Place &at, std::size_t k, double density, double mass, Layer &layer) const;
    double amount(const Place &at, int scalar, int k) const {
        if (scalar < 0) return 0;
        return std::max(double(at.state.scalars[static_cast<std::size_t>(scalar)](at.i, k, at.j)), 0.0);
    }
    void prepare(const Place &at, Column &column) const;
    Seed seed(const Place &at) const {
        return {static_cast<std::uint64_t>(patch.y0 + at.j) * static_cast<std::uint64_t>(patch.nx_domain) +
                    static_cast<std::uint64_t>(patch.x0 + at.i),
                static_cast<std::uint64_t>(step)};
    }
    void keep(const Place &at, const Work &work) const;
    double on_relief(const Place &at, const Fluxes &solar) const;

    ScalarSet scalars;
    Patch patch;
    std::optional<SunlitGround> relief;
    std::int64_t every; ///< steps from call to call, of run.time_step
    double dt, interval;
    bool as_wrf, moist_theta;
    CalendarTime start;
    double aerosol_depth; ///< of the whole column, at 550 nm, where the ground has none of each
    AerosolOptics aerosol;
    bool wanted = false; ///< a call, in the next step
    bool seasonal_ozone;
    std::optional<Sunlight> standing{}; ///< of a sun that does not move
    // Of the call that has begun.
    Sun sun;
    double day = 0; ///< of the year
    MixingRatios gases{};
    std::int64_t step = 0;
    std::vector<Worker> workers; ///< one per thread
};

Radiation::Radiation(const Config &config, const ScalarSet &scalars, const Patch &patch)
    : implementation_(std::make_unique<Implementation>(config, scalars, patch)) {}
Radiation::Radiation(Radiation &&) noexcept = default;
Radiation::~Radiation() = default;

void Radiation::survey(const Config &config, const Grid &grid, MPI_Comm comm) {
    Implementation &r = *implementation_;
    if (SunlitGround::wanted(config.physics)) r.relief.emplace(config, r.patch, grid, comm);
}

void Radiation::set_time_step(double dt) { implementation_->dt = dt; }

void Radiation::call_next() { implementation_->wanted = true; }

bool Radiation::begin(double seconds) {
    Implementation &r = *implementation_;
    if (!std::exchange(r.wanted, false) && !falls_due(seconds, r.dt, r.interval)) return false;
    r.step = r.every * std::llround(seconds / r.interval);
    const CalendarTime middle = add_seconds(r.start, seconds + 0.5 * r.interval);
    const std::chrono::year year =
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(middle)).year();
    const std::chrono::duration<double, std::ratio<86400>> since =
        middle - std::chrono::sys_days(year / std::chrono::January / 1);
    r.day = since.count();
    r.gases = well_mixed(int(year) + r.day / 366);
    r.sun = sun_at(r.day, r.as_wrf);
    return true;
}

void Radiation::advance(Range columns, const Grid &grid, const State &state, ConstField3 p,
                        const Ground &ground, PhysicsState &physics) {
    const Implementation &r = *implementation_;
    auto &worker = implementation_->workers[static_cast<std::size_t>(omp_get_thread_num())];
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i0 = columns.i0; i0 < columns.i1; i0 += columns_together) {
            const int count = std::min(columns_together, columns.i1 - i0);
            worker.tasks.clear();
            for (int n = 0; n < count; ++n) {
                auto &work = worker.columns[static_cast<std::size_t>(n)];
                const Implementation::Place at{i0 + n, j, grid, state, p, ground, physics};
                r.prepare(at, work.column);
                worker.tasks.push_back({&work.column, r.seed(at), &work.thermal, &work.solar});
            }
            worker.scheme->solve_longwave(worker.tasks);
            worker.scheme->solve_shortwave(worker.tasks);
            for (int n = 0; n < count; ++n)
                r.keep({i0 + n, j, grid, state, p, ground, physics},
                       worker.columns[static_cast<std::size_t>(n)]);
        }
}

/// The air of a column, and what lies below and above it.
void Radiation::Implementation::fill(const Place &at, Column &c) const {
    const Grid &g = at.grid;
    const VerticalGrid &v = g.vertical;
    const int i = at.i, j = at.j, nz = g.shape.nz;
    const double mu = double(g.mub(i, j)) + double(at.state.mu(i, j));
    c.resize(nz + layers_above(double(v.p_top)));
    c.pressure[static_cast<std::size_t>(nz)] = double(v.p_top);
    for (int k = nz - 1; k >= 0; --k) {
        const auto n = static_cast<std::size_t>(k);
        double water = 0;
        for (int s = 0; s < scalars.waters; ++s) water += amount(at, s, k);
        const double dry = -double(v.dnw[n]) * (double(v.c1h[n]) * mu + double(v.c2h[n]));
        c.pressure[n] = c.pressure[n + 1] + dry * (1 + water);
        const double qv = amount(at, scalars.vapour, k), p = double(at.p(i, k, j)) + double(g.pb(i, k, j));
        double theta = double(at.state.theta(i, k, j)) + double(constants::theta0);
        if (moist_theta) theta /= 1 + double(constants::r_v / constants::r_d) * qv;
        Layer &layer = c.layers[n];
        layer = {};
        layer.pressure = 0.5 * (c.pressure[n] + c.pressure[n + 1]);
        layer.temperature = theta * exner_of(p);
        layer.ratios = gases;
        layer.ratios[h2o] = real(qv * vapour_molecules);
        const double density = p / (double(constants::r_d) * layer.temperature * (1 + 0.608 * qv));
        fill_clouds(at, n, density, dry / double(constants::g), layer);
    }
    set_between(c, nz);
    add_air_above(c, nz);
    if (seasonal_ozone)
        set_ozone(c, {double(g.lat(i, j)), double(g.lon(i, j)), day}, 0);
    else
        set_tropical_ozone(c);
}

/// `density` of the air [kg m-3], `mass` of dry air in the layer [kg m-2].
void Radiation::Implementation::fill_clouds(const Place &at, std::size_t k, double density, double mass,
                                            Layer &layer) const {
    const int level = static_cast<int>(k);
    const double water[cloud_kinds] = {amount(at, scalars.cloud, level), amount(at, scalars.ice, level),
                                       amount(at, scalars.snow, level)};
    const double all = water[liquid] + water[ice] + water[snow];
    if (!(all > 0)) return;
    const real t = real(layer.temperature), p = real(layer.pressure);
    const double over_water = double(saturation_over_water(t, p)),
                 over_ice = double(saturation_over_ice(t, p));
    const double frozen = (water[ice] + water[snow]) / all;
    const double saturation = (1 - frozen) * over_water + frozen * std::min(over_ice, over_water);
    layer.cover = cloud_cover(all, amount(at, scalars.vapour, level) / saturation, saturation);
    if (!(layer.cover > 0)) return;
    const bool land = at.ground.wetness(at.i, at.j) < real(1);
    for (std::size_t kind = 0; kind < cloud_kinds; ++kind) {
        const double in_cloud = water[kind] / layer.cover, content = in_cloud * density;
        if (!(in_cloud > 0)) continue;
        layer.cloud[kind] = {in_cloud * mass * 1000, kind == liquid ? drop_radius(content, land)
                                                     : kind == ice
                                                         ? crystal_radius(content, layer.temperature)
                                                         : flake_radius(content, layer.temperature)};
    }
}

/// The air, the ground below it and the sun above it.
void Radiation::Implementation::prepare(const Place &at, Column &c) const {
    const Grid &g = at.grid;
    const SurfaceState &surface = at.physics.surface;
    const bool told = surface.skin_temperature.view().origin != nullptr; // of the ground as land has it
    fill(at, c);
    const Array2 &depths = at.ground.aerosol;
    const double haze = depths.bytes() > 0 ? double(depths(at.i, at.j)) : aerosol_depth;
    if (haze > 0) add_aerosol(c, aerosol, haze, g.shape.nz);
    c.ground = {double((told ? surface.skin_temperature : at.ground.temperature)(at.i, at.j)),
                double((told ? surface.emissivity : at.ground.emissivity)(at.i, at.j)),
                double((told ? surface.albedo : at.ground.albedo)(at.i, at.j))};
    c.sun = standing
                ? *standing
                : Sunlight{sun.cosine(double(g.lat(at.i, at.j)), double(g.lon(at.i, at.j))), sun.irradiance};
}

/// Sunlight down on the ground as it is inclined and shaded [W m-2].
double Radiation::Implementation::on_relief(const Place &at, const Fluxes &solar) const {
    const Direction to_sun = sun.direction(double(at.grid.lat(at.i, at.j)), double(at.grid.lon(at.i, at.j)));
    const double beam = solar.direct[0], sky = solar.down[0] - beam;
    return to_sun.up > 0 ? sky + beam * relief->share(at.i, at.j, to_sun) : sky;
}

void Radiation::Implementation::keep(const Place &at, const Work &w) const {
    const int i = at.i, j = at.j, nz = at.grid.shape.nz;
    RadiationState &r = at.physics.radiation;
    const auto net_up = [&](std::size_t k) {
        return w.thermal.up[k] - w.thermal.down[k] + w.solar.up[k] - w.solar.down[k];
    };
    for (int k = 0; k < nz; ++k) {
        const auto n = static_cast<std::size_t>(k);
        const double mass = (w.column.pressure[n] - w.column.pressure[n + 1]) / double(constants::g);
        const double p = double(at.p(i, k, j)) + double(at.grid.pb(i, k, j));
        r.heating(i, k, j) =
            real((net_up(n) - net_up(n + 1)) / (mass * double(constants::c_p) * exner_of(p)));
    }
    r.shortwave_down(i, j) = real(w.solar.down[0]);
    r.shortwave_direct(i, j) = real(w.solar.direct[0]);
    r.shortwave_net(i, j) = real(w.solar.down[0] - w.solar.up[0]);
    if (relief) {
        const double reaching = on_relief(at, w.solar);
        r.shortwave_on_relief(i, j) = real(reaching);
        r.shortwave_net(i, j) = real((1 - w.column.ground.albedo) * reaching);
    }
    r.shortwave_down_top(i, j) = real(w.solar.down.back());
    r.shortwave_up_top(i, j) = real(w.solar.up.back());
    r.longwave_down(i, j) = real(w.thermal.down[0]);
    r.longwave_up_top(i, j) = real(w.thermal.up.back());
    r.cosine(i, j) = real(std::max(w.column.sun.cosine, 0.0));
    SurfaceState &surface = at.physics.surface;
    if (surface.shortwave_net.view().origin) surface.shortwave_net(i, j) = r.shortwave_net(i, j);
    if (surface.shortwave_down.view().origin) surface.shortwave_down(i, j) = r.shortwave_reaching()(i, j);
    if (surface.longwave_down.view().origin) surface.longwave_down(i, j) = r.longwave_down(i, j);
}

} // namespace squall
