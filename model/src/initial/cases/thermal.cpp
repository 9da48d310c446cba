#include "initial/cases/thermal.hpp"

#include <cmath>
#include <numbers>

#include "initial/cases/cases.hpp"

namespace squall {

Disturbance thermal(const Config &config) {
    const double amplitude = parameter(config, "amplitude"), height = parameter(config, "height");
    const double centre_x = parameter(config, "centre_x"), centre_y = parameter(config, "centre_y");
    const double radius_x = parameter(config, "radius_x"), radius_y = parameter(config, "radius_y");
    const double radius_z = parameter(config, "radius_z");
    return [=, &config](double x, double y, double z, double) {
        const double along_y = radius_y > 0 ? (y - centre_y) / radius_y : 0;
        const double r =
            std::hypot(distance_x(config, x, centre_x) / radius_x, along_y, (z - height) / radius_z);
        if (r > 1) return 0.0;
        const double c = std::cos(0.5 * std::numbers::pi * r);
        return amplitude * c * c;
    };
}

} // namespace squall
