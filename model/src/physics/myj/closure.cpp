#include "physics/myj/closure.hpp"

namespace squall::myj {
namespace {

constexpr auto dissipation = static_cast<real>(1 / b1);
constexpr real least_shear_and_stability = real(1e-24);
constexpr real least_ratio_of_scales = real(1e-12); // l/q [s]

/// d(l/q)/dt, and its derivative by l/q.
struct Tendency {
    real value, slope;
};

/// Of the polynomials' coefficients; they are taken in q/l where l/q is large, so that no power overflows.
class Balance {
  public:
    Balance(real shear, real stability)
        : a_(production_4(shear, stability) * stability), b_(production_2(shear, stability)),
          c_(denominator_4(shear, stability) * stability), d_(denominator_2(shear, stability)) {}

    Tendency at(real x) const {
        const real s4 = -2 * (a_ * d_ - b_ * c_), s2 = -4 * a_, s0 = -2 * b_;
        if (x <= 1) {
            const real y = x * x, per = 1 / ((c_ * y + d_) * y + 1);
            return {dissipation - (a_ * y + b_) * y * per, x * ((s4 * y + s2) * y + s0) * per * per};
        }
        const real y = 1 / (x * x), per = 1 / (c_ + (d_ + y) * y);
        return {dissipation - (a_ + b_ * y) * per, y / x * (s4 + (s2 + s0 * y) * y) * per * per};
    }

  private:
    real a_, b_, c_, d_;
};

} // namespace

real produce(real shear, real stability, real before, real dt) {
    if (shear + stability * stability <= least_shear_and_stability || laminar(shear, stability)) return 0;
    const real per_square =
        larger_root(equilibrium_4(shear, stability) * stability, equilibrium_2(shear, stability));
    if (!(per_square > 0)) return 0;
    const Balance balance(shear, stability);
    const real equilibrium = std::sqrt(1 / per_square);
    const real first =
        std::max(equilibrium + (before - equilibrium) * std::exp(balance.at(equilibrium).slope * dt),
                 least_ratio_of_scales);
    const Tendency t = balance.at(first);
    const real away = t.value / t.slope;
    const real after = first - away + (away + before - first) * std::exp(t.slope * dt);
    return after > least_ratio_of_scales ? after : real(0); // not a number where the slope is none
}

} // namespace squall::myj
