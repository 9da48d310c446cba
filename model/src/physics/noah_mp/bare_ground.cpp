#include <algorithm>
#include <cmath>

#include "physics/noah_mp/energy.hpp"
#include "physics/noah_mp/saturation.hpp"
#include "physics/noah_mp/turbulence.hpp"

namespace squall::noah_mp {

real psychrometric(const Air &a, bool frozen) {
    return heat_of_air * a.pressure / (real(0.622) * (frozen ? sublimation : vaporisation));
}

real radiative_temperature(const Air &a, real longwave, real emissivity) {
    const real own = longwave + emissivity * a.longwave;
    return std::sqrt(std::sqrt(own / (emissivity * stefan_boltzmann)));
}

namespace {

/// Fluxes and the slopes by which they answer to the temperature of the ground.
struct Exchange {
    real radiative, sensible, latent, ground;

    void set(const Setting &s, const Air &a, real conductance) {
        const real heat = a.density * heat_of_air;
        radiative = s.ground_emissivity * stefan_boltzmann;
        sensible = heat * conductance;
        latent = heat / psychrometric(a, s.frozen_ground) / (s.resistance + 1 / conductance);
        ground = s.conductance;
    }
};

void iterate(const Exchange &e, const Setting &s, const Air &a, real gained, GroundFluxes &f) {
    const Saturation air = saturation(f.temperature);
    f.radiation = e.radiative * fourth(f.temperature) - s.ground_emissivity * a.longwave;
    f.sensible = e.sensible * (f.temperature - a.temperature);
    f.latent = e.latent * (air.pressure * s.relative_humidity - a.vapour_pressure);
    f.ground = e.ground * (f.temperature - s.below);
    const real cubed = f.temperature * f.temperature * f.temperature;
    const real radiative = 4 * e.radiative * cubed, latent = e.latent * air.slope;
    const real warmer = (gained - f.radiation - f.sensible - f.latent - f.ground) /
                        (radiative + e.sensible + latent + e.ground);
    f.radiation += radiative * warmer;
    f.sensible += e.sensible * warmer;
    f.latent += latent * warmer;
    f.ground += e.ground * warmer;
    f.temperature += warmer;
}

/// Snow melts instead of getting warmer; the rest goes into it.
void hold(const Exchange &e, const Setting &s, const Air &a, real gained, real vapour_pressure,
          GroundFluxes &f) {
    f.temperature = s.hold;
    f.radiation = e.radiative * fourth(f.temperature) - s.ground_emissivity * a.longwave;
    f.sensible = e.sensible * (f.temperature - a.temperature);
    f.latent = e.latent * (vapour_pressure * s.relative_humidity - a.vapour_pressure);
    f.ground = gained - (f.radiation + f.sensible + f.latent);
}

void set_2m(const Setting &s, const Air &a, real conductance, GroundFluxes &f) {
    if (conductance < real(1e-5)) {
        f.temperature_2m = f.temperature;
        f.humidity_2m = f.humidity;
        return;
    }
    f.temperature_2m = f.temperature - f.sensible / (a.density * heat_of_air * conductance);
    const real latent = s.frozen_ground ? sublimation : vaporisation;
    f.humidity_2m = f.humidity - f.latent / (latent * a.density) * (1 / conductance + s.resistance);
}

} // namespace

GroundFluxes bare_ground(const Setting &s, const Air &a, real sunlight, real rain_heat, real temperature) {
    const real gained = sunlight + rain_heat, pressure = s.glacier ? a.pressure : a.surface_pressure;
    GroundFluxes f{};
    f.temperature = temperature;
    Similarity above(a, s.height, s.displacement_ground, s.z0_ground);
    Exchange e{};
    real heat = 0, at_ground = 0;
    for (int n = 0; n < 5; ++n) {
        above.iterate(heat);
        e.set(s, a, above.conductance());
        iterate(e, s, a, gained, f);
        heat = e.sensible * (f.temperature - a.temperature);
        at_ground = saturation(f.temperature).pressure;
    }
    if (f.temperature > s.hold) {
        if (s.glacier) at_ground = saturation(s.hold, true).pressure;
        hold(e, s, a, gained, at_ground, f);
    }
    f.humidity = specific_humidity(at_ground * s.relative_humidity, pressure);
    f.conductance = above.conductance();
    set_2m(s, a, above.conductance_2m(), f);
    return f;
}

} // namespace squall::noah_mp
