#include "physics/grell_freitas/exchange.hpp"

namespace squall::grell_freitas {
namespace {

/// A draught's flux of something less that of the air around, at interface k.
real carried(const Draught &draught, const Profile &in, const Profile &around, int k) {
    return draught.flux[k] * (in[k] - around[k]);
}

/// By which no layer warms or cools faster than this [K s-1].
real fastest_share(const Profile &warming, int layers, real warmest, real coldest) {
    real share = 1;
    for (int k = 0; k < layers; ++k)
        if (warming[k] > warmest || warming[k] < coldest)
            share = std::min(share, (warming[k] > 0 ? warmest : coldest) / warming[k]);
    return share;
}

} // namespace

Response::Response(int layers) : energy(layers), vapour(layers), condensate(layers), u(layers), v(layers) {}

void Response::find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    for (Profile *f : {&energy, &vapour, &condensate, &u, &v}) f->clear();
    const int first = !air.as_wrf ? 0 : cloud.shallow ? cloud.source : 1;
    const auto converges = [&](Profile Draught::*in, const Profile &around, int k) {
        const auto net = [&](const Draught &d) {
            return carried(d, d.*in, around, k) - carried(d, d.*in, around, k + 1);
        };
        return (k >= first ? net(up) : real(0)) - down.strength * net(down);
    };
    for (int k = 0; k <= cloud.top; ++k) {
        energy[k] = converges(&Draught::h, air.forced.h, k);
        vapour[k] = converges(&Draught::q, air.forced.q, k) + up.flux[k] * up.condensate[k] -
                    up.flux[k + 1] * up.condensate[k + 1] - up.left[k] -
                    real(0.5) * (up.forms[k] + up.forms[k + 1]) +
                    real(0.5) * down.strength * (down.evaporates[k] + down.evaporates[k + 1]);
        if (cloud.shallow) continue; // they leave wind alone
        u[k] = converges(&Draught::u, air.east, k);
        v[k] = converges(&Draught::v, air.north, k);
    }
    let_fall(air, up, down);
    for (Profile *f : {&energy, &vapour, &condensate, &u, &v})
        for (int k = 0; k <= cloud.top; ++k) (*f)[k] /= air.mass[k];
}

void Response::let_fall(const Air &air, const Updraught &up, const Downdraught &down) {
    real lost = 0;
    for (int k = 0; k < air.nz; ++k) {
        const real stays = up.left[k] - down.strength * down.evaporates[k];
        condensate[k] = std::max(stays, real(0));
        lost += std::max(-stays, real(0));
    }
    rain = air.as_wrf ? up.all + lost : up.all - lost;
}

Exchange::Exchange(int layers) : Rates(layers) {}

void Exchange::find(const Air &air, const Response &response, real flux, bool shallow) {
    constexpr real all_ice = 258, day = 86400;
    const real warmest = (shallow ? real(148.01) : real(300.01)) / day;
    const real coldest = shallow ? -warmest : -warmest / 2;
    clear();
    for (int k = 0; k < air.nz; ++k) {
        const bool frozen = air.now.temperature[k] < all_ice;
        vapour[k] = flux * response.vapour[k];
        (frozen ? ice : liquid)[k] = flux * response.condensate[k];
        const real freezes = air.as_wrf ? real(0) : fusion * ice[k];
        temperature[k] =
            (flux * (response.energy[k] - vaporisation * response.vapour[k]) + freezes) / constants::c_p;
        u[k] = flux * response.u[k];
        v[k] = flux * response.v[k];
    }
    precipitation = flux * response.rain;
    dissipate(air.mass, air.u, air.v);
    scale(fastest_share(temperature, air.nz, warmest, coldest));
}

} // namespace squall::grell_freitas
