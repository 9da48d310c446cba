/// What acts on a periodic domain from a flow too wide for it, and from a surface that is prescribed.
#pragma once

#include <vector>

#include "core/real.hpp"

namespace squall {

/// What the surface does over time, linear between times, the same everywhere. What is not prescribed is
/// empty.
struct SurfaceSeries {
    std::vector<double> seconds;                    ///< after run.start, growing
    std::vector<double> temperature;                ///< of the skin [K]
    std::vector<double> sensible_heat, latent_heat; ///< upward [W m-2]

    /// Before the first time the first value, after the last the last.
    double at(const std::vector<double> &values, double now) const;
};

/// The geostrophic wind over time, linear between times; empty: it stays.
struct WindSeries {
    std::vector<double> seconds;         ///< after run.start, growing
    std::vector<std::vector<real>> u, v; ///< of each time, by layer [m s-1]
};

/// The same everywhere; all zero, and off, in a run that has its weather from elsewhere.
struct LargeScaleForcing {
    bool on = false;
    std::vector<real> geostrophic_u,
        geostrophic_v; ///< what the pressure gradient balances now, by layer [m s-1]
    WindSeries geostrophic;
    real divergence = 0;            ///< of the wide flow: air sinks at this times its height [s-1]
    double surface_warming = 0;     ///< of the skin [K s-1], from
    double surface_temperature = 0; ///< [K] where the run starts
    SurfaceSeries surface;
    double friction_velocity = 0; ///< [m s-1]; 0: that of the roughness

    /// Sets the geostrophic wind to what it is then.
    void set_wind(double seconds);
};

} // namespace squall
