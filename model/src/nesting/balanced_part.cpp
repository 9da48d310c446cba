#include "nesting/balanced_part.hpp"

#include <cmath>

#include <omp.h>

#include "core/constants.hpp"
#include "parallel/tasks.hpp"

namespace squall {
namespace {

/// (1 + x)^(-cv/cp) - 1.
double power(double x) {
    constexpr double n = -1 / double(constants::cp_over_cv);
    if (std::abs(x) > 0.08) return std::pow(1 + x, n) - 1;
    double sum = 0; // of the binomial series, to 1e-11
    for (int m = 8; m >= 1; --m) sum = (1 + sum) * x * (n - (m - 1)) / m;
    return sum;
}

/// One column of `air`; the equations of buoyancy.hpp and state_equation.hpp, solved for p' and then for ph'.
class AirColumn {
  public:
    /// `water` and `p`: storage of a value per layer.
    AirColumn(const GridView &g, int hypsometric, const AirInColumns &air, std::span<double> water,
              std::span<double> p)
        : g_(g), hypsometric_(hypsometric), air_(air), water_(water), p_(p) {}

    /// Adds `times` of the balanced part.
    void add(int i, int j, double times, Field3 ph) {
        const double mu = air_.mu(i, j), mub = g_.mub(i, j);
        set_water(i, j);
        set_pressure(mu, mub);
        double part = 0;
        for (int k = 0; k < g_.nz; ++k) {
            const double alb = g_.alb(i, k, j), then = depth(k, mub), now = depth(k, mub + mu);
            const double base = double(constants::theta0) + g_.theta_init(i, k, j);
            const double warmer = excess(i, k, j) / base,
                         squeezed = power(p_[std::size_t(k)] / g_.pb(i, k, j));
            part += alb * (warmer + squeezed + warmer * squeezed) * now + alb * (now - then) -
                    g_.phb_residual(i, k, j);
            ph(i, k + 1, j) = real(ph(i, k + 1, j) + times * part);
        }
    }

  private:
    void set_water(int i, int j) {
        for (int k = 0; k < g_.nz; ++k) {
            double sum = 0;
            for (const Array3 &q : air_.water) sum += q(i, k, j);
            water_[std::size_t(k)] = sum;
        }
    }
    /// From the top, above which there is none of p'.
    void set_pressure(double mu, double mub) {
        double above = 0;
        for (int k = g_.nz - 1; k >= 0; --k) {
            const bool highest = k == g_.nz - 1;
            const double q = 0.5 * (water_[std::size_t(k)] + water_[std::size_t(highest ? k - 1 : k + 1)]);
            const double weight =
                double(g_.c1f[k + 1]) * mu * (1 + q) + q * (double(g_.c1f[k + 1]) * mub + g_.c2f[k + 1]);
            above = highest ? -weight / (2 * double(g_.rdnw[k])) : above - weight / double(g_.rdn[k + 1]);
            p_[std::size_t(k)] = above;
        }
    }
    /// Of potential temperature of moist air over the base state's [K].
    double excess(int i, int k, int j) const {
        const double theta = air_.theta(i, k, j), departure = theta - g_.theta_init(i, k, j);
        if (!air_.vapour.origin) return departure;
        return departure +
               (double(constants::theta0) + theta) * double(constants::rv_over_rd) * air_.vapour(i, k, j);
    }
    /// As layer_depth().
    double depth(int k, double mu) const {
        const double mass = -double(g_.dnw[k]) * (double(g_.c1h[k]) * mu + g_.c2h[k]);
        if (hypsometric_ == 1) return mass;
        const double x = mass / (2 * (double(g_.c3h[k]) * mu + g_.c4h[k] + g_.p_top)), x2 = x * x;
        double sum = 0;
        for (int m = 13; m >= 3; m -= 2) sum = x2 * (1.0 / m + sum);
        return mass * (1 + sum);
    }

    const GridView &g_;
    int hypsometric_;
    const AirInColumns &air_;
    std::span<double> water_, p_; ///< on layers: all water, and p' in balance
};

} // namespace

AirInColumns air_of(const State &state, const ScalarSet &scalars, bool moist_theta) {
    AirInColumns air{
        state.theta.view(), {}, std::span(state.scalars).first(std::size_t(scalars.waters)), state.mu.view()};
    if (scalars.vapour >= 0 && !moist_theta) air.vapour = state.scalars[std::size_t(scalars.vapour)].view();
    return air;
}

BalancedPart::BalancedPart(int hypsometric)
    : hypsometric_(hypsometric), workers_(std::size_t(omp_get_max_threads())) {}

void BalancedPart::add(const Range &columns, const GridView &g, const AirInColumns &air, double times,
                       Field3 ph) {
    for (Layers &layers : workers_)
        for (std::vector<double> *values : {&layers.water, &layers.p}) values->resize(std::size_t(g.nz));
    for_each_task(columns.j1 - columns.j0, [&](int row) {
        Layers &layers = workers_[std::size_t(omp_get_thread_num())];
        AirColumn column(g, hypsometric_, air, layers.water, layers.p);
        for (int i = columns.i0; i < columns.i1; ++i) column.add(i, columns.j0 + row, times, ph);
    });
}

} // namespace squall
