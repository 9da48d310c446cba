/// Updraught and downdraught of a column for a mass flux at the cloud's base.
///
/// Updraught (Tiedtke 1989, equations 4 to 11; Nordeng 1994, as Zhang, Wang and Hamilton 2011 have them): M
/// the mass flux, e and d what it takes in and gives off per height,
///     dM/dz = e - d,   d(M x)/dz = e x_around - d x,   x = s, q, l, u, v
///     turbulent   1e-4 m-1 M where deep or from aloft, 1.2e-3 m-1 M where shallow, a tenth more over land;
///                 shallow and aloft nothing is taken in in the upper half of the cloud, but for the first
///                 150 hPa of shallow clouds and up to the strongest ascent of others
///     organised   of deep clouds: e = M (b / (2 (1 + int b dz)) + d ln(rho)/dz), b the buoyancy in m s-2,
///     and
///                 d = M pi / (2 H) tan(pi z / (2 H)), z from where it begins to the height H above it of the
///                 cloud's top; both at most 1e-3 m-1 M. What is given off so is as heavy as the air around.
///     precipitation  of condensate 1.1e-3 m-1 l, where the base is 150 hPa below
/// At the uppermost interface with buoyancy 0.3 of the mass flux goes on through one more layer. Wind mixes
/// more than mass, by twice what is given off where clouds are not shallow (Tiedtke 1989, after equation 18).
/// Clouds aloft begin in a layer with more than 80 % of humidity that the grid lifts, with its mass flux.
///
/// Downdraught (Tiedtke 1989, section 2e): from the uppermost interface at which updraught and air at its
/// wet-bulb temperature, half and half, sink; 0.3 of the updraught's mass at its base, saturated by
/// precipitation, 2e-4 m-1 of it exchanged with the air; near the ground it only gives off.
#pragma once

#include <vector>

#include "physics/tiedtke_1989/cloud.hpp"

namespace squall::tiedtke_1989 {

struct Updraught {
    explicit Updraught(int layers);

    /// From the base of `cloud`, with its mass flux; if nothing rises there, from aloft, which changes what
    /// `cloud` is. False: nothing rises.
    bool rise(const Air &air, Cloud &cloud);

    /// At interfaces.
    Profile flux, t, q, liquid;      ///< upward [kg m-2 s-1], [K], [kg kg-1]
    Profile u, v;                    ///< [m s-1]
    Profile detrained_liquid, forms; ///< in layers: condensate given off, precipitation formed [kg m-2 s-1]
    int top = 0;                     ///< uppermost interface with buoyancy

  private:
    struct Step;
    void clear();
    bool rise_from_aloft(const Air &air, Cloud &cloud);
    bool begin(const Air &air, const Cloud &cloud);
    void climb(const Air &air, const Cloud &cloud);
    Step exchange(const Air &air, const Cloud &cloud, int layer) const;
    bool pass(const Air &air, const Cloud &cloud, int layer);
    void move_wind(const Air &air, const Cloud &cloud, int layer, real in, real out);
    void draw_in_above(const Air &air, const Cloud &cloud, int interface);
    void end();

    real work_ = 0;  ///< of buoyancy [J kg-1]
    real drawn_ = 0; ///< organised entrainment of the layer above [m-1]
};

struct Downdraught {
    explicit Downdraught(int layers);

    void sink(const Air &air, const Cloud &cloud, const Updraught &up);
    /// All of it times a factor.
    void scale(real factor);
    /// There is none.
    void clear();

    /// At interfaces.
    Profile flux, t, q; ///< downward [kg m-2 s-1], [K], [kg kg-1]
    Profile u, v;       ///< [m s-1]
    Profile evaporated; ///< of precipitation in layers [kg m-2 s-1]
    int start = 0;      ///< interface; 0: there is none

    static constexpr real of_updraught = real(0.3);

  private:
    bool begin(const Air &air, const Cloud &cloud, const Updraught &up, real &falling);
    bool pass(const Air &air, int layer, real &falling);
};

} // namespace squall::tiedtke_1989
