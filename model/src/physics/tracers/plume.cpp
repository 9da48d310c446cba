#include "physics/tracers/plume.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

constexpr double g = constants::g, c_p = constants::c_p, latent_heat = 2.5e6; // [J kg-1]
constexpr double epsilon = double(constants::r_d) / constants::r_v;
constexpr double source_depth = 3e4; // [Pa] that plumes rise from
constexpr double greatest_work = 50; // [J kg-1] against which they go on
constexpr double least_cape = 70;    // [J kg-1]
constexpr double consumption = 7200; // [s] of CAPE
constexpr double greatest_flux = 1;  // [kg m-2 s-1]

double virtual_temperature(double temperature, double vapour) {
    return temperature * (1 + (1 / epsilon - 1) * vapour);
}

double moist_static_energy(const AirColumn &air, int k) {
    return c_p * air.temperature[k] + g * air.height[k] + latent_heat * air.vapour[k];
}

int layer_of_origin(const AirColumn &air) {
    int best = 0;
    for (int k = 1; k < air.layers() && air.pressure[k] > air.pressure[0] - source_depth; ++k)
        if (moist_static_energy(air, k) > moist_static_energy(air, best)) best = k;
    return best;
}

/// What rises: conserved but for exchange with the surroundings and rain.
struct Parcel {
    double energy, water;

    void exchange(const AirColumn &air, int k) {
        const double taken = plume_exchange * (air.height[k] - air.height[k - 1]),
                     share = taken / (1 + taken);
        energy += share * (moist_static_energy(air, k) - energy);
        water += share * (air.vapour[k] - water);
    }

    /// Virtual temperature in layer k, where condensate falls out.
    double settle(const AirColumn &air, int k) {
        const double t = air.temperature[k], p = air.pressure[k];
        const double saturated = saturation_over_water(static_cast<real>(t), static_cast<real>(p));
        const double slope =
            saturated * (1 + saturated / epsilon) * 17.67 * 243.5 / ((t - 29.65) * (t - 29.65));
        const double gamma = latent_heat / c_p * slope;
        const double excess = (energy - c_p * t - g * air.height[k] - latent_heat * saturated) / (1 + gamma);
        const double most = std::max(0.0, saturated + gamma / latent_heat * excess);
        if (water > most) {
            water = most;
            return virtual_temperature(t + excess / c_p, most);
        }
        return virtual_temperature((energy - g * air.height[k] - latent_heat * water) / c_p, water);
    }
};

/// How fast the sinking around a plume of unit flux consumes CAPE [J kg-1 s-1 per kg m-2 s-1].
double consumption_by_unit_flux(const AirColumn &air, int first, int last) {
    const auto theta_v = [&](int k) {
        return virtual_temperature(air.temperature[k], air.vapour[k]) *
               std::pow(air.pressure[k] / constants::p0, -double(constants::kappa));
    };
    const auto density = [&](int k) { return air.mass[k] / air.depth[k]; };
    double sum = 0, below = theta_v(first);
    for (int k = first + 1; k <= last; ++k) {
        const double here = theta_v(k);
        sum += 4 * g * (here - below) / ((density(k) + density(k - 1)) * (here + below));
        below = here;
    }
    return sum;
}

double flux_of(const AirColumn &air, const Plume &plume) {
    if (plume.cape < least_cape) return 0;
    const double rate = consumption_by_unit_flux(air, plume.first, plume.last);
    const double wanted = plume.cape / consumption;
    return wanted < greatest_flux * rate ? wanted / rate : greatest_flux;
}

} // namespace

Plume find_plume(const AirColumn &air) {
    Plume plume;
    plume.first = plume.last = layer_of_origin(air);
    Parcel parcel{moist_static_energy(air, plume.first), air.vapour[plume.first]};
    double work = 0, most_work = 0, gained = 0; // by buoyancy, up to here
    for (int k = plume.first + 1; k < air.layers() && most_work - work <= greatest_work; ++k) {
        parcel.exchange(air, k);
        const double around = virtual_temperature(air.temperature[k], air.vapour[k]);
        const double lift =
            g * (parcel.settle(air, k) - around) / around * (air.height[k] - air.height[k - 1]);
        work += lift;
        most_work = std::max(most_work, work);
        gained += std::max(lift, 0.0);
        if (lift <= 0) continue;
        plume.last = k;
        plume.cape = gained;
    }
    plume.flux = flux_of(air, plume);
    return plume;
}

} // namespace squall
