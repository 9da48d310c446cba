#include "physics/thompson/sedimentation.hpp"

#include <algorithm>
#include <cmath>

namespace squall::thompson {

FallingColumn::FallingColumn(int nz) {
    for (std::vector<double> *profile : {&mass, &depth, &speed, &number_speed, &q, &number})
        profile->resize(static_cast<std::size_t>(nz));
}

double FallingColumn::fall(double dt) {
    const int nz = static_cast<int>(q.size());
    int steps = 0;
    for (int k = 0; k < nz; ++k) {
        const double fastest = std::max(speed[k], number_speed[k]);
        if (fastest > 1e-3 && std::isfinite(fastest))
            steps = std::max(steps, static_cast<int>(dt * fastest / depth[k] + 1));
    }
    double ground = 0;
    for (int n = 0; n < steps; ++n) {
        double from_above = 0, drops_from_above = 0;
        for (int k = nz - 1; k >= 0; --k) {
            const double courant = dt / steps / depth[k];
            const double leaving = q[k] * mass[k] * speed[k] * courant;
            const double drops = number[k] * mass[k] * number_speed[k] * courant;
            q[k] += (from_above - leaving) / mass[k];
            number[k] += (drops_from_above - drops) / mass[k];
            from_above = leaving;
            drops_from_above = drops;
        }
        ground += from_above;
    }
    return std::max(ground, 0.0); // rounding leaves less than nothing of what is not there
}

} // namespace squall::thompson
