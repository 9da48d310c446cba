/// Growth of single ice crystals among droplets.
#pragma once

#include <array>

#include "physics/lin/air.hpp"

namespace squall::lin {

/// A crystal gains a m^b kilograms in a second (Koenig 1971, in kg), m its mass, where it is `celsius`: from
/// 0 down to -31 degrees.
struct Crystal {
    real a, b;

    real gain(real mass, real log_of_mass) const { return a * mass * exponential((b - 1) * log_of_mass); }
};

inline Crystal crystal_at(real celsius) {
    static constexpr std::array<real, 32> as{
        real(1.000e-11), real(7.939e-8), real(7.841e-7), real(3.369e-6), real(4.336e-6), real(5.285e-6),
        real(3.728e-6),  real(1.852e-6), real(2.991e-7), real(4.248e-7), real(7.434e-7), real(1.812e-6),
        real(4.394e-6),  real(9.145e-6), real(1.725e-5), real(3.348e-5), real(1.725e-5), real(9.175e-6),
        real(4.412e-6),  real(2.252e-6), real(9.115e-7), real(4.876e-7), real(3.473e-7), real(4.758e-7),
        real(6.306e-7),  real(8.573e-7), real(7.868e-7), real(7.192e-7), real(6.513e-7), real(5.956e-7),
        real(5.333e-7),  real(4.834e-7)};
    static constexpr std::array<real, 32> bs{
        real(.0100), real(.4006), real(.4831), real(.5320), real(.5307), real(.5319), real(.5249),
        real(.4888), real(.3849), real(.4047), real(.4318), real(.4771), real(.5183), real(.5463),
        real(.5651), real(.5813), real(.5655), real(.5478), real(.5203), real(.4906), real(.4447),
        real(.4126), real(.3960), real(.4149), real(.4320), real(.4506), real(.4483), real(.4460),
        real(.4433), real(.4413), real(.4382), real(.4361)};
    constexpr real log_of_thousandth = real(-6.9077552789821371); // the table is in grams
    const real cold = std::max(std::min(-celsius, real(30.99)), real(0));
    const int n = static_cast<int>(cold);
    const real part = cold - static_cast<real>(n);
    const auto at = static_cast<std::size_t>(n);
    const real a = as[at] + part * (as[at + 1] - as[at]), b = bs[at] + part * (bs[at + 1] - bs[at]);
    return {a * exponential((1 - b) * log_of_thousandth), b};
}

} // namespace squall::lin
