/// How large the particles of clouds are to radiation: as the microphysics has them, or by rules of their
/// content or of temperature.
#pragma once

#include <cstddef>

#include "physics/microphysics_scheme.hpp"
#include "settings/config.hpp"

namespace squall {

/// What a layer has of one kind of particles.
struct Particles {
    std::size_t kind;                     ///< radiation::liquid, ice or snow
    double content;                       ///< in its cloud [kg m-3]
    double mixing_ratio;                  ///< of the layer's mean air, as the microphysics has it [kg kg-1]
    double number;                        ///< likewise [kg-1]; negative: not counted
    double temperature, pressure, vapour; ///< of the air [K], [Pa], [kg kg-1]
    bool over_land;
    double snow_below; ///< on the ground [kg m-2]
};

/// What radiation takes them for.
struct SeenParticles {
    double radius;    ///< effective [um]
    double share = 1; ///< of their mass that counts
};

class ParticleSizes {
  public:
    explicit ParticleSizes(const Config &config);

    SeenParticles seen(const Particles &particles) const;

  private:
    double radius(const Particles &particles) const;

    SizesOf known_ = SizesOf::content;
    bool by_temperature_ = false; ///< as in WRF where the microphysics says nothing
    bool as_wrf_;
};

} // namespace squall
