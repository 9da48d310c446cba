#include "nesting/balanced_part.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "parallel/tasks.hpp"

namespace squall {
namespace {

/// One column of `air`; the equations of buoyancy.hpp and state_equation.hpp, solved for p' and then for ph'.
class AirColumn {
  public:
    AirColumn(const GridView &g, int hypsometric, const AirInColumns &air, int i, int j)
        : g_(g), hypsometric_(hypsometric), air_(air), i_(i), j_(j), mu_(air.mu(i, j)), mub_(g.mub(i, j)) {}

    /// What a layer's p' is, from that of the layer above; of the highest, from nothing above it.
    double pressure(int k, double above) const {
        const bool highest = k == g_.nz - 1;
        const double q = 0.5 * (water(k) + water(highest ? k - 1 : k + 1));
        const double weight =
            double(g_.c1f[k + 1]) * mu_ * (1 + q) + q * (double(g_.c1f[k + 1]) * mub_ + g_.c2f[k + 1]);
        return highest ? -weight / (2 * double(g_.rdnw[k])) : above - weight / double(g_.rdn[k + 1]);
    }

    /// The departure of a layer's thickness from the base state's [m2 s-2].
    double thickness(int k, double p) const {
        const double base = double(constants::theta0) + g_.theta_init(i_, k, j_);
        const double alb = g_.alb(i_, k, j_), now = depth(k, mub_ + mu_), then = depth(k, mub_);
        const double alpha =
            alb * (theta(k) / base) * std::pow(1 + p / g_.pb(i_, k, j_), -1 / double(constants::cp_over_cv));
        return (alpha - alb) * now + alb * (now - then) - g_.phb_residual(i_, k, j_);
    }

  private:
    double water(int k) const {
        double sum = 0;
        for (const ConstField3 &q : air_.water) sum += q(i_, k, j_);
        return sum;
    }
    double theta(int k) const {
        const double full = double(constants::theta0) + air_.theta(i_, k, j_);
        if (!air_.vapour.origin) return full;
        return full * (1 + double(constants::r_v / constants::r_d) * air_.vapour(i_, k, j_));
    }
    /// As initial/hydrostatics.hpp.
    double depth(int k, double mu) const {
        const double mass = -double(g_.dnw[k]) * (double(g_.c1h[k]) * mu + g_.c2h[k]);
        if (hypsometric_ == 1) return mass;
        const double p = double(g_.c3h[k]) * mu + g_.c4h[k] + g_.p_top;
        return 2 * p * std::atanh(mass / (2 * p));
    }

    const GridView &g_;
    int hypsometric_;
    const AirInColumns &air_;
    int i_, j_;
    double mu_, mub_;
};

} // namespace

AirInColumns air_of(const State &state, const ScalarSet &scalars, bool moist_theta) {
    AirInColumns air{state.theta.view(), {}, {}, state.mu.view()};
    for (int n = 0; n < scalars.waters; ++n) air.water.push_back(state.scalars[std::size_t(n)].view());
    if (scalars.vapour >= 0 && !moist_theta) air.vapour = state.scalars[std::size_t(scalars.vapour)].view();
    return air;
}

void add_balanced_part(const Range &columns, const GridView &g, int hypsometric, const AirInColumns &air,
                       double times, Field3 ph) {
    for_each_task(columns.j1 - columns.j0, [&](int row) {
        const int j = columns.j0 + row;
        std::vector<double> p(std::size_t(g.nz) + 1, 0);
        for (int i = columns.i0; i < columns.i1; ++i) {
            const AirColumn column(g, hypsometric, air, i, j);
            for (int k = g.nz - 1; k >= 0; --k) p[std::size_t(k)] = column.pressure(k, p[std::size_t(k) + 1]);
            double part = 0;
            for (int k = 0; k < g.nz; ++k) {
                part += column.thickness(k, p[std::size_t(k)]);
                ph(i, k + 1, j) = real(ph(i, k + 1, j) + times * part);
            }
        }
    });
}

} // namespace squall
