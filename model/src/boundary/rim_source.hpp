/// Where the values of a domain's rim come from: a file, or the domain around it.
#pragma once

#include <limits>
#include <vector>

#include "boundary/rim_field.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"

namespace squall {

/// RimFields without their scalars, as kernels hold them.
struct RimFieldViews {
    RimFieldView u, v, theta, ph, mu, w;
};

/// Mass-coupled values on the rim and their rates of change, which hold until the source has news: M u / m_y,
/// M v / m_x, M w / m_y, M theta, M phi' and mu', with M = c1 (mub + mu') + c2; scalars M q.
struct RimFields {
    RimField u, v, theta, ph, mu;
    RimField w;                    ///< without levels where the source does not know it
    std::vector<RimField> scalars; ///< in the order of State::scalars; without levels likewise

    RimFieldViews views() const { return {u.view(), v.view(), theta.view(), ph.view(), mu.view(), w.view()}; }
};

class RimSource {
  public:
    virtual ~RimSource() = default;

    virtual bool knows_w() const = 0;
    virtual bool knows_scalar(int n) const = 0; ///< n: index into State::scalars

    /// Refuses what cannot be the source of these fields (std::runtime_error).
    virtual void check(const RimFields &) const {}

    /// Refuses values (std::runtime_error) that cannot be those of this state's domain and date, `elapsed`
    /// seconds after the fields' values.
    virtual void check_agrees(const State &, const RimFields &, real) const {}

    /// Whether there is news for a step that begins `seconds` after run.start.
    virtual bool changes_at(double seconds) const = 0;

    /// When there will be next, known beforehand [s since run.start]; infinity where it is not.
    virtual double next_change(double) const { return std::numeric_limits<double>::infinity(); }

    /// Sets values and rates of change, and returns the model time that the values are of [s since
    /// run.start]. `state` is that at the beginning of the step, read by a source that needs_halo(), of one
    /// point. Throws std::runtime_error, perhaps on this rank alone. Local.
    virtual double fill(double seconds, const GridView &grid, const State &state, RimFields &into) = 0;
    virtual bool needs_halo() const { return false; }
};

} // namespace squall
