/// Mixing by convective clouds: air rises in updraughts, sinks in downdraughts, and sinks between them.
///
/// Tiedtke, M. (1989): A comprehensive mass flux scheme for cumulus parameterization in large-scale models.
/// Mon. Wea. Rev. 117, 1779-1800.
#pragma once

#include "columns/exchange.hpp"
#include "globe/scratch.hpp"

namespace squall::transport {

/// Mass fluxes of a column at interfaces 0 to nz, both 0 or more, 0 at the ground and at the top [kg m-2
/// s-1].
struct Draughts {
    Scratch<double> up, down;
    double entrainment = 0; ///< of both: what turbulence exchanges with the air around, per height [m-1]
};

/// Those of an analysis in column i of row j.
Draughts given_draughts(const Weather &weather, int i, int j);

/// Those of a cloud that rises from the lowest layer, found from temperature and humidity; none where it
/// would not rise. `evaporation` from the ground [kg m-2 s-1] feeds shallow clouds; deep ones, of more than
/// 200 hPa, remove the energy that lets them rise within two hours.
Draughts find_draughts(const ColumnAir &air, int i, double evaporation);

/// Adds what they exchange: a draught takes in air where it grows and leaves some where it shrinks, mixed of
/// all that it took in; between the draughts the air sinks, or rises, by as much.
void mix_draughts(const Draughts &draughts, Exchange &exchange);

} // namespace squall::transport
