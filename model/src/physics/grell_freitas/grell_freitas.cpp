#include "physics/grell_freitas/grell_freitas.hpp"

#include <optional>

#include "physics/grell_freitas/closure.hpp"
#include "physics/grell_freitas/shallow.hpp"

namespace squall {
namespace {

using namespace grell_freitas;

constexpr real driest = real(1e-8); // [kg kg-1]

class GrellFreitas final : public CumulusScheme {
  public:
    GrellFreitas(int nz, bool shallow)
        : air_(nz), up_(nz), down_(nz), response_(nz), closure_(nz), change_(nz), shallow_change_(nz) {
        if (shallow) shallow_.emplace(nz);
    }

    void convect(const ConvectiveColumns &c) override {
        c.clear();
        for (int i = 0; i < c.n; ++i) {
            read(c, i);
            change_.clear();
            const bool shallow = shallow_ && find_shallow(c, i), deep = find_deep(c, i);
            if (!shallow && !deep) continue;
            if (shallow) change_.add(shallow_change_);
            if (!c.as_wrf) change_.keep_vapour(air_.now.vapour, air_.interval);
            change_.write(c, i, c.as_wrf ? real(0) : fusion);
        }
    }

  private:
    void read(const ConvectiveColumns &c, int i) {
        const auto of_column = [i](const real *f) { return f ? f[i] : real(0); };
        air_.as_wrf = c.as_wrf;
        air_.land = of_column(c.land) > real(0.5);
        air_.spacing = c.spacing[i];
        air_.step = c.dt;
        air_.interval = c.interval;
        air_.heat_flux = of_column(c.heat_flux);
        air_.vapour_flux = of_column(c.vapour_flux);
        air_.boundary_layer = of_column(c.boundary_layer);
        air_.ground = std::max(of_column(c.ground) / gravity, real(0));
        for (int k = 0; k < c.nz; ++k) {
            air_.pressure[k] = c.pressure(i, k);
            air_.depth[k] = c.depth(i, k);
            air_.density[k] = c.density(i, k);
            air_.mass[k] = c.density(i, k) / (1 + c.vapour(i, k)) * c.depth(i, k);
            air_.rising[k] = c.w.origin ? c.density(i, k) * c.w(i, k) : real(0);
            air_.u[k] = c.u(i, k);
            air_.v[k] = c.v(i, k);
            air_.now.temperature[k] = c.temperature(i, k);
            air_.now.vapour[k] = std::max(c.vapour(i, k), driest);
        }
    }

    /// What the air would be after a step of these rates; null: as it is.
    void force(const ConvectiveColumns &c, int i, ConstColumns theta, ConstColumns vapour) {
        constexpr real coldest = 200;
        for (int k = 0; k < c.nz; ++k) {
            const auto change = [&](ConstColumns f) { return f.origin ? f(i, k) * c.dt : real(0); };
            const real t = air_.now.temperature[k], forced = t + change(theta) * c.exner(i, k);
            air_.forced.temperature[k] = forced < coldest ? t : forced;
            air_.forced.vapour[k] = std::max(air_.now.vapour[k] + change(vapour), driest);
        }
        air_.complete();
    }

    /// By turbulence alone. False: there is none.
    bool find_shallow(const ConvectiveColumns &c, int i) {
        force(c, i, c.mixed_theta, c.mixed_vapour);
        return shallow_->find(air_, shallow_change_);
    }

    /// By all that is not convection; likewise.
    bool find_deep(const ConvectiveColumns &c, int i) {
        force(c, i, c.forced_theta, c.forced_vapour);
        Cloud cloud;
        if (!find_cloud(air_, cloud) || !up_.rise(air_, cloud) || !down_.sink(air_, cloud, up_)) return false;
        response_.find(air_, cloud, up_, down_);
        const real flux = closure_.flux(air_, cloud, up_, down_, response_);
        if (flux <= 0) return false;
        change_.find(air_, response_, flux, false);
        return true;
    }

    Air air_;
    Updraught up_;
    Downdraught down_;
    Response response_;
    Closure closure_;
    Exchange change_, shallow_change_;
    std::optional<ShallowConvection> shallow_;
};

CumulusEntry entry(const std::string &title, bool shallow) {
    return {.title = title,
            .make = [shallow](int nz) { return std::make_unique<GrellFreitas>(nz, shallow); },
            .sees_forcing = true,
            .moves_wind = true};
}

} // namespace

CumulusEntry grell_freitas_scheme() {
    return entry("scale-aware deep plumes by an ensemble of closures, Grell and Freitas (2014)", false);
}

CumulusEntry grell_freitas_shallow_scheme() {
    return entry("likewise, and shallow plumes of the boundary layer", true);
}

} // namespace squall
