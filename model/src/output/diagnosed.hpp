/// What a history makes of a state before it shows anything of it.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "diagnostics/derived_field.hpp"
#include "diagnostics/seen_air.hpp"
#include "grid/grid.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "output/location.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// What a frame shows. Halos are filled, those of p and al one cell wide.
struct Snapshot {
    const State &state;
    const PhysicsState &physics;
    const Array3 &p, &al; ///< perturbation pressure [Pa] and inverse density [m3 kg-1]
};

/// What this run has of what derived fields may need. Throws io::Error: an initial file that cannot be read.
std::set<Need> needs_met(const Config &config);

/// Surface pressure and the potential temperature of dry air of a patch.
class Diagnosed {
  public:
    /// Of which rows the potential temperature of dry air is wanted where the run integrates that of moist
    /// air.
    enum class DryTheta { nowhere, all_at_once, some_at_a_time };
    static constexpr int rows_at_a_time = 8; ///< a few fields of so many stay in the cache

    /// `config`, `patch` and `grid` must outlive this object. `surface`: whether surface temperature and land
    /// are wanted. `tiles`: the cells that are looked at, with those of the halo that slopes
    /// are made of. Throws io::Error: an initial file that cannot be read.
    Diagnosed(const Config &config, const Patch &patch, const Grid &grid, DryTheta dry_theta, bool surface,
              std::vector<Range> tiles);

    /// From now on of this moment, whose arrays must stay.
    void begin(const Snapshot &now);

    // Made when they are first asked for: views of the snapshot's arrays and of this object's.
    SeenAir air();
    ConstField2 psfc();
    /// Of dry air, minus 300 K. Not where it is made some rows at a time.
    ConstField3 theta();
    /// The same of at most `rows_at_a_time`, until it is called again.
    ConstField3 theta(Rows rows);
    /// Whether it is made some rows at a time.
    bool in_rows() const { return dry_theta_ == DryTheta::some_at_a_time; }

  private:
    void diagnose_surface_pressure();
    void diagnose_dry_theta(const std::vector<Range> &tiles, Field3 to) const;

    const Config &config_;
    const Patch &patch_;
    const Grid &grid_;
    std::vector<Range> tiles_;
    ScalarSet scalars_;
    DryTheta dry_theta_;
    Array2 psfc_;
    Array3 theta_;
    Array2 skin_, land_; ///< empty: none
    std::optional<Snapshot> now_;
    bool has_psfc_ = false, has_theta_ = false; ///< of now
};

} // namespace squall
