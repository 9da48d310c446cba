#include "initial/ideal.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "initial/blank.hpp"

namespace squall {
namespace {

[[noreturn]] void fail(const Config &config, const std::string &what) {
    throw ConfigError(fmt::format("{}: {}", config.file, what));
}

/// Position of the middle of an owned cell.
double x_of(const Config &config, const Patch &patch, int i) {
    return (patch.x0 + i + 0.5 - 0.5 * patch.nx_domain) * config.domain.dx;
}
double y_of(const Config &config, const Patch &patch, int j) {
    return (patch.y0 + j + 0.5 - 0.5 * patch.ny_domain) * config.domain.dy;
}

template <class F> void for_each_cell(const Patch &patch, F f) {
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) f(i, j);
}

/// Base columns by terrain height; the last one is kept, because most terrain is flat.
class BaseColumns {
  public:
    BaseColumns(const VerticalGrid &v, const Sounding &sounding, int hypsometric)
        : v_(v), sounding_(sounding), hypsometric_(hypsometric) {}

    const BaseColumn &over(real z_surface) {
        if (last_.phb.empty() || z_surface != z_surface_)
            last_ = base_column(v_, sounding_, z_surface_ = z_surface, hypsometric_);
        return last_;
    }

  private:
    const VerticalGrid &v_;
    const Sounding &sounding_;
    int hypsometric_;
    real z_surface_ = 0;
    BaseColumn last_;
};

std::vector<double> eta_of_heights(const VerticalConfig &vertical, int nz, const Sounding &sounding,
                                   double p_top) {
    std::vector<double> height{0};
    for (double k = 0, dz = 1; k < nz; ++k, dz *= vertical.stretch) height.push_back(height.back() + dz);
    std::vector<double> eta;
    for (double z : height) {
        const double p = sounding.pressure(z / height.back() * vertical.top);
        eta.push_back((p - p_top) / (sounding.pressure(0) - p_top));
    }
    eta.back() = 0;
    return eta;
}

void set_base_profiles(Grid &grid, const BaseColumn &column) {
    grid.u_base.assign(grid.vertical.nz, 0);
    grid.v_base.assign(grid.vertical.nz, 0);
    grid.theta_base = column.theta;
    for (int k = 0; k < grid.vertical.nz; ++k) grid.z_base.push_back(real(column.height(k)));
}

} // namespace

VerticalGrid make_levels(const Config &config, const Sounding &sounding) {
    const VerticalConfig &vertical = config.vertical;
    const double p_top = real(sounding.pressure(vertical.top));
    if (!(p_top > 0))
        fail(config, fmt::format("vertical.top = {} m lies above the top of this case's atmosphere; lower it",
                                 vertical.top));
    auto eta = vertical.eta;
    if (eta.empty()) eta = eta_of_heights(vertical, config.domain.nz, sounding, p_top);
    if (int(eta.size()) != config.domain.nz + 1)
        fail(config, fmt::format("vertical.eta has {} interfaces; domain.nz = {} layers need {}", eta.size(),
                                 config.domain.nz, config.domain.nz + 1));
    try {
        return VerticalGrid::make(eta, p_top, vertical.coordinate == "hybrid" ? vertical.etac : 0);
    } catch (const std::invalid_argument &e) {
        fail(config, fmt::format("vertical.eta: {}", e.what()));
    }
}

InitialState atmosphere_at_rest(const Config &config, const Patch &patch, const Sounding &sounding,
                                const Terrain &terrain) {
    InitialState s = blank_state(config, patch.shape, config.domain.dx, config.domain.dy);
    Grid &g = s.grid;
    g.vertical = make_levels(config, sounding);
    if (config.dynamics.coriolis == "f-plane") g.f.fill(real(config.dynamics.f));
    BaseColumns columns(g.vertical, sounding, config.dynamics.hypsometric);
    set_base_profiles(g, columns.over(0));
    for_each_cell(patch, [&](int i, int j) {
        g.terrain(i, j) = real(terrain(x_of(config, patch, i), y_of(config, patch, j)));
        const BaseColumn &column = columns.over(g.terrain(i, j));
        g.mub(i, j) = column.mub;
        for (int k = 0; k < g.vertical.nz; ++k) {
            g.pb(i, k, j) = column.pb[k];
            g.alb(i, k, j) = column.alb[k];
            g.theta_init(i, k, j) = s.state.theta(i, k, j) = column.theta[k];
        }
        for (int k = 0; k <= g.vertical.nz; ++k) g.phb(i, k, j) = real(column.phb[k]);
    });
    return s;
}

void set_uniform_wind(InitialState &s, double u) {
    s.state.u.fill(real(u));
    s.grid.u_base.assign(s.grid.vertical.nz, real(u));
}

void add_departure(const Config &config, const Patch &patch, const Sounding &sounding,
                   const std::function<ThetaDeparture(double x, double y)> &departure, Conserve conserve,
                   InitialState &s) {
    const VerticalGrid &v = s.grid.vertical;
    const int hypsometric = config.dynamics.hypsometric;
    BaseColumns columns(v, sounding, hypsometric);
    for_each_cell(patch, [&](int i, int j) {
        const ColumnState column =
            balanced_column(v, columns.over(s.grid.terrain(i, j)),
                            departure(x_of(config, patch, i), y_of(config, patch, j)), conserve, hypsometric);
        s.state.mu(i, j) = real(column.mu);
        for (int k = 0; k < v.nz; ++k) s.state.theta(i, k, j) = real(column.theta[k]);
        for (int k = 0; k <= v.nz; ++k) s.state.ph(i, k, j) = real(column.ph[k]);
    });
}

void add_disturbance(const Config &config, const Patch &patch, const Sounding &sounding,
                     const Disturbance &disturbance, InitialState &s) {
    const auto in_column = [&](double x, double y) -> ThetaDeparture {
        return [&, x, y](const Layer &layer) {
            const double carried = sounding.theta(layer.z) - sounding.theta(layer.z_base);
            return carried + disturbance(x, y, layer.z, layer.p);
        };
    };
    add_departure(config, patch, sounding, in_column, Conserve::top, s);
}

double distance_x(const Config &config, double x, double centre) {
    const bool periodic = config.domain.boundaries.west == Boundary::periodic;
    return periodic ? std::remainder(x - centre, config.domain.nx * config.domain.dx) : x - centre;
}

} // namespace squall
