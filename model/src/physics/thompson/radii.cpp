#include "physics/thompson/radii.hpp"

#include <algorithm>
#include <cmath>

namespace squall::thompson {

double droplet_radius(double content, double number) {
    const Droplets d = droplets_of(content, std::clamp(number, no_droplets, most_droplets));
    return 1e6 * std::clamp(0.5 * (d.nu + 3) / d.lambda, 2.51e-6, 50e-6);
}

double crystal_radius(double content, double number) {
    const Exponential e = exponential_of(content, std::max(number, least_number), ice_mass);
    return 1e6 * std::clamp(1.5 / e.lambda, 4.99e-6, 125e-6);
}

double snow_radius(double content, double celsius) {
    const double second = content / snow_mass;
    return 1e6 * std::clamp(0.5 * snow_moment(3, celsius, second) / second, 9.99e-6, 999e-6);
}

} // namespace squall::thompson
