/// Particles that sink through the air.
#pragma once

#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// [m s-1] of a sphere of a diameter [m] and a density [kg m-3] in air of a temperature [K] and pressure
/// [Pa]: Stokes' velocity d^2 rho g C / (18 mu), with Sutherland's viscosity and Cunningham's slip correction
/// C = 1 + Kn (1.257 + 0.4 exp(-1.1 / Kn)), Kn = 2 lambda / d. Seinfeld, J. H., and S. N. Pandis (2006):
/// Atmospheric Chemistry and Physics, 2nd edition, equations 9.6, 9.34 and 9.42. For Reynolds numbers well
/// below 1: of particles of 1 g/cm3 below 50 micrometres or so.
double settling_velocity(double diameter, double density, double temperature, double pressure);

/// The distribution within cells sinks with all its moments, as it is carried by wind; what leaves the lowest
/// layer is on the ground. Columns in which it would leave a layer altogether are done in parts of a step.
class Settling : public ColumnProcess {
  public:
    Settling(const SourceSettings &settings, bool positive)
        : diameter_(settings.particle_diameter), density_(settings.particle_density), positive_(positive) {}
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    double diameter_, density_;
    bool positive_;
};

} // namespace squall::transport
