/// What the cases of air under a flow too wide for the domain share: single columns and periodic boxes over a
/// surface that is prescribed.
#pragma once

#include "initial/cases/cases.hpp"
#include "initial/moist_sounding.hpp"
#include "initial/number_table.hpp"

namespace squall {

/// Values of the shared parameters of a case where the run file has none, in SI units.
struct WideFlowDefaults {
    double geostrophic_u = 0, geostrophic_v = 0, divergence = 0;
    double sensible_heat = 0, latent_heat = 0, friction_velocity = 0; ///< prescribed; 0: by the surface layer
    double roughness = 0;                                             ///< of dry land; 0: the sea
    double noise = 0, noise_depth = 500;
};

/// The parameters that all of these cases have, after `own`.
std::vector<CaseParameter> with_wide_flow(std::vector<CaseParameter> own, const WideFlowDefaults &defaults);

/// The geostrophic wind at a height: that of initial.geostrophic, else the same everywhere and always. Throws
/// std::runtime_error for what is wrong with the table.
class GeostrophicWind {
  public:
    explicit GeostrophicWind(const Config &config);
    const std::vector<double> &seconds() const { return all_.seconds; } ///< that it is known of
    double u(double z, std::size_t time = 0) const;
    double v(double z, std::size_t time = 0) const;
    bool blows() const;

  private:
    WindProfiles all_;
};

/// The sounding over the surface, and what acts on it. Throws ConfigError for parameters that are impossible
/// together.
InitialState under_wide_flow(const Config &config, const Patch &patch, const MoistSounding &sounding);

} // namespace squall
