/// Where the sun is.
#pragma once

namespace squall::radiation {

/// To the sun, in a frame of the ground: a unit vector.
struct Direction {
    double east = 0, north = 0, up = 1;
};

/// The sun at a time: the same everywhere.
struct Sun {
    double declination = 0;   ///< [rad]
    double hour_at_zero = 0;  ///< hour angle at longitude 0 [rad]
    double irradiance = 1361; ///< on a plane that faces it [W m-2]

    /// Of the zenith angle; negative by night. Degrees, north and east.
    double cosine(double latitude, double longitude) const;
    /// Where it stands there; `up` is the same cosine.
    Direction direction(double latitude, double longitude) const;
};

/// At `day` days after the first of January, 0 UTC, of the year. Declination, equation of time and distance
/// after Spencer (1971, Search 2, 172), irradiance 1361 W m-2 at the mean distance (Kopp and Lean 2011).
/// `as_wrf`: with the declination of a sun that moves evenly on a circle from the day 80 on, and 1370 W m-2,
/// as WRF has them.
Sun sun_at(double day, bool as_wrf);

} // namespace squall::radiation
