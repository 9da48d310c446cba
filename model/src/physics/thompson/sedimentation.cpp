#include "physics/thompson/sedimentation.hpp"

#include <algorithm>
#include <cmath>

namespace squall::thompson {

FallingColumn::FallingColumn(int nz) : layers(nz), leaving_(static_cast<std::size_t>(nz) + 1) {
    for (std::vector<double> *profile : {&mass, &depth, &speed, &number_speed, &q, &number})
        profile->resize(static_cast<std::size_t>(nz));
}

/// One substep in the lowest layers; nothing comes from above them.
void FallingColumn::fall_once(int lowest, double dt, const std::vector<double> &at_speed,
                              std::vector<double> &what) {
    double *const x = what.data(), *const out = leaving_.data();
    const double *const m = mass.data(), *const v = at_speed.data(), *const dz = depth.data();
    out[lowest] = 0;
#pragma omp simd
    for (int k = 0; k < lowest; ++k) out[k] = x[k] * m[k] * v[k] * (dt / dz[k]);
#pragma omp simd
    for (int k = 0; k < lowest; ++k) x[k] += (out[k + 1] - out[k]) / m[k];
}

double FallingColumn::fall(double dt) {
    int steps = 0, lowest = 0;
    bool with_number = false;
    for (int k = 0; k < layers; ++k) {
        const double fastest = std::max(speed[k], number_speed[k]);
        if (fastest > 0) lowest = k + 1;
        with_number |= number_speed[k] > 0;
        if (fastest > 1e-3 && std::isfinite(fastest))
            steps = std::max(steps, static_cast<int>(dt * fastest / depth[k] + 1));
    }
    double ground = 0;
    for (int n = 0; n < steps; ++n) {
        if (with_number) fall_once(lowest, dt / steps, number_speed, number);
        fall_once(lowest, dt / steps, speed, q);
        ground += leaving_[0];
    }
    return std::max(ground, 0.0); // rounding leaves less than nothing of what is not there
}

} // namespace squall::thompson
