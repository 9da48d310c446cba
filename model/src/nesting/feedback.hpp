/// From a nest to its parent: averages over the parent's cells and faces.
///
/// A cell takes the mean of the ratio x ratio cells that fill it, a face that of the `ratio` faces that it is
/// made of (WRF's way: of the variables themselves, not of what they are coupled with). Where levels differ
/// the parent's column gets what that mean says else than the column itself would on the nest's levels,
/// mapped to its own: what the nest has not changed stays as it is to the last bit, whatever two maps there
/// and back make of a profile, and the integral becomes the nest's. The row of the parent's cells along the
/// nest's sides, which specified the nest, stays as it is. What the parent was given may then be smoothed,
/// one row further inside: by a 1-2-1 filter along y and along x, perhaps followed by one that gives waves of
/// many cells their amplitude back (Shapiro 1970; WRF's smooth_option 1 and 2).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "initial/wrf_base_state.hpp"
#include "nesting/level_remap.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/halo.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {

enum class Smoothing { none, one_two_one, smooth_desmooth };

/// Of a run file's word; none for any other.
Smoothing smoothing_of(const std::string &word);

/// Which points of a parent the patches of a nest fill, and which of them its own patches take; arguments as
/// of layout_of_windows.
RegionLayout layout_of_feedback(const NestPlace &place, const Patch &parent, const Patch &nest,
                                int first_rank);

/// One variable on its way up; both views in the indices of this rank's patches.
struct FedBack {
    ConstField3 nest;
    Field3 parent;
    int levels = 1; ///< of the nest
    Points kind = Points::cells;
    bool smoothed = true; ///< if any is
    /// Where they are given, departures from these are averaged and added.
    ConstField3 nest_base{}, parent_base{};
    OnLevels column = OnLevels::none; ///< how it passes to other levels
};

class Feedback {
  public:
    /// `parent` and `nest`: this rank's patches; the nest's grain is the ratio. Collective over `comm`, whose
    /// ranks from `first_rank` on have the nest. `up`: from the nest's levels to the parent's; `down`: back.
    Feedback(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
             Smoothing smoothing = Smoothing::none, int first_rank = 0, LevelRemap up = {},
             LevelRemap down = {});

    /// Collective, with the same variables on all ranks. Halos are not read; where it smooths, those of the
    /// parent are filled. The parent's columns have the mass `mub`, or mub + mu where that is given, which
    /// may be among what they are given; it is read where levels differ.
    void give(std::span<const FedBack> variables, ConstField2 mub = {}, ConstField2 mu = {});

    /// Where levels differ: base states are of this analytic atmosphere, the parent's `theta_init` over
    /// columns of `mub`, and what departs from them passes between levels but for its corners (set_bend).
    void know_base(const WrfBaseAtmosphere &atmosphere, ConstField3 theta_init, ConstField2 mub);

    /// This rank's cells of the parent that take the nest's, in local indices; perhaps none.
    Range given(Points kind = Points::cells) const;

    double waited() const { return exchange_.waited(); } ///< for other ranks, so far [s]
    int values() const { return exchange_.values(); }    ///< of a column that the last give() sent
    /// What smoothing has asked of the parent's halo so far; empty where nothing is smoothed.
    std::vector<HaloExchange> exchanges() const {
        return halo_ ? halo_->exchanges() : std::vector<HaloExchange>{};
    }

  private:
    void average(const FedBack &variable, Array3 &into) const;
    void set_mass(ConstField2 mub, ConstField2 mu);
    void map(const FedBack &variable, ConstField3 arrived);
    void add_change(const FedBack &variable, ConstField3 arrived, const Range &columns);
    void keep_within(const FedBack &variable, ConstField3 arrived, const Range &columns);
    bool is_mapped(const FedBack &v) const { return !up_.same() && v.column != OnLevels::none; }
    int levels_of(const FedBack &v) const;
    Region limits(Points kind) const;
    void add_base(const FedBack &variable, real times = 1) const;
    /// What lies on the parent's cells that this rank may be given, in the parent's indices.
    Field3 in_parent(Field3 v) const { return in_domain(v, corner_.i0, corner_.j0); }
    Field2 in_parent(Field2 v) const { return {v.origin - corner_.i0 - v.sj * corner_.j0, v.sj}; }
    void smooth(std::span<const FedBack> variables);
    void filter(const FedBack &variable, real strength);

    NestPlace place_;
    Patch parent_;
    Region covered_; ///< cells of the parent that this rank's patch of the nest fills
    Shape shape_;    ///< of those
    RegionExchange exchange_;
    std::vector<Array3> averages_; ///< one for each variable, kept
    LevelRemap up_, down_;
    // Where levels differ, of the parent's cells that this rank may be given:
    Region corner_; ///< which these are, in the parent's local indices
    Shape arrival_;
    std::vector<Array3> arrived_; ///< averages on the nest's levels, one for each variable
    Array3 own_, change_;         ///< of the parent's column, on the nest's levels and on its own
    Array3 mapped_;               ///< the nest's amounts on the parent's levels
    Array3 bend_;                 ///< of the base state (set_bend), where that is known
    bool knows_base_ = false;
    Array2 mass_;
    Smoothing smoothing_;
    std::optional<Halo> halo_; ///< of the parent, where it smooths
    Array3 along_y_;           ///< filtered that way only
    // Of the call that lasts: what it moves, and whose halos it fills.
    std::vector<MovedField> moved_;
    std::vector<HaloField> smoothed_;
};

} // namespace squall
