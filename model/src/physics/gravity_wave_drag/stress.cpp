#include "physics/gravity_wave_drag/stress.hpp"

#include <algorithm>
#include <cmath>

namespace squall::kim_arakawa {
namespace {

// Tuned by Kim and Arakawa to simulations that resolve the mountains: C_E over the critical Froude number,
// C_G; the bounds are WRF's.
constexpr real enhancement = real(0.8), saturation = real(0.5);
constexpr real greatest_froude = 10, greatest_enhancement = 10;

} // namespace

real wave_stress(const LowLevelFlow &flow) {
    const real height = flow.deviation * flow.facing.aspect;
    const real froude = std::min(flow.frequency * height / flow.speed, greatest_froude);
    const real steep = froude * froude * flow.convexity;
    const real factor =
        std::clamp(std::pow(flow.facing.asymmetry + 2, enhancement * froude), real(0), greatest_enhancement);
    return factor * flow.mountains / flow.spacing * flow.density * flow.speed * flow.speed * flow.speed /
           flow.frequency * steep / (steep + saturation);
}

real blocking_stress(const LowLevelFlow &flow, real depth) {
    const real drag = std::max(2 - 1 / flow.facing.aspect, real(0));
    return flow.density / 2 * flow.mountains / flow.spacing * drag * flow.facing.front * flow.facing.across *
           depth * flow.speed * flow.speed;
}

} // namespace squall::kim_arakawa
