// Bryan, G. H. and J. M. Fritsch (2002): A benchmark simulation for moist nonhydrostatic numerical
// models. Mon. Wea. Rev. 130, 2917-2928, section 4: air saturated everywhere, of the same total water
// and equivalent potential temperature, with a bubble of the same buoyancy as the dry one's. The
// model's water holds no heat (d ln theta = -L / (cp T) dqv, constant L and cp), so the air aloft is
// made neutral in that sense; theta_e, by their definition, is the air's at the surface.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/cases/cases.hpp"
#include "initial/cases/thermal.hpp"
#include "initial/moist_ideal.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

constexpr double g = constants::g, r_d = constants::r_d, c_p = constants::c_p, p0 = constants::p0;
constexpr double kappa = r_d / c_p, rv_over_rd = double(constants::r_v) / constants::r_d;
constexpr double latent = 2.5e6, c_liquid = 4190; // [J kg-1], [J kg-1 K-1]

/// Where f, which rises, is 0.
template <class F> double root(F f, double low, double high) {
    for (int n = 0; n < 80; ++n) {
        const double middle = 0.5 * (low + high);
        (f(middle) > 0 ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

double vapour_at(double theta, double p, double water) {
    return std::min(water, saturation_mixing_ratio(theta * std::pow(p / p0, kappa), p));
}

/// Of saturated air at temperature t (their eq. 39).
double equivalent_potential_temperature(double t, double p, double water) {
    const double qv = std::min(water, saturation_mixing_ratio(t, p)), heat = c_p + c_liquid * water;
    const double p_dry = p / (1 + rv_over_rd * qv);
    return t * std::pow(p0 / p_dry, r_d / heat) * std::exp(latent * qv / (heat * t));
}

double density(double theta, double vapour, double p, double water) {
    return p0 / (r_d * theta * (1 + rv_over_rd * vapour)) * std::pow(p / p0, 1 - kappa) * (1 + water);
}

/// Saturated air at rest, each level moist-neutral to the one below.
MoistSounding neutral_sounding(const Config &config) {
    const double water = parameter(config, "water"), theta_e = parameter(config, "theta_e");
    constexpr double dz = 10, top = 16000;
    double p = p0,
           theta = root([&](double t) { return equivalent_potential_temperature(t, p0, water) - theta_e; },
                        200, 330);
    double vapour = vapour_at(theta, p, water);
    std::vector<SoundingLevel> levels{{0, theta, vapour, water - vapour}};
    for (double z = dz; z <= top; z += dz) {
        const double below = density(theta, vapour, p, water), t_below = theta * std::pow(p / p0, kappa);
        double p_now = p, theta_now = theta, vapour_now = vapour;
        for (int n = 0; n < 10; ++n) {
            p_now = p - 0.5 * g * dz * (below + density(theta_now, vapour_now, p_now, water));
            const auto gained = [&](double th) {
                const double t = 0.5 * (t_below + th * std::pow(p_now / p0, kappa));
                return std::log(th / theta) + latent / (c_p * t) * (vapour_at(th, p_now, water) - vapour);
            };
            theta_now = root(gained, theta - 1, theta + 5);
            vapour_now = vapour_at(theta_now, p_now, water);
        }
        p = p_now;
        theta = theta_now;
        vapour = vapour_now;
        levels.push_back({z, theta, vapour, water - vapour});
    }
    return MoistSounding(p0, std::move(levels));
}

/// The sounding's air, saturated at the layer's own pressure, with its density potential temperature
/// raised by theta' / 300 K.
MoistColumn saturated(const Config &config, const MoistSounding &sounding) {
    const double water = parameter(config, "water");
    return [&sounding, water, bubble = thermal(config)](double x, double y) -> MoistAir {
        return [&sounding, water, bubble, x, y](const Layer &layer) {
            const double z = sounding.height_of_dry(layer.p_dry), calm = sounding.at(z).theta;
            const auto loaded = [&](double th) {
                return th * (1 + rv_over_rd * vapour_at(th, layer.p, water));
            };
            const double wanted = loaded(calm) * (1 + bubble(x, y, z, layer.p) / 300);
            const double theta = root([&](double th) { return loaded(th) - wanted; }, calm - 20, calm + 20);
            const double vapour = vapour_at(theta, layer.p, water);
            return MoistLayer{theta, vapour, water - vapour};
        };
    };
}

InitialState make(const Config &config, const Patch &patch) {
    if (scalars_of(config).cloud < 0)
        throw ConfigError(
            fmt::format("{}: moist-bubble is a case with cloud: set physics.microphysics = \"condensation\"",
                        config.file));
    const MoistSounding sounding = neutral_sounding(config);
    InitialState s = moist_atmosphere(config, patch, sounding);
    set_air(config, patch, sounding, saturated(config, sounding), s);
    return s;
}

} // namespace

Case moist_bubble() {
    return {"moist-bubble",
            "A warm bubble rises in saturated, neutral air (Bryan and Fritsch 2002)",
            {{"water", "", 0.02, "total water mixing ratio [kg/kg]"},
             {"theta_e", "K", 320, "equivalent potential temperature at the surface"},
             {"amplitude", "K", 2,
              "amplitude of the bubble: its buoyancy is that of this perturbation in dry air at 300 K"},
             {"centre_x", "m", 0, "distance of the bubble's centre east of the middle of the domain"},
             {"centre_y", "m", 0, "distance of the bubble's centre north of the middle of the domain"},
             {"height", "m", 2000, "height of the bubble's centre"},
             {"radius_x", "m", 2000, "radius of the bubble along x"},
             {"radius_y", "m", 0, "radius of the bubble along y; 0: a cylinder along y"},
             {"radius_z", "m", 2000, "vertical radius of the bubble"}},
            make};
}

} // namespace squall
