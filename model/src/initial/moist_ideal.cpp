#include "initial/moist_ideal.hpp"

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall {
namespace {

void check(const Config &config, const MoistSounding &sounding) {
    if (config.physics.microphysics == "none")
        throw ConfigError(fmt::format("{}: {} needs moist air: set physics.microphysics = \"kessler\"",
                                      config.file, config.initial.case_name));
    if (config.vertical.top > sounding.top())
        throw ConfigError(
            fmt::format("{}: the sounding ends at {} m, below vertical.top = {} m; lower the top",
                        config.file, sounding.top(), config.vertical.top));
}

/// The columns of one base state under the mass of the sounding.
class BalancedColumns {
  public:
    BalancedColumns(const Config &config, const VerticalGrid &v, const MoistSounding &sounding)
        : config_(config), v_(v), sounding_(sounding),
          base_(base_column(v, sounding.base(), 0, config.dynamics.hypsometric)),
          mu_(sounding.dry_pressure(0) - v.p_top - base_.mub) {}

    ColumnState of(const MoistAir &air) const {
        return balanced_moist_column(v_, base_, mu_, air, config_.dynamics.hypsometric,
                                     config_.dynamics.moist_theta);
    }
    /// The sounding where its dry air weighs what the layer's weighs.
    MoistLayer undisturbed(const Layer &layer) const {
        const SoundingLevel l = sounding_.at(sounding_.height_of_dry(layer.p_dry));
        return {l.theta, l.vapour, l.cloud};
    }
    ColumnState undisturbed() const {
        return of([this](const Layer &layer) { return undisturbed(layer); });
    }
    const BaseColumn &base() const { return base_; }

  private:
    const Config &config_;
    const VerticalGrid &v_;
    const MoistSounding &sounding_;
    BaseColumn base_;
    double mu_;
};

void put(const ColumnState &column, int i, int j, InitialState &s) {
    const int nz = s.grid.vertical.nz;
    s.state.mu(i, j) = real(column.mu);
    for (int k = 0; k <= nz; ++k) s.state.ph(i, k, j) = real(column.ph[k]);
    for (int k = 0; k < nz; ++k) {
        s.state.theta(i, k, j) = real(column.theta[k]);
        s.state.scalars[s.scalars.vapour](i, k, j) = real(column.vapour[k]);
        if (s.scalars.cloud >= 0) s.state.scalars[s.scalars.cloud](i, k, j) = real(column.cloud[k]);
    }
}

template <class F> void for_each_column_of(const Patch &patch, F f) {
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) f(i, j);
}

/// Winds where the sounding's pressure is that of the base state, as WRF's ideal cases have them.
void set_wind(const MoistSounding &sounding, const BaseColumn &base, InitialState &s) {
    Grid &g = s.grid;
    for (int k = 0; k < g.vertical.nz; ++k) {
        const SoundingLevel l = sounding.at(sounding.height_of(base.pb[k]));
        g.u_base[k] = real(l.u);
        g.v_base[k] = real(l.v);
        for (int j = 0; j <= g.shape.ny; ++j)
            for (int i = 0; i <= g.shape.nx; ++i) {
                s.state.u(i, k, j) = g.u_base[k];
                s.state.v(i, k, j) = g.v_base[k];
            }
    }
}

} // namespace

InitialState moist_atmosphere(const Config &config, const Patch &patch, const MoistSounding &sounding) {
    check(config, sounding);
    InitialState s = atmosphere_at_rest(config, patch, sounding.base());
    const BalancedColumns columns(config, s.grid.vertical, sounding);
    const ColumnState column = columns.undisturbed();
    for_each_column_of(patch, [&](int i, int j) { put(column, i, j, s); });
    set_wind(sounding, columns.base(), s);
    Grid &g = s.grid;
    g.qv_base.assign(column.vapour.begin(), column.vapour.end());
    for (int k = 0; k < g.vertical.nz; ++k) {
        const double moist =
            config.dynamics.moist_theta ? 1 + column.vapour[k] * double(constants::r_v) / constants::r_d : 1;
        g.theta_base[k] = real((constants::theta0 + column.theta[k]) / moist - constants::theta0);
        g.z_base[k] = real(column.height(columns.base(), k));
    }
    return s;
}

void add_disturbance(const Config &config, const Patch &patch, const MoistSounding &sounding,
                     const Disturbance &disturbance, InitialState &s) {
    const BalancedColumns columns(config, s.grid.vertical, sounding);
    const ColumnState calm = columns.undisturbed();
    const auto column = [&](double x, double y) -> MoistAir {
        return [&, x, y](const Layer &layer) {
            MoistLayer air = columns.undisturbed(layer);
            air.theta += disturbance(x, y, calm.height(columns.base(), layer.k), layer.p);
            return air;
        };
    };
    set_air(config, patch, sounding, column, s);
}

void set_air(const Config &config, const Patch &patch, const MoistSounding &sounding,
             const MoistColumn &column, InitialState &s) {
    const BalancedColumns columns(config, s.grid.vertical, sounding);
    for_each_column_of(patch, [&](int i, int j) {
        const double x = (patch.x0 + i + 0.5 - 0.5 * patch.nx_domain) * config.domain.dx;
        const double y = (patch.y0 + j + 0.5 - 0.5 * patch.ny_domain) * config.domain.dy;
        put(columns.of(column(x, y)), i, j, s);
    });
}

} // namespace squall
