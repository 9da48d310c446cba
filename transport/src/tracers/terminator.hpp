/// Two tracers that react where the sun shines: Cl2 becomes 2 Cl, and these meet again everywhere.
///
/// Lauritzen, P. H., A. J. Conley, J.-F. Lamarque, F. Vitt and M. A. Taylor (2015): The terminator "toy"
/// chemistry test: a simple tool to assess errors in transport schemes. Geosci. Model Dev. 8, 1299-1313.
#pragma once

namespace squall::transport {

/// Mixing ratios of Cl and Cl2. atoms + 2 molecules stays as it is.
struct Chlorine {
    double atoms, molecules;
};

/// The balance at a place whose chlorine is 4e-6, all together.
Chlorine balance_at(double lon, double lat);

/// After `step` seconds, by the solution of the reaction's equation (theirs in section 2).
Chlorine react(Chlorine before, double lon, double lat, double step);

} // namespace squall::transport
