/// Moist atmospheres at rest in hydrostatic balance, tabulated by height, for built-in cases.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "initial/sounding.hpp"
#include "settings/small_files.hpp"

namespace squall {

/// A level of a sounding: height above the surface [m], potential temperature [K], vapour and cloud
/// water [kg kg-1], winds [m s-1].
struct SoundingLevel {
    double z, theta, vapour, cloud = 0, u = 0, v = 0;
};

/// Linear in height between its levels. Both pressures are those of WRF's ideal cases: the moist air
/// is balanced from the surface up, then its dry part alone from the top down.
class MoistSounding {
  public:
    /// `levels` rise from z = 0. Throws std::invalid_argument: the level, and what is wrong with it.
    MoistSounding(double surface_pressure, std::vector<SoundingLevel> levels);

    SoundingLevel at(double z) const;     ///< beyond the levels: the last
    double pressure(double z) const;      ///< [Pa]
    double dry_pressure(double z) const;  ///< weight of the dry air above, and of all above the top [Pa]
    double height_of(double p) const;     ///< where the pressure is p
    double height_of_dry(double p) const; ///< where the weight of the dry air is p
    double top() const { return levels_.back().z; }

    /// The same theta in air without water, from the same surface pressure: the base state.
    Sounding base() const;

  private:
    std::vector<SoundingLevel> levels_;
    std::vector<double> pressure_, dry_pressure_;
};

/// WRF's input_sounding: the surface's pressure [hPa], theta [K] and vapour [g kg-1]; then lines of
/// height [m], theta, vapour, u, v. Throws std::runtime_error: the file, the line and what is wrong.
MoistSounding read_sounding(const SmallFiles &files, const std::string &file);

/// Saturation mixing ratio over water [kg kg-1] (Bolton 1980, as WRF has it) at t [K], p [Pa].
double saturation_mixing_ratio(double t, double p);

/// The conditionally unstable sounding of Weisman and Klemp (1982, eqs 1 and 2) with vapour of at
/// most `most_vapour` [kg kg-1] below, calm: 300 K at the surface, a tropopause of 343 K and 213 K at
/// 12 km. Levels every 50 m up to 40 km.
std::vector<SoundingLevel> weisman_klemp_levels(double surface_pressure, double most_vapour);

} // namespace squall
