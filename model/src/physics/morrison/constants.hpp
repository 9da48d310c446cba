/// Parameters of the scheme. M05: Morrison, Curry and Khvorostyanov (2005, JAS 62, 1665-1677); M09: Morrison,
/// Thompson and Tatarskii (2009, MWR 137, 991-1007); KK00: Khairoutdinov and Kogan (2000, MWR 128, 229-243);
/// R98: Reisner, Rasmussen and Bruintjes (1998, QJRMS 124, 1071-1107); IS91: Ikawa and Saito (1991, MRI Tech.
/// Rep. 28).
#pragma once

#include "core/constants.hpp"

namespace squall::morrison {

inline constexpr real pi = real(3.14159265358979);

inline constexpr real t0 = real(273.15);           ///< melting point [K]
inline constexpr real l_f = real(0.3353e6);        ///< heat of fusion [J kg-1]
inline constexpr real c_liquid = 4187;             ///< specific heat [J kg-1 K-1]
inline constexpr real rho0 = real(1.083699568);    ///< density of air at which fall speeds hold [kg m-3]
inline constexpr real rho_water = 997;             ///< [kg m-3]
inline constexpr real q_least = real(1e-14);       ///< what is less is none [kg kg-1]
inline constexpr real q_few = real(1e-8);          ///< least that collects, and is kept in dry air [kg kg-1]
inline constexpr real droplets_m3 = real(250e6);   ///< number of droplets [m-3]
inline constexpr real most_crystals = real(0.3e6); ///< [m-3]

/// Spheres distributed by size as n0 exp(-D / l), that fall with a D^b: c = pi density is the mass of all
/// with l = 1 m, over their number.
struct Kind {
    real density, a, b, fastest; ///< [kg m-3], [m^(1-b) s-1], [m s-1]
    real smallest, largest;      ///< l [m]
    real gamma_1, gamma_3, gamma_4,
        gamma_5;          ///< Gamma(1 + b), Gamma(3 + b), Gamma(4 + b) / 6, Gamma((5 + b) / 2)
    real resting, moving; ///< ventilation
};

inline constexpr Kind rain{rho_water,        real(841.99667),  real(0.8),        real(9.1),
                           real(20e-6),      real(2800e-6),    real(0.93138377), real(4.6941742),
                           real(2.97297700), real(1.82735508), real(0.78),       real(0.308)};
inline constexpr Kind snow{
    100,           real(11.72),      real(0.41),      real(1.2),        real(10e-6),
    real(2000e-6), real(0.88676466), real(3.0133150), real(1.71256735), real(1.55086068),
    real(0.86),    real(0.28)};
inline constexpr Kind ice{500, 700, 1, real(1.2), real(1e-6), real(350e-6), 1, 6, 4, 2, 1, 0};
inline constexpr Kind hail{900,
                           real(114.5),
                           real(0.5),
                           20,
                           real(20e-6),
                           real(2000e-6),
                           real(0.88622693),
                           real(3.3233510),
                           real(1.93862140),
                           real(1.60835942),
                           real(0.86),
                           real(0.28)};
inline constexpr Kind graupel{400,
                              real(19.3),
                              real(0.37),
                              20,
                              real(20e-6),
                              real(2000e-6),
                              real(0.88931351),
                              real(2.8875120),
                              real(1.62181926),
                              real(1.52641100),
                              real(0.86),
                              real(0.28)};

inline constexpr real embryo = real(125e-6);          ///< diameter from which crystals are snow [m]
inline constexpr real crystal = real(2.0943951e-12);  ///< mass of a new crystal [kg]
inline constexpr real splinter = real(2.6179939e-13); ///< mass of a splinter of rime [kg]
inline constexpr real graupel_embryo = real(1.6e-10); ///< mass of a new particle of graupel [kg]

/// Droplets: a gamma distribution whose shape follows from their number (Martin et al. 1994), which is given.
inline constexpr real shape = real(4.8295018);
inline constexpr real droplet_1 = real(89.950978), droplet_2 = real(524.36939), droplet_3 = real(3581.1817),
                      droplet_4 = real(28038.869), droplet_5 = real(247569.24),
                      droplet_7 = real(26353402); ///< Gamma(shape + n)

} // namespace squall::morrison
