/// The processes of the scheme, by kind. Each function notes what its processes move in dt [s];
/// names in brackets are those of HL06, figure 1.
#pragma once

#include "physics/wsm6/exchange.hpp"
#include "physics/wsm6/point.hpp"

namespace squall::wsm6 {

/// A point and the particles in it.
struct Cloudy {
    const Point &x;
    Air air;
    Particles rain, snow, graupel;
    Crystals ice;
    bool freezing; ///< colder than the melting point
};

Cloudy cloudy(const Point &x);

/// Freezing and melting by temperature alone. No more than brings the air to the melting point,
/// except that cloud water below -40 C freezes whole.
void freeze_and_melt(const Cloudy &c, real dt, Exchange &e);

/// Growth into a heavier species: cloud to rain, ice to snow, snow to graupel.
void convert(const Cloudy &c, real dt, Exchange &e);

/// What falls collects what it meets.
void collect(const Cloudy &c, real dt, Exchange &e);

/// Evaporation, sublimation and deposition of everything but cloud water; nucleation of ice. Never
/// beyond saturation.
void exchange_vapour(const Cloudy &c, real dt, Exchange &e);

/// Condensation and evaporation of cloud water to saturation over water.
void adjust_cloud(const Point &x, Exchange &e);

} // namespace squall::wsm6
