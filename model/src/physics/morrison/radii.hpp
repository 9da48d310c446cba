/// How large particles are to radiation: effective radii [um], of as many as the scheme counts.
#pragma once

#include "physics/morrison/particles.hpp"

namespace squall::morrison {

/// `content`: of cloud water [kg m-3]. Of the gamma distribution that droplets have.
inline double drop_radius(double content) {
    Point x{};
    x.cloud = real(content);
    real number = droplets_m3;
    return 1e6 * (double(shape) + 3) / 2 * double(droplet_length(x, number));
}

/// Spheres of the kind's density, as ice of the same mass and cross-section; from mixing ratio [kg kg-1] and
/// number [kg-1].
inline double frozen_radius(const Kind &kind, double q, double number) {
    constexpr double solid = 917; // [kg m-3]
    real n = real(number);
    return 1e6 * 1.5 * double(length_of(kind, real(q), n)) * double(kind.density) / solid;
}

} // namespace squall::morrison
