/// Updraught and downdraught of a column, for a mass flux at the cloud's base that the closure scales later.
///
/// Updraught, per mass that comes from below (Bechtold et al. 2008; 2014; IFS documentation, Cy40r1, part IV,
/// sections 6.3 and 6.5):
///     entrainment   1.75e-3 m-1 (1.3 - RH) min(1, q_s / q_s,base)^3, twice as much where it is not deep,
///                   none where the parcel is cooler by 0.2 K
///     detrainment   0.75e-4 m-1 (1.6 - RH); where not deep (1.6 - RH) times the entrainment; and where it is
///     not
///                   buoyant, as much as w decreases
///     speed         dK/dz = -(1 + b c_d) e 2 K + g / (f (1 + c)) (T_v,u - T_v) / T_v,    K = w^2 / 2,
///                   b c_d = 0.949, f = 2, c = 1/2
///     precipitation -dl/dz = c_0 / (0.75 w) l (1 - exp(-(l / l_c)^2)), c_0 = 1.4e-3 s-1 (Sundqvist 1978),
///                   l_c = 3e-4 over sea, 5e-4 over land; below 268.16 K more by 1 + 0.5 (268.16 K - T)^(1/2)
/// Downdraught (Tiedtke 1989; Nordeng 1994): from the uppermost interface at which updraught and air at its
/// wet-bulb temperature, half and half, sink; 0.3 of the updraught's mass at its base, saturated by
/// precipitation;
///     entrainment   2e-4 m-1 + 0.5 g b / (1 + int g b dz), b = (T_v - T_v,d) / T_v
///     detrainment   2e-4 m-1; in the lowest 60 hPa all.
#pragma once

#include <vector>

#include "physics/tiedtke/cloud.hpp"

namespace squall::tiedtke {

struct Updraught {
    explicit Updraught(int layers);

    /// From the base of `cloud`, whose kind it sets by how high it comes: none, if not through a layer.
    void rise(const Air &air, Cloud &cloud);

    Profile flux;                 ///< at interfaces, upward [kg m-2 s-1]
    std::vector<Parcel> parcel;   ///< at interfaces of the cloud
    Profile entrained, detrained; ///< in layers [kg m-2 s-1]
    Profile rain, snow;           ///< that forms in layers [kg m-2 s-1]
    int top = 0;                  ///< interface where nothing is left
    real speed = 0;               ///< mean over its pressure [m s-1]

  private:
    void clear();
    void draw_in(const Air &air, const Cloud &cloud);
    struct Motion;
    bool pass(const Air &air, const Cloud &cloud, int layer, Motion &motion);
    void precipitate(const Air &air, int layer, Motion &motion);
};

inline const Parcel &at_interface(const Updraught &up, int k) {
    return up.parcel[static_cast<std::size_t>(k)];
}

struct Downdraught {
    explicit Downdraught(int layers);

    void sink(const Air &air, const Cloud &cloud, const Updraught &up);

    Profile flux;                 ///< at interfaces, downward [kg m-2 s-1]
    Profile temperature, vapour;  ///< at interfaces
    Profile entrained, detrained; ///< in layers [kg m-2 s-1]
    Profile evaporated;           ///< of precipitation in layers [kg m-2 s-1]
    int start = 0;                ///< interface; 0: there is none

  private:
    void clear();
    bool begin(const Air &air, const Cloud &cloud, const Updraught &up);
};

inline constexpr real first_flux = real(0.1); ///< of the updraught at its base [kg m-2 s-1]

} // namespace squall::tiedtke
