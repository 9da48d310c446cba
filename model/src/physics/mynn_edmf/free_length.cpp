#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

/// How far into a step of this depth an energy lasts against a buoyancy force that is `force` at its
/// beginning and grows by `growth` per length.
real last_part(real energy, real force, real growth) {
    if (growth != 0)
        return (-force + std::sqrt(std::max(real(0), force * force + 2 * growth * energy))) / growth;
    return force != 0 ? energy / force : real(0);
}

/// Up or down (`way` 1 or -1) from level k; `otherwise`: where nothing stops it.
real distance(const Column &c, const Profile &energy, const Profile &theta, int k, int way, real otherwise) {
    const real own = theta[k], e = energy[k];
    real spent = 0, gone = 0;
    for (int at = k; way > 0 ? at < c.nz - 1 : at > 0; at += way) {
        const real depth = c.dz[way > 0 ? at : at - 1];
        const real here = gravity_per_theta * real(way) * (theta[at] - own),
                   next = gravity_per_theta * real(way) * (theta[at + way] - own);
        const real after = spent + real(0.5) * (here + next) * depth;
        if (e < after && e >= spent) return gone + last_part(e - spent, here, (next - here) / depth);
        spent = after;
        gone += depth;
    }
    return otherwise;
}

} // namespace

void set_free_length(const Column &c, const Profile &energy, const Profile &theta, Profile &mean) {
    constexpr real longest = 1500; // approached, not reached [m]
    const auto soft = [](real l) { return std::max(real(0.1), l / (1 + l / longest)); };
    for (int k = 0; k < c.nz; ++k) {
        const real up = distance(c, energy, theta, k, 1, c.bottom[c.nz] - c.bottom[k] - real(0.5) * c.dz[k]);
        const real down = std::min(distance(c, energy, theta, k, -1, c.bottom[k]), c.bottom[k + 1]);
        mean[k] = std::sqrt(soft(up) * soft(down));
    }
    mean[c.nz - 1] = mean[c.nz - 2];
}

} // namespace squall::mynn_edmf
