#include "physics/tiedtke_1989/exchange.hpp"

#include <cmath>

namespace squall::tiedtke_1989 {
namespace {

/// Of cloud that stays in the air.
real liquid_share(real temperature) {
    constexpr real all_ice = real(233.15);
    if (temperature >= freezing) return 1;
    if (temperature <= all_ice) return 0;
    const real colder = temperature - freezing;
    return real(0.0059) + real(0.9941) * std::exp(real(-0.003102) * colder * colder);
}

/// How much of detrained condensate stays.
real lasting_share(const Air &air, int k) {
    constexpr real humid = real(0.8);
    return std::clamp((air.vapour[k] / air.saturated[k] - humid) / (1 - humid), real(0), real(1));
}

/// Of what falls, how much is left below a layer.
real after_evaporation(const Air &air, int k, real falling) {
    constexpr real covered = real(0.05), moistest = real(0.8);
    const real sigma = air.pressure[k] / air.p[0];
    const real rate =
        real(1.93e-6 * 261 / 2) * std::sqrt(real(1e3 / (38.3 * 0.293)) * std::sqrt(sigma)) * air.mass[k];
    const real lacking = std::max(air.saturated[k] - air.vapour[k], real(0));
    const real root = std::max(std::sqrt(falling / covered) - rate * lacking, real(0));
    const real room = std::max(moistest * air.saturated[k] - air.vapour[k], real(0));
    const real least = std::max(falling - covered * room * air.mass[k] / air.interval, real(0));
    return std::max(root * root * covered, least);
}

} // namespace

Exchange::Exchange(int layers)
    : Rates(layers), heat_(layers + 1), vapour_(layers + 1), liquid_(layers + 1), u_(layers + 1),
      v_(layers + 1) {}

void Exchange::find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    clear();
    set_fluxes(air, cloud, up, down);
    converge(air, up);
    let_fall(air, up, down);
    evaporate_below(air, cloud);
    snowfall = snow_;
    precipitation = rain_ + snow_;
}

void Exchange::set_fluxes(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    for (Profile *f : {&heat_, &vapour_, &liquid_, &u_, &v_}) f->clear();
    for (int k = cloud.base; k <= up.top + 1; ++k) {
        heat_[k] = up.flux[k] * heat_capacity * (up.t[k] - air.t[k]);
        vapour_[k] = up.flux[k] * (up.q[k] - air.q[k]);
        liquid_[k] = up.flux[k] * up.liquid[k];
        u_[k] = up.flux[k] * (up.u[k] - air.u[k]) - down.flux[k] * (down.u[k] - air.u[k]);
        v_[k] = up.flux[k] * (up.v[k] - air.v[k]) - down.flux[k] * (down.v[k] - air.v[k]);
    }
    for (int k = 1; k < cloud.base; ++k) {
        real share = (air.p[0] - air.p[k]) / (air.p[0] - air.p[cloud.base]);
        if (cloud.kind == Kind::middle) share *= share;
        for (Profile *f : {&heat_, &vapour_, &liquid_, &u_, &v_}) (*f)[k] = share * (*f)[cloud.base];
    }
    for (int k = 1; k <= down.start; ++k) {
        heat_[k] -= down.flux[k] * heat_capacity * (down.t[k] - air.t[k]);
        vapour_[k] -= down.flux[k] * (down.q[k] - air.q[k]);
    }
}

/// Fluxes, what condenses, freezes and stays as cloud.
void Exchange::converge(const Air &air, const Updraught &up) {
    for (int k = 0; k <= up.top + 1; ++k) {
        const real t = air.temperature[k], latent = latent_heat(t);
        const real latent_below = air.as_wrf || k == 0 ? latent : latent_heat(air.temperature[k - 1]);
        const real above = liquid_[k + 1], below = liquid_[k];
        const real stays = lasting_share(air, k) * up.detrained_liquid[k];
        liquid[k] = liquid_share(t) * stays;
        ice[k] = stays - liquid[k];
        temperature[k] = (heat_[k] - heat_[k + 1] + latent * above - latent_below * below +
                          vaporisation * stays + fusion * ice[k]) /
                         heat_capacity;
        vapour[k] = vapour_[k] - vapour_[k + 1] - (above - below + stays);
        u[k] = u_[k] - u_[k + 1];
        v[k] = v_[k] - v_[k + 1];
    }
}

/// Forms, evaporates in the downdraught and melts.
void Exchange::let_fall(const Air &air, const Updraught &up, const Downdraught &down) {
    constexpr real melts_from = freezing + 2;
    rain_ = snow_ = 0;
    for (int k = up.top + 1; k >= 0; --k) {
        const real t = air.temperature[k];
        const bool warm = t > freezing;
        real &here = warm ? rain_ : snow_, &other = warm ? snow_ : rain_; // which forms and evaporates first
        here += up.forms[k];
        const real lost = std::min(down.evaporated[k], here + other), of_here = std::min(lost, here);
        here -= of_here;
        other -= lost - of_here;
        const real of_snow = warm ? lost - of_here : of_here;
        real melts = 0;
        if (t > melts_from)
            melts = std::min(snow_, heat_capacity / (fusion * air.interval) * air.mass[k] * (t - melts_from));
        snow_ -= melts;
        rain_ += melts;
        temperature[k] +=
            (latent_heat(t) * up.forms[k] - vaporisation * lost - fusion * (of_snow + melts)) / heat_capacity;
        vapour[k] -= up.forms[k] - lost;
    }
}

void Exchange::evaporate_below(const Air &air, const Cloud &cloud) {
    for (int k = cloud.base - 1; k >= 0; --k) {
        const real falling = rain_ + snow_;
        if (falling <= real(1e-20)) return;
        const real left = std::min(after_evaporation(air, k, falling), falling),
                   of_snow = snow_ * (1 - left / falling);
        rain_ *= left / falling;
        snow_ *= left / falling;
        temperature[k] -= (vaporisation * (falling - left) + fusion * of_snow) / heat_capacity;
        vapour[k] += falling - left;
    }
}

} // namespace squall::tiedtke_1989
