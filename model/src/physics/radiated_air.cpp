#include "physics/radiated_air.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "physics/declared_state.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/radiation/carried_aerosol.hpp"
#include "physics/radiation/clouds.hpp"
#include "physics/radiation/standard_air.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using namespace radiation;

constexpr double freezing = 273.15;                  // [K]
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

AerosolOptics aerosol_of(const PhysicsConfig &c) {
    const auto said = [](double key) {
        return key == PhysicsConfig::of_type ? std::nullopt : std::optional(key);
    };
    const bool carried = c.aerosol_type == carried_aerosol; // has the optics of the first
    return {carried ? AerosolType::rural : aerosol_types().at(c.aerosol_type),
            said(c.aerosol_angstrom_exponent), said(c.aerosol_single_scattering_albedo),
            said(c.aerosol_asymmetry)};
}

/// Vapour's pressure over that of saturation, of their mixing ratios.
double relative_humidity(double vapour, double saturated) {
    constexpr double ratio = double(constants::r_d / constants::r_v);
    return saturated > 0 ? vapour / (vapour + ratio) * (saturated + ratio) / saturated : 0;
}

double saturation_of(const Layer &layer) {
    return double(saturation_over_water(real(layer.temperature), real(layer.pressure)));
}

/// Puts aerosol of a depth at 550 nm above the ground, in air as moist as it is in `layers` layers from
/// there.
void add_aerosol(Column &c, const AerosolOptics &optics, double depth, int layers) {
    c.aerosol = optics;
    spread_aerosol(c, depth);
    for (int k = 0; k < layers; ++k) {
        Layer &layer = c.layers[static_cast<std::size_t>(k)];
        layer.humidity =
            relative_humidity(double(layer.ratios[h2o]) / vapour_molecules, saturation_of(layer));
    }
}

} // namespace

double exner_of(double pressure) {
    return detail::exponential(double(constants::kappa) *
                               detail::logarithm(pressure / double(constants::p0)));
}

RadiatedAir::RadiatedAir(const Config &config, const ScalarSet &scalars, int layers)
    : scalars_(scalars), record_(scalars, layers, keeps_eddies(config)),
      moist_theta_(config.dynamics.moist_theta && scalars.vapour >= 0),
      seasonal_ozone_(config.physics.ozone == "season"),
      content_of_{scalars.cloud, scalars.ice, scalars.snow}, number_of_{-1, scalars.ice_number, -1},
      sizes_(config), simple_ice_(has_simple_ice(config.physics)), clouds_(config.physics.cloud_radiation),
      longwave_ice_(config.physics.longwave_ice), aerosol_depth_(config.physics.aerosol_optical_depth),
      aerosol_(aerosol_of(config.physics)), carried_aerosol_(config.physics.aerosol_type == carried_aerosol),
      least_depth_(config.run.as_wrf() ? 1e-3 : 0) {
    const auto scheme = microphysics_schemes().find(config.physics.microphysics);
    if (scheme != microphysics_schemes().end()) {
        const auto index = [&](Number number) { return index_of(number, scheme->second, scalars); };
        number_of_[snow] = index(Number::snow), number_of_[liquid] = index(Number::droplets);
        water_friendly_ = index(Number::water_friendly), ice_friendly_ = index(Number::ice_friendly);
    }
    if (config.physics.sun_stands())
        standing_ = Sunlight{std::cos(config.physics.zenith_angle * std::numbers::pi / 180),
                             config.physics.insolation};
}

Sunlight RadiatedAir::sunlight(const RadiationCall &call, double latitude, double longitude) const {
    return standing_ ? *standing_ : Sunlight{call.sun.cosine(latitude, longitude), call.sun.irradiance};
}

double RadiatedAir::amount(const real *record, int scalar, int k) const {
    if (scalar < 0) return 0;
    return std::max(double(record_.profile(record, RadiationRecord::waters, scalar)[k]), 0.0);
}

void RadiatedAir::make(const real *record, const VerticalGrid &vertical, const RadiationCall &call,
                       Column &c) const {
    using R = RadiationRecord;
    fill(record, vertical, call, c);
    const double haze = record[R::haze] < 0 ? aerosol_depth_ : double(record[R::haze]);
    if (record[R::haze] < 0 && carried_aerosol_)
        add_carried_aerosol(record, c);
    else if (haze > 0)
        add_aerosol(c, aerosol_, haze, record_.layers());
    c.longwave_ice = longwave_ice_;
    c.ground = {double(record[R::skin]), double(record[R::emissivity]), double(record[R::albedo])};
    c.sun = sunlight(call, double(record[R::latitude]), double(record[R::longitude]));
}

/// Of what the air carries, in its layers. In WRF no layer has less than a thousandth, however thin it is.
void RadiatedAir::add_carried_aerosol(const real *record, Column &c) const {
    c.aerosol = aerosol_;
    c.aerosol.by_layer = true;
    for (int k = 0; k < record_.layers(); ++k) {
        const auto n = static_cast<std::size_t>(k);
        Layer &layer = c.layers[n];
        const double vapour = double(layer.ratios[h2o]) / vapour_molecules, saturated = saturation_of(layer);
        double water = 0;
        for (int s = 0; s < scalars_.waters; ++s) water += amount(record, s, k);
        const double mass = (c.pressure[n] - c.pressure[n + 1]) / (1 + water) / double(constants::g);
        const Extinction of =
            extinction_of_carried(saturated > 0 ? vapour / saturated : 0, layer.temperature);
        layer.humidity = relative_humidity(vapour, saturated);
        layer.aerosol =
            std::max(least_depth_, mass * (of.water_friendly * amount(record, water_friendly_, k) +
                                           of.ice_friendly * amount(record, ice_friendly_, k)));
    }
}

/// The air of a column, and what lies above it.
void RadiatedAir::fill(const real *record, const VerticalGrid &v, const RadiationCall &call,
                       Column &c) const {
    using R = RadiationRecord;
    const int nz = record_.layers();
    const real *of_theta = record_.profile(record, R::theta), *more = record_.profile(record, R::pressure),
               *base = record_.profile(record, R::base_pressure);
    const double mu = double(record[R::base_mass]) + double(record[R::mass]);
    c.resize(nz + layers_above(double(v.p_top)));
    c.pressure[static_cast<std::size_t>(nz)] = double(v.p_top);
    for (int k = nz - 1; k >= 0; --k) {
        const auto n = static_cast<std::size_t>(k);
        double water = 0;
        for (int s = 0; s < scalars_.waters; ++s) water += amount(record, s, k);
        const double dry = -double(v.dnw[n]) * (double(v.c1h[n]) * mu + double(v.c2h[n]));
        c.pressure[n] = c.pressure[n + 1] + dry * (1 + water);
        const double qv = amount(record, scalars_.vapour, k), p = double(more[k]) + double(base[k]);
        double theta = double(of_theta[k]) + double(constants::theta0);
        if (moist_theta_) theta /= 1 + double(constants::rv_over_rd) * qv;
        Layer &layer = c.layers[n];
        layer = {};
        layer.pressure = 0.5 * (c.pressure[n] + c.pressure[n + 1]);
        layer.temperature = theta * exner_of(p);
        layer.ratios = call.gases;
        layer.ratios[h2o] = real(qv * vapour_molecules);
        if (clouds_) fill_clouds(record, k, {dry, p}, layer);
    }
    set_between(c, nz);
    add_air_above(c, nz);
    if (seasonal_ozone_)
        set_ozone(c, {double(record[R::latitude]), double(record[R::longitude]), call.day}, 0);
    else
        set_tropical_ozone(c);
}

/// What clouds are made of in a layer [kg kg-1], by kind.
std::array<double, cloud_kinds> RadiatedAir::clouds(const real *record, int k, double temperature) const {
    std::array<double, cloud_kinds> water{};
    water[liquid] = amount(record, scalars_.cloud, k);
    water[ice] = amount(record, scalars_.ice, k);
    water[snow] = amount(record, scalars_.snow, k);
    if (simple_ice_ && temperature < freezing) {
        water[ice] = std::exchange(water[liquid], 0);
        water[snow] = amount(record, scalars_.rain, k);
    }
    return water;
}

SeenParticles RadiatedAir::seen(const real *record, int k, std::size_t kind, double content,
                                double temperature, double pressure) const {
    using R = RadiationRecord;
    const int number = number_of_[kind];
    return sizes_.seen({kind, content, amount(record, content_of_[kind], k),
                        number < 0 ? -1 : amount(record, number, k), temperature, pressure,
                        amount(record, scalars_.vapour, k), record[R::wetness] < real(1),
                        double(record[R::ground_snow])});
}

/// Of clouds smaller than the cell, what the microphysics has no cloud for.
void RadiatedAir::add_subgrid_clouds(const real *record, int k,
                                     std::array<double, cloud_kinds> &water) const {
    using R = RadiationRecord;
    if (!(record_.profile(record, R::cover)[k] > real(0.001))) return;
    if (water[liquid] < 1e-6) water[liquid] += double(record_.profile(record, R::cloud_water)[k]);
    if (water[ice] < 1e-8) water[ice] += double(record_.profile(record, R::cloud_ice)[k]);
}

/// Once the boundary layer has found its clouds, it says what all of them cover.
void RadiatedAir::fill_clouds(const real *record, int k, Weight weight, Layer &layer) const {
    const bool subgrid = record[RadiationRecord::covered] > 0;
    auto water = clouds(record, k, layer.temperature);
    if (subgrid) add_subgrid_clouds(record, k, water);
    const double mass = weight.dry / double(constants::g);
    const bool rain_is_snow = simple_ice_ && layer.temperature < freezing;
    layer.rain = rain_is_snow ? 0 : 1000 * mass * amount(record, scalars_.rain, k);
    layer.graupel = 1000 * mass * amount(record, scalars_.graupel, k);
    const double all = water[liquid] + water[ice] + water[snow];
    if (!(all > 0)) return;
    const double vapour = amount(record, scalars_.vapour, k);
    const double density =
        weight.pressure / (double(constants::r_d) * layer.temperature * (1 + 0.608 * vapour));
    const real t = real(layer.temperature), p = real(layer.pressure);
    const double over_water = double(saturation_over_water(t, p)),
                 over_ice = double(saturation_over_ice(t, p));
    const double frozen = (water[ice] + water[snow]) / all;
    const double saturation = (1 - frozen) * over_water + frozen * std::min(over_ice, over_water);
    layer.cover = subgrid ? double(record_.profile(record, RadiationRecord::cover)[k])
                          : cloud_cover(all, vapour / saturation, saturation);
    if (!(layer.cover > 0)) return;
    for (std::size_t kind = 0; kind < cloud_kinds; ++kind) {
        const double in_cloud = water[kind] / layer.cover, content = in_cloud * density;
        if (!(in_cloud > 0)) continue;
        const SeenParticles of = seen(record, k, kind, content, layer.temperature, weight.pressure);
        layer.cloud[kind] = {in_cloud * mass * 1000 * of.share, of.radius};
    }
}

} // namespace squall
