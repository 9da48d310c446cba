#include "physics/tiedtke/tiedtke.hpp"

#include "physics/tiedtke/closure.hpp"
#include "physics/tiedtke/exchange.hpp"

namespace squall {
namespace {

using namespace tiedtke;

class Tiedtke final : public CumulusScheme {
  public:
    explicit Tiedtke(int nz) : air_(nz), up_(nz), down_(nz), change_(nz) {}

    void convect(const ConvectiveColumns &c) override {
        c.clear();
        for (int i = 0; i < c.n; ++i) {
            read(c, i);
            if (find_change()) change_.write(c, i, fusion);
        }
    }

  private:
    void read(const ConvectiveColumns &c, int i) {
        air_.land = c.land && c.land[i] > real(0.5);
        air_.spacing = c.spacing[i];
        air_.interval = c.interval;
        air_.heat_flux = c.heat_flux ? c.heat_flux[i] : real(0);
        air_.vapour_flux = c.vapour_flux ? c.vapour_flux[i] : real(0);
        const auto value = [&](ConstColumns f, int k) { return f.origin ? f(i, k) : real(0); };
        for (int k = 0; k < c.nz; ++k) {
            air_.pressure[k] = c.pressure(i, k);
            air_.temperature[k] = c.temperature(i, k);
            air_.vapour[k] = std::max(c.vapour(i, k), real(1e-8));
            air_.depth[k] = c.depth(i, k);
            air_.mass[k] = c.density(i, k) / (1 + c.vapour(i, k)) * c.depth(i, k);
            air_.u[k] = c.u(i, k);
            air_.v[k] = c.v(i, k);
            air_.updraught[k] = c.updraught(i, k);
            air_.warming[k] = value(c.forced_theta, k) * c.exner(i, k);
            air_.moistening[k] = value(c.forced_vapour, k);
        }
        air_.complete();
    }

    /// False: there is no convection.
    bool find_change() {
        Cloud cloud = find_cloud(air_);
        if (cloud.kind == Kind::none) return false;
        up_.rise(air_, cloud);
        if (cloud.kind == Kind::none) return false;
        down_.sink(air_, cloud, up_);
        const real factor = close(air_, cloud, up_, down_);
        if (factor <= 0) return false;
        change_.find(air_, cloud, up_, down_, factor);
        return true;
    }

    Air air_;
    Updraught up_;
    Downdraught down_;
    Exchange change_;
};

} // namespace

CumulusEntry tiedtke_scheme() {
    return {.title = "scale-aware deep, mid-level and shallow plumes, Zhang and Wang (2017)",
            .make = [](int nz) { return std::make_unique<Tiedtke>(nz); },
            .sees_forcing = true,
            .moves_wind = true};
}

} // namespace squall
