#include "physics/tiedtke/rates.hpp"

#include <cmath>

#include "physics/tiedtke/air.hpp"

namespace squall::tiedtke {

Rates::Rates(int layers)
    : temperature(layers), vapour(layers), liquid(layers), ice(layers), u(layers), v(layers),
      layers_(layers) {}

void Rates::clear() {
    for (Profile *f : {&temperature, &vapour, &liquid, &ice, &u, &v}) f->clear();
    precipitation = snowfall = 0;
}

void Rates::divide_by(const Profile &mass) {
    for (int k = 0; k < layers_; ++k)
        for (Profile *f : {&temperature, &vapour, &liquid, &ice, &u, &v}) (*f)[k] /= mass[k];
}

void Rates::dissipate(const Profile &mass, const Profile &eastward, const Profile &northward) {
    real lost = 0, all = 0;
    for (int k = 0; k < layers_; ++k) {
        lost -= mass[k] * (eastward[k] * u[k] + northward[k] * v[k]);
        all += mass[k] * std::hypot(u[k], v[k]);
    }
    if (all <= 0) return;
    for (int k = 0; k < layers_; ++k) temperature[k] += lost / all * std::hypot(u[k], v[k]) / heat_capacity;
}

void Rates::keep_vapour(const Profile &mixing_ratio, real interval) {
    real share = 1;
    for (int k = 0; k < layers_; ++k)
        if (vapour[k] < 0)
            share = std::min(share, real(0.9) * std::max(mixing_ratio[k], real(0)) / (-vapour[k] * interval));
    if (share < 1) scale(share);
}

void Rates::scale(real factor) {
    for (Profile *f : {&temperature, &vapour, &liquid, &ice, &u, &v})
        for (int k = 0; k < layers_; ++k) (*f)[k] *= factor;
    precipitation *= factor;
    snowfall *= factor;
}

void Rates::add(const Rates &more) {
    for (const auto f :
         {&Rates::temperature, &Rates::vapour, &Rates::liquid, &Rates::ice, &Rates::u, &Rates::v})
        for (int k = 0; k < layers_; ++k) (this->*f)[k] += (more.*f)[k];
    precipitation += more.precipitation;
    snowfall += more.snowfall;
}

void Rates::write(const ConvectiveColumns &c, int i, real heat_of_fusion) const {
    for (int k = 0; k < c.nz; ++k) {
        real warming = temperature[k], drops = liquid[k];
        if (c.has_ice)
            c.dice(i, k) = ice[k];
        else { // what is frozen there melts into cloud
            warming -= heat_of_fusion / heat_capacity * ice[k];
            drops += ice[k];
        }
        c.heating(i, k) = warming / c.exner(i, k);
        c.dvapour(i, k) = vapour[k];
        c.dcloud(i, k) = drops;
        if (c.du.origin) c.du(i, k) = u[k];
        if (c.dv.origin) c.dv(i, k) = v[k];
    }
    c.remaining[i] = c.interval + c.dt; // until the next call, a step late where steps change
    c.rate[i] = precipitation;
}

} // namespace squall::tiedtke
