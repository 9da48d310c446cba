#include "physics/grell_freitas/shallow.hpp"

namespace squall::grell_freitas {
namespace {

/// What turbulence brings into the boundary layer [W m-2].
real supply(const Air &air) {
    real sum = 0;
    for (int k = 0; k <= end_of_boundary_layer(air); ++k)
        sum += air.mass[k] *
               (heat_capacity * (air.forced.temperature[k] - air.now.temperature[k]) +
                vaporisation * (air.forced.vapour[k] - air.now.vapour[k])) /
               air.step;
    return sum;
}

} // namespace

ShallowConvection::ShallowConvection(int layers)
    : up_(layers), none_(layers), response_(layers), tried_(layers) {}

bool ShallowConvection::find(const Air &air, Exchange &change) {
    Cloud cloud;
    if (!find_shallow_cloud(air, cloud) || !up_.rise(air, cloud)) return false;
    response_.find(air, cloud, up_, none_);
    const real moves = flux(air, cloud);
    if (moves <= 0) return false;
    change.find(air, response_, moves, true);
    return true;
}

/// As of deep convection, with the cloud that is left evaporated.
real ShallowConvection::used_up(const Air &air, const Cloud &cloud, real work) {
    constexpr real least = real(5e-3);
    const real mass = air.as_wrf ? real(0.5) : real(5);
    for (int k = 0; k < air.nz; ++k) {
        const real vapour = response_.vapour[k] + response_.condensate[k];
        const real warming = (response_.energy[k] - vaporisation * vapour) / heat_capacity;
        tried_.temperature[k] = std::max(air.forced.temperature[k] + warming * mass, real(190));
        tried_.vapour[k] = std::max(air.forced.vapour[k] + vapour * mass, real(1e-16));
    }
    tried_.complete(air.height, air.pressure);
    const real k = (work - up_.work_in(air, tried_, cloud)) / mass;
    return k >= 0 ? std::max(k, least) : std::min(k, real(-0.01));
}

real ShallowConvection::flux(const Air &air, const Cloud &cloud) {
    constexpr real most = 1, least_excess = 10; // [kg m-2 s-1], [J kg-1]
    const real work = up_.work_in(air, air.forced, cloud), before = up_.work_in(air, air.now, cloud);
    if (work <= 0) return 0;
    const real forced = std::max((work - before) / air.step / used_up(air, cloud, work), real(0));
    const int within = end_of_boundary_layer(air);
    const real thermals = real(0.03) * air.density[within] * speed_of_thermals(air, within);
    const real excess = up_.energy_in(air.now, cloud) - air.now.h[cloud.base];
    const real supplied = std::clamp(supply(air) / std::max(excess, least_excess), real(0), most);
    return std::min((forced + thermals + supplied) / 3, most);
}

} // namespace squall::grell_freitas
