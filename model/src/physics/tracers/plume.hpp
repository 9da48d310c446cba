/// The updraughts that an unstable column of air has and the grid does not resolve, as one plume.
///
/// The plume rises from the layer of greatest moist static energy h = c_p T + g z + L q in the lowest
/// 300 hPa. On its way it takes in and gives off air at the fractional rates of Tiedtke (1989, Mon. Wea.
/// Rev. 117, 1779-1800) for deep convection, 1e-4 m-1 both, so that its mass flux M does not change with
/// height; it mixes h and q, condenses what is beyond saturation (linearised about its surroundings:
/// Arakawa and Schubert 1974, J. Atmos. Sci. 31, 674-701), and loses the condensate.
/// With virtual temperatures T_v of plume and surroundings its buoyancy is g (T_v,p - T_v) / T_v. It ends
/// where it has worked against more than 50 J kg-1 in a row; its top is the last buoyant layer below.
/// M is such that the sinking around the plume consumes its CAPE, the buoyancy summed up over the
/// buoyant layers, in 2 hours (Nordeng 1994, ECMWF Technical Memorandum 206; the time as
/// Zhang and McFarlane 1995, Atmos.-Ocean 33, 407-446): M = CAPE / 2 h / sum(g / (rho theta_v)
/// d(theta_v)), at most 1 kg m-2 s-1; none below 70 J kg-1 (Zhang and McFarlane 1995).
#pragma once

#include <vector>

namespace squall {

/// One column of air, layers from the ground up.
struct AirColumn {
    explicit AirColumn(int nz)
        : pressure(n(nz)), temperature(n(nz)), vapour(n(nz)), height(n(nz)), depth(n(nz)), mass(n(nz)) {}

    int layers() const { return static_cast<int>(pressure.size()); }

    std::vector<double> pressure;    ///< [Pa]
    std::vector<double> temperature; ///< [K]
    std::vector<double> vapour;      ///< [kg kg-1]
    std::vector<double> height;      ///< of the middle of layers [m]
    std::vector<double> depth;       ///< of layers [m]
    std::vector<double> mass;        ///< of dry air [kg m-2]

  private:
    static std::size_t n(int nz) { return static_cast<std::size_t>(nz); }
};

/// Fractional rate at which plumes take in and give off air [m-1].
inline constexpr double plume_exchange = 1e-4;

struct Plume {
    int first = 0, last = 0; ///< the layer that it rises from, and the one where it ends
    double flux = 0;         ///< between them [kg m-2 s-1]; 0: no plume
    double cape = 0;         ///< of the diluted plume [J kg-1]
};

Plume find_plume(const AirColumn &air);

} // namespace squall
