#include "physics/mynn_edmf/mynn_edmf.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall {
namespace {

using namespace mynn_edmf;

inline real at(ConstColumns field, int i, int k) { return field.origin ? field(i, k) : real(0); }

class MynnEdmf final : public BoundaryLayerScheme {
  public:
    MynnEdmf(int nz, bool blended)
        : column_(nz), system_(nz), heating_(nz), changes_(nz), blended_(blended) {}

    void mix(const TurbulentColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            take_air(c, i);
            take_turbulence(c, i);
            advance();
            give(c, i);
        }
    }

  private:
    void take_air(const TurbulentColumns &c, int i);
    void take_surface(const TurbulentColumns &c, int i);
    void take_turbulence(const TurbulentColumns &c, int i);
    void advance();
    void give(const TurbulentColumns &c, int i) const;

    Column column_;
    Tridiagonal system_;
    Profile heating_;
    Changes changes_;
    bool blended_;
};

void MynnEdmf::take_air(const TurbulentColumns &c, int i) {
    Column &a = column_;
    a.as_wrf = c.as_wrf;
    a.balanced_variance = c.balanced_variance, a.plume_turbulence = c.plume_turbulence;
    a.dt = c.dt;
    a.spacing = c.surface->spacing[i];
    for (int k = 0; k < c.nz; ++k) {
        const real vapour = c.vapour(i, k), moist = c.as_wrf ? 1 + vapour : real(1);
        a.dz[k] = c.depth(i, k);
        a.u[k] = c.u(i, k);
        a.v[k] = c.v(i, k);
        a.w[k] = at(c.w, i, k);
        a.theta[k] = c.theta(i, k);
        a.pressure[k] = c.pressure(i, k);
        a.exner[k] = c.exner(i, k);
        a.density[k] = c.density(i, k) * moist;
        a.vapour[k] = vapour / moist;
        a.cloud[k] = at(c.cloud, i, k) / moist;
        a.ice[k] = at(c.ice, i, k) / moist;
        a.snow[k] = at(c.snow, i, k) / moist;
        a.ice_number[k] = at(c.ice_number, i, k);
    }
    complete(a);
    take_surface(c, i);
}

void MynnEdmf::take_surface(const TurbulentColumns &c, int i) {
    const SurfaceColumns &s = *c.surface;
    const Column &a = column_;
    Below &b = column_.below;
    b.sea = s.land[i] < real(0.5);
    b.friction_velocity = s.friction_velocity[i];
    b.wind_speed = s.wind_speed[i];
    b.theta = s.skin_temperature[i] / a.exner[0];
    real heat = s.sensible_heat[i], vapour = s.vapour_flux[i];
    b.density = a.density[0];
    if (c.as_wrf) {
        heat = std::clamp(heat, real(-600), real(1200));
        vapour = std::clamp(vapour, real(-3e-4), real(9e-4));
        b.density = s.surface_pressure[i] /
                    (constants::r_d * (a.temperature[0] + constants::virtual_factor * c.vapour(i, 0)));
    }
    const real c_p =
        constants::c_p * (c.as_wrf ? 1 + real(0.84) * std::max(a.vapour[0], real(1e-8)) : real(1));
    b.heat = heat / (a.density[0] * c_p);
    b.water = vapour / a.density[0];
    b.virtual_heat = b.heat + b.water * constants::virtual_factor * b.theta;
    const real cube = b.friction_velocity * b.friction_velocity * b.friction_velocity;
    b.inverse_obukhov = -karman * gravity_per_theta * b.virtual_heat / std::max(cube, real(1e-6));
}

/// Turbulence is 0 before the first step.
void MynnEdmf::take_turbulence(const TurbulentColumns &c, int i) {
    Column &a = column_;
    real sum = 0;
    for (int k = 0; k < c.nz; ++k) {
        a.energy[k] = c.qke(i, k);
        a.variance[k] = c.eddies.variance(i, k);
        a.length[k] = c.eddies.length(i, k);
        sum += a.energy[k];
    }
    for (Profile *p : {&a.cover, &a.cloud_water, &a.cloud_ice, &a.rising.area, &a.rising.w}) p->fill(0);
    if (!(sum > 0)) begin_turbulence(a, blended_);
}

void MynnEdmf::advance() {
    Column &a = column_;
    a.height = height_of(a);
    set_coarseness(a);
    set_stratiform_clouds(a);
    raise_plumes(a);
    set_gradients(a);
    set_length(a, blended_);
    set_turbulence(a);
    predict(a, system_, heating_);
    mynn_edmf::mix(a, system_, heating_, changes_);
}

void MynnEdmf::give(const TurbulentColumns &c, int i) const {
    const Column &a = column_;
    c.height[i] = a.height;
    for (int k = 0; k < c.nz; ++k) {
        c.du(i, k) = changes_.u[k];
        c.dv(i, k) = changes_.v[k];
        c.dtheta(i, k) = changes_.theta[k];
        c.dvapour(i, k) = changes_.vapour[k];
        if (c.cloud.origin) c.dcloud(i, k) = changes_.cloud[k];
        if (c.ice.origin) c.dice(i, k) = changes_.ice[k];
        if (c.ice_number.origin) c.dice_number(i, k) = changes_.ice_number[k];
        c.dqke(i, k) = a.energy[k] - c.qke(i, k);
        c.eddies.variance(i, k) = a.variance[k];
        c.eddies.length(i, k) = a.length[k];
        const real to_ratio = c.as_wrf ? 1 + c.vapour(i, k) : real(1);
        c.eddies.cover(i, k) = a.cover[k];
        c.eddies.cloud_water(i, k) = a.cloud_water[k] * to_ratio;
        c.eddies.cloud_ice(i, k) = a.cloud_ice[k] * to_ratio;
    }
}

} // namespace

BoundaryLayerEntry mynn_edmf_scheme() {
    return {.title = "MYNN-EDMF: predicted turbulence, plumes and their clouds (Olson et al. 2019)",
            .make = [](int nz) -> std::unique_ptr<BoundaryLayerScheme> {
                return std::make_unique<MynnEdmf>(nz, false);
            },
            .on_surface_layer = true,
            .keeps_turbulence = true,
            .keeps_eddies = true};
}

BoundaryLayerEntry mynn_edmf_blended_scheme() {
    BoundaryLayerEntry entry = mynn_edmf_scheme();
    entry.title = "MYNN-EDMF with blended, mostly local lengths of eddies (Olson et al. 2019)";
    entry.make = [](int nz) -> std::unique_ptr<BoundaryLayerScheme> {
        return std::make_unique<MynnEdmf>(nz, true);
    };
    return entry;
}

BoundaryLayerEntry mynn_edmf_advected_scheme() {
    BoundaryLayerEntry entry = mynn_edmf_scheme();
    entry.title = "MYNN-EDMF whose turbulence the wind carries (Olson et al. 2019)";
    entry.predicts_turbulence = true;
    entry.keeps_turbulence = false;
    return entry;
}

} // namespace squall
