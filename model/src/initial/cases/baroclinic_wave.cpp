// The zonal jet of Ullrich, P. A., K. A. Reed and C. Jablonowski (2015): Analytical initial
// conditions and an analysis of baroclinic instability waves in f- and beta-plane 3D channel models.
// Q. J. R. Meteorol. Soc. 141, 2972-2988, eqs 1-16 with beta = 0: exactly hydrostatic and
// geostrophic. Surface pressure is 1000 hPa everywhere, eta = p / 1000 hPa.
//
// In place of their local wind disturbance, a warm and a cold half of a zonal wave (as WRF's em_b_wave
// has), which grows into one cyclone per wavelength without a transient.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

using std::numbers::pi;

constexpr double p0 = constants::p0, r_d = constants::r_d, kappa = r_d / constants::c_p;

/// y in m north of the middle of the channel.
struct Jet {
    double u0, width, b, f;

    explicit Jet(const Config &config)
        : u0(parameter(config, "jet")), width(config.domain.ny * config.domain.dy),
          b(parameter(config, "jet_depth")), f(config.dynamics.f) {}

    double wind(double y, double p) const {
        const double c = std::cos(pi * y / width), log_eta = std::log(p / p0);
        return -u0 * c * c * log_eta * std::exp(-log_eta * log_eta / (b * b));
    }

    /// Departure of temperature from the mean of the channel: phi' of the jet in hydrostatic balance.
    double temperature(double y, double p) const {
        const double phi = 0.5 * u0 * f * (y + width / (2 * pi) * std::sin(2 * pi * y / width));
        const double s = std::log(p / p0) / b;
        return phi / r_d * (2 * s * s - 1) * std::exp(-s * s);
    }
};

/// amplitude cos^2(pi r / 2) cos(2 pi waves x / lx) within the ellipse r <= 1 of y and height.
Disturbance zonal_wave(const Config &config) {
    const double amplitude = parameter(config, "amplitude"), waves = parameter(config, "waves");
    const double height = parameter(config, "height"), radius_y = parameter(config, "radius_y");
    const double radius_z = parameter(config, "radius_z"), length = config.domain.nx * config.domain.dx;
    return [=](double x, double y, double z, double) {
        const double r = std::hypot(y / radius_y, (z - height) / radius_z);
        if (r > 1) return 0.0;
        const double c = std::cos(0.5 * pi * r);
        return amplitude * c * c * std::cos(2 * pi * waves * x / length);
    };
}

void check(const Config &config) {
    if (config.dynamics.coriolis != "f-plane" || config.dynamics.f == 0)
        throw ConfigError(fmt::format("{}: the jet of baroclinic-wave is balanced by rotation: set "
                                      "dynamics.coriolis = \"f-plane\" and dynamics.f (1e-4 s-1)",
                                      config.file));
    if (config.domain.boundaries.south == Boundary::periodic)
        throw ConfigError(
            fmt::format("{}: the channel of baroclinic-wave is warmer in the south than in the north and "
                        "cannot be periodic: set domain.boundary_south and boundary_north to \"symmetric\"",
                        config.file));
}

void set_wind(const Config &config, const Patch &patch, const Jet &jet, InitialState &s) {
    for (int j = 0; j < patch.shape.ny; ++j) {
        const double y = (patch.y0 + j + 0.5 - 0.5 * patch.ny_domain) * config.domain.dy;
        for (int k = 0; k < patch.shape.nz; ++k) {
            const real u = real(jet.wind(y, s.grid.pb(0, k, j)));
            for (int i = 0; i <= patch.shape.nx; ++i) s.state.u(i, k, j) = u;
        }
    }
}

InitialState make(const Config &config, const Patch &patch) {
    check(config);
    const Jet jet(config);
    const Sounding mean = constant_lapse(parameter(config, "temperature"), parameter(config, "lapse_rate"));
    InitialState s = atmosphere_at_rest(config, patch, mean);
    set_wind(config, patch, jet, s);
    const Disturbance wave = zonal_wave(config);
    const auto column = [&](double x, double y) -> ThetaDeparture {
        return [&, x, y](const Layer &layer) {
            const double exner = std::pow(layer.p / p0, kappa);
            return jet.temperature(y, layer.p) / exner + wave(x, y, layer.z, layer.p);
        };
    };
    add_departure(config, patch, mean, column, Conserve::mass, s);
    return s;
}

} // namespace

Case baroclinic_wave() {
    return {"baroclinic-wave",
            "A zonal jet in a channel breaks up into cyclones (jet of Ullrich et al. 2015, f-plane)",
            {{"jet", "m/s", 45, "wind scale u0; the maximum wind is 0.858 times this for jet_depth 2"},
             {"jet_depth", "", 2, "vertical half width b of the jet in ln(p)"},
             {"temperature", "K", 288, "mean temperature at the surface"},
             {"lapse_rate", "K/m", 0.005, "mean lapse rate of temperature"},
             {"amplitude", "K", 1, "amplitude of the perturbation in potential temperature"},
             {"waves", "", 1, "wavelengths of the perturbation along the channel"},
             {"height", "m", 8e3, "height of the perturbation's centre"},
             {"radius_y", "m", 2e6, "half width of the perturbation across the channel"},
             {"radius_z", "m", 8e3, "half depth of the perturbation"}},
            make};
}

} // namespace squall
