/// Digital filter initialisation: a run that starts from weighted means of the states of a short integration
/// has lost the waves that are faster than the filter's cutoff, gravity and sound waves of a state out of
/// balance (Lynch and Huang 1992, Mon. Wea. Rev. 120, 1019; Huang and Lynch 1993).
///
/// Launch: the integration goes forward over the span T, with all physics; its mean is of the middle, and the
/// run goes on from T / 2, with the ground and what physics remembers as they were then. Weights h(n), n = -M
/// ... M, sum 1. Diabatic: first backward over T / 2 by a time step below 0, without physics and all that
/// cannot be undone; forward over T from there the middle is run.start, and the run goes on from it (Lynch
/// and Huang 1994, Tellus 46A, 583; Peckham et al. 2016, Mon. Wea. Rev. 144, 4189). Twice: backward over T,
/// of which the mean, of the middle, is what goes forward (Lynch, Giard and Ivanovici 1997, Mon. Wea. Rev.
/// 125, 1976). Weights:
///   lanczos  sin(n w) / (n pi) sin(x) / x,  w = 2 pi dt / cutoff,  x = n pi / (M + 1)
///   dolph    (1 / N) (1 + 2 r sum_m T_2M(x0 cos(m pi / N)) cos(2 pi m n / N)),  N = 2M + 1, m = 1 ... M,
///            x0 = 1 / cos(pi dt / cutoff), r = 1 / T_2M(x0), T the Chebyshev polynomials (Lynch 1997)
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "grid/physics_state.hpp"
#include "grid/state.hpp"
#include "settings/config.hpp"

namespace squall {

/// h(-M) ... h(M) for steps of dt [s] and the shortest period that stays [s]. `window`: lanczos or dolph.
std::vector<double> filter_weights(const std::string &window, int half, double dt, double cutoff);

/// Of the integration backward: the same domain and sides without physics, mixing and damping, and with
/// advection of even order: that of odd order smooths, and backward would sharpen.
Config backward_config(const Config &config);

/// Makes of an integration what a run starts from, on a patch.
class FilteredStart {
  public:
    FilteredStart(const Config &config, Shape shape);

    /// Adds the air of a state to the mean.
    void add(double weight, const State &state);

    /// Keeps what physics remembers, of the middle of the integration.
    void keep(const PhysicsState &physics);

    /// Sets both; scalars, which are amounts, are not below 0. Owned points and last faces. In a run that was
    /// integrated backward nothing has fallen yet.
    void put_into(State &state, PhysicsState &physics) const;

    /// Sets the air likewise, and begins another mean.
    void move_air_into(State &state);

  private:
    void put_air_into(State &state) const;

    const Config &config_;
    Shape shape_;
    State sum_;
    PhysicsState kept_;
};

} // namespace squall
