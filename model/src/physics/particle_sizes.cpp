#include "physics/particle_sizes.hpp"

#include <algorithm>

#include "physics/morrison/radii.hpp"
#include "physics/radiation/clouds.hpp"
#include "physics/radiation/column.hpp"
#include "physics/thompson/air.hpp"
#include "physics/thompson/radii.hpp"

namespace squall {
namespace {

using namespace radiation;

constexpr double melting_point = 273.15; // [K]
/// Of WDM's droplets, whose number by diameter is as D^2 exp(-(lambda D)^3) (Lim and Hong 2010, equation 1):
/// the cube of Gamma(5/3).
constexpr double wdm_breadth = 0.7357;

double of_content(const Particles &p) {
    return p.kind == liquid ? drop_radius(p.content, p.over_land)
           : p.kind == ice  ? crystal_radius(p.content, p.temperature)
                            : flake_radius(p.content, p.temperature);
}

double of_temperature(const Particles &p) {
    return p.kind == liquid ? drop_radius_at(p.temperature, p.over_land, p.snow_below)
                            : crystal_radius_at(p.temperature);
}

double of_morrison(const Particles &p) {
    if (p.kind == liquid) return morrison::drop_radius(p.content);
    return morrison::frozen_radius(p.kind == ice ? morrison::ice : morrison::snow, p.mixing_ratio, p.number);
}

/// Of the mean air of a layer; 0 where the scheme has none of them there.
double of_thompson(const Particles &p) {
    const double air_density = thompson::density_of(p.temperature, p.pressure, p.vapour);
    const double content = air_density * p.mixing_ratio;
    if (!(content > thompson::least)) return 0;
    if (p.kind == snow) return thompson::snow_radius(content, p.temperature - melting_point);
    const double number = p.number < 0 ? thompson::droplets : air_density * p.number;
    if (!(number > thompson::least_number)) return 0;
    return p.kind == liquid ? thompson::droplet_radius(content, number)
                            : thompson::crystal_radius(content, number);
}

/// Of droplets as many as are counted in the mean air; 0 of all else, and without any.
double of_wdm(const Particles &p) {
    constexpr double fewest = 1; // [kg-1]
    if (p.kind != liquid || !(p.mixing_ratio > 0 && p.number > fewest)) return 0;
    return counted_drop_radius(p.mixing_ratio, p.number, wdm_breadth);
}

} // namespace

ParticleSizes::ParticleSizes(const Config &config) : as_wrf_(config.run.as_wrf()) {
    const auto scheme = microphysics_schemes().find(config.physics.microphysics);
    if (scheme == microphysics_schemes().end()) return;
    known_ = scheme->second.sizes;
    by_temperature_ = as_wrf_ && !scheme->second.tells_sizes_in_wrf;
}

double ParticleSizes::radius(const Particles &p) const {
    if (by_temperature_) return of_temperature(p);
    if (known_ == SizesOf::morrison) return of_morrison(p);
    const double known = known_ == SizesOf::thompson ? of_thompson(p)
                         : known_ == SizesOf::wdm    ? of_wdm(p)
                                                     : 0;
    return known > 0 ? known : of_content(p);
}

/// WRF looks up crystals and flakes by Fu's generalized effective size (Fu 1996, J. Climate 9, 2058-2082),
/// which is 8 / (3 sqrt 3) of the radius, but takes the radius for it, or 1.0315 of that by temperature. It
/// takes large flakes for fewer of 130 um, and leaves out a hundredth of all.
SeenParticles ParticleSizes::seen(const Particles &p) const {
    constexpr double generalized = 1.5396, by_temperature = 1.0315, most_size = 140, most_radius = 130,
                     most_share = 0.99;
    const double found = radius(p);
    if (!as_wrf_ || p.kind == liquid) return {found};
    if (by_temperature_) return {std::min(by_temperature * found, most_size) / generalized};
    if (p.kind == ice) return {found / generalized};
    const double ratio = most_radius / std::max(found, most_radius);
    return {std::min(found, most_radius) / generalized, std::min(most_share, ratio * ratio)};
}

} // namespace squall
