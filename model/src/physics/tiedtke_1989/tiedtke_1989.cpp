#include "physics/tiedtke_1989/tiedtke_1989.hpp"

#include "physics/tiedtke_1989/closure.hpp"
#include "physics/tiedtke_1989/exchange.hpp"

namespace squall {
namespace {

using namespace tiedtke_1989;

class Tiedtke1989 final : public CumulusScheme {
  public:
    explicit Tiedtke1989(int nz) : air_(nz), up_(nz), down_(nz), change_(nz), weight_(nz), vapour_(nz) {}

    void convect(const ConvectiveColumns &c) override {
        c.clear();
        for (int i = 0; i < c.n; ++i) {
            read(c, i);
            if (!find_change()) continue;
            settle(c.as_wrf);
            change_.write(c, i, fusion);
        }
    }

  private:
    void read(const ConvectiveColumns &c, int i) {
        air_.land = c.land && c.land[i] > real(0.5);
        air_.interval = c.interval;
        air_.as_wrf = c.as_wrf;
        air_.vapour_flux = c.vapour_flux ? c.vapour_flux[i] : real(0);
        for (int k = 0; k < c.nz; ++k) {
            vapour_[k] = std::max(c.vapour(i, k), real(1e-8));
            air_.pressure[k] = c.pressure(i, k);
            air_.temperature[k] = c.temperature(i, k);
            air_.vapour[k] = vapour_[k] / (1 + vapour_[k]);
            air_.depth[k] = c.depth(i, k);
            air_.mass[k] = c.density(i, k) * c.depth(i, k);
            air_.u[k] = c.u(i, k);
            air_.v[k] = c.v(i, k);
            air_.lifted[k] = c.density(i, k) * c.updraught(i, k);
            air_.moistening[k] = c.forced_vapour.origin ? c.forced_vapour(i, k) : real(0);
            weight_[k] = c.as_wrf ? air_.mass[k] : air_.mass[k] / (1 + vapour_[k]);
        }
        air_.complete();
    }

    /// False: there is no convection.
    bool find_change() {
        Cloud cloud = find_cloud(air_);
        const bool from_below = cloud.from_below(), rises = up_.rise(air_, cloud);
        if (!rises && !from_below) return false;
        const real flux = rises ? find_flux(cloud) : real(0);
        if (flux > 0) {
            down_.scale(flux / cloud.flux);
            cloud.flux = flux;
        } else { // there may be a cloud from aloft instead
            down_.clear();
            cloud.kind = Kind::none;
            cloud.highest = air_.middle_clouds_end;
        }
        // Limits make the ascent depend on its mass flux.
        if (!up_.rise(air_, cloud)) return false;
        if (down_.start > up_.top) down_.clear();
        change_.find(air_, cloud, up_, down_);
        return true;
    }

    /// At the base of a cloud that rises; its height decides now what it is.
    real find_flux(Cloud &cloud) {
        cloud.highest = up_.top;
        if (cloud.kind == Kind::deep && air_.p[cloud.base] - air_.p[up_.top] < shallow_below)
            cloud.become(Kind::shallow, air_.land);
        down_.sink(air_, cloud, up_);
        return closed_flux(air_, cloud, up_, down_);
    }

    /// Mixing ratios, per mass of dry air, and the kinetic energy that is lost. WRF divides by the mass of
    /// all air, turns specific humidity into mixing ratios, and has no such heat.
    void settle(bool as_wrf) {
        change_.divide_by(weight_);
        if (as_wrf)
            for (int k = 0; k < air_.nz; ++k) change_.vapour[k] *= (1 + vapour_[k]) * (1 + vapour_[k]);
        else
            change_.dissipate(weight_, air_.u, air_.v);
        change_.keep_vapour(vapour_, air_.interval);
    }

    Air air_;
    Updraught up_;
    Downdraught down_;
    Exchange change_;
    Profile weight_, vapour_; ///< mass that rates refer to [kg m-2], mixing ratio
};

} // namespace

CumulusEntry tiedtke_1989_scheme() {
    return {.title = "deep, shallow and mid-level plumes, Tiedtke (1989), Nordeng (1994)",
            .make = [](int nz) { return std::make_unique<Tiedtke1989>(nz); },
            .sees_forcing = true,
            .moves_wind = true};
}

} // namespace squall
