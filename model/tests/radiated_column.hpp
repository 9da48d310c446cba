/// A column of the built-in storm's air under the radiation of a run, and the fluxes of the same air found
/// beside it.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "initial/initial.hpp"
#include "physics/radiation.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"
#include "radiated_storm.hpp"

namespace squall::test {

struct RadiatedColumn {
    static constexpr int at = 3, nz = 40;   ///< index in both directions; layers
    static constexpr double middle = 196.5; ///< day of 2005 in the middle of the time that the call is for

    Config config;
    Patch patch;
    InitialState initial;
    Array3 p;                             ///< perturbation pressure [Pa]
    std::vector<double> warming{};        ///< by layer [W m-2]
    radiation::Fluxes thermal{}, solar{}; ///< at the run's interfaces and beyond its top

    explicit RadiatedColumn(const std::string &scheme)
        : config(radiated_storm(scheme, {8, 8, nz})),
          patch(make_patch(0, 1, 1, 8, 8, nz, config.domain.boundaries)),
          initial(make_initial_state(config, patch)), p(pressure_of(initial)) {
        run();
        const radiation::Column air = same_air();
        find_fluxes(air);
        for (int k = 0; k < nz; ++k) {
            const auto n = static_cast<std::size_t>(k);
            const double mass = (air.pressure[n] - air.pressure[n + 1]) / 9.81;
            warming.push_back(double(constants::c_p) * exner(k) * mass *
                              double(radiation().heating(at, k, at)));
        }
    }

    double net_down(int interface) const {
        const auto k = static_cast<std::size_t>(interface);
        return thermal.down[k] - thermal.up[k] + solar.down[k] - solar.up[k];
    }

  private:
    const RadiationState &radiation() const { return initial.physics.radiation; }

    double exner(int k) const {
        return std::pow((double(p(at, k, at)) + double(initial.grid.pb(at, k, at))) / 1e5, 2.0 / 7);
    }

    void run() {
        Radiation scheme(config, initial.scalars, patch);
        scheme.begin(0);
        scheme.advance({initial.grid, initial.state, p.view(), initial.ground, initial.physics});
    }

    /// Put together by hand, as the documentation has it.
    radiation::Column same_air() const {
        const VerticalGrid &v = initial.grid.vertical;
        const auto vapour = static_cast<std::size_t>(initial.scalars.vapour);
        radiation::Column c;
        c.resize(nz + radiation::layers_above(double(v.p_top)));
        c.pressure[nz] = double(v.p_top);
        const double dry = double(initial.grid.mub(at, at)) + double(initial.state.mu(at, at));
        for (int k = nz - 1; k >= 0; --k) {
            const auto n = static_cast<std::size_t>(k);
            const double q = double(initial.state.scalars[vapour](at, k, at));
            const double theta = 300 + double(initial.state.theta(at, k, at));
            c.pressure[n] = c.pressure[n + 1] - double(v.dnw[n]) * dry * (1 + q); // a pure sigma coordinate
            radiation::Layer &layer = c.layers[n];
            layer.pressure = 0.5 * (c.pressure[n] + c.pressure[n + 1]);
            layer.temperature = theta * exner(k) / (1 + double(constants::r_v / constants::r_d) * q);
            layer.ratios = radiation::well_mixed(2005 + middle / 366);
            layer.ratios[radiation::h2o] = real(q * 28.964 / 18.016);
        }
        for (std::size_t k = 0; k <= nz; ++k) {
            const auto low = static_cast<std::size_t>(std::clamp(static_cast<int>(k) - 1, 0, nz - 2));
            const radiation::Layer &a = c.layers[low], &b = c.layers[low + 1];
            const double w = std::log(c.pressure[k] / a.pressure) / std::log(b.pressure / a.pressure);
            c.temperature[k] = a.temperature + w * (b.temperature - a.temperature);
        }
        radiation::add_air_above(c, nz);
        radiation::set_ozone(c, {0, 0, middle}, 0);
        c.ground = {300, double(initial.ground.emissivity(at, at)), double(initial.ground.albedo(at, at))};
        c.sun.cosine = double(radiation().cosine(at, at));
        c.sun.irradiance = double(radiation().shortwave_down_top(at, at)) / c.sun.cosine;
        return c;
    }

    void find_fluxes(const radiation::Column &air) {
        const auto scheme =
            radiation::scheme_named(config.physics.radiation).prepare(config.physics.radiation_tables)();
        const radiation::Task task{&air, {}, &thermal, &solar};
        scheme->solve_longwave({&task, 1});
        scheme->solve_shortwave({&task, 1});
    }
};

} // namespace squall::test
