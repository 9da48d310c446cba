/// The part of a parent that a nest's patch looks at, on the rank of that patch, as if it had the nest's
/// levels: base state and state are mapped to these as they arrive, theta as its departure from the base
/// state, but for the corners of that (set_bend).
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "grid/physics_state.hpp"
#include "grid/state.hpp"
#include "initial/base_rule.hpp"
#include "nesting/level_remap.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {

/// Cells of a parent that must lie between a nest and each side of it: what interpolation reads.
inline constexpr int cells_around_nest = 3;

/// Which points of a parent the windows of a nest's patches are made of: `parent` and `nest` are patches of
/// any rank; the nest is on ranks of the parent's from `first_rank` on, and on as many as it has patches.
RegionLayout layout_of_windows(const NestPlace &place, const Patch &parent, const Patch &nest,
                               int first_rank);

/// A field on its way to a window: of the parent's patch, and of an array of the window's shape; local
/// indices.
struct Fetched {
    ConstField3 from;
    Field3 to;
    int levels = 1;
};

class ParentWindow {
  public:
    /// `parent` and `nest`: this rank's patches of the two domains; all ranks of `comm` share the parent,
    /// those from `first_rank` on the nest. `scalars`: how many the two share. `levels`: from the parent's
    /// to the nest's. Collective.
    ParentWindow(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest, int scalars,
                 int first_rank = 0, LevelRemap levels = {});

    /// Fetches what of the parent never changes, and makes its base state on the nest's levels by its rule.
    /// Collective.
    void fetch(const Grid &parent, const BaseRule &rule);
    /// Fetches the parent's state of now, but for its geopotential, of which `ph` is what is wanted.
    /// Collective.
    void fetch(const State &parent, const Array3 &ph);
    /// The same without making state() of it where levels differ: map_state() does, of what is wanted.
    /// Collective.
    void look(const State &parent, const Array3 &ph);
    /// Once after look(): maps what it fetched, in `columns`, of local indices and apart from each other.
    /// Threads share the work.
    void map_state(std::span<const Range> columns);
    /// Fetches what its physics has left behind. Collective.
    void fetch(const PhysicsState &parent);

    /// Fetches anything else, as it stands on the parent's levels. Collective, with the same fields on all
    /// ranks.
    void fetch(std::span<const Fetched> fields);

    /// From the parent's levels to the nest's; of columns with the mass of the last state.
    const LevelRemap &levels() const { return levels_; }
    void map(OnLevels kind, ConstField3 from, Field3 to) const;
    Range columns() const { return {0, grid_.shape.nx, 0, grid_.shape.ny, 0, 1}; } ///< all; local indices
    int parent_layers() const { return parent_.shape.nz; }

    /// Map factors, Coriolis, terrain, mub, phb and theta_init, and where levels differ a base state of these
    /// in balance; local indices.
    const Grid &grid() const { return grid_; }
    State &state() { return state_; }
    const State &state() const { return state_; }
    const PhysicsState &physics() const { return physics_; }

    /// One of these arrays, indexed as the parent is.
    template <class View> View in_parent(View v) const { return in_domain(v, region_.i0, region_.j0); }
    ConstField3 in_parent(ConstField2 v) const { return in_parent(ConstField3{v.origin, 0, v.sj}); }
    Field3 in_parent(Field2 v) const { return in_parent(Field3{v.origin, 0, v.sj}); }

    const Region &region() const { return region_; }     ///< of the parent
    double waited() const { return exchange_.waited(); } ///< for other ranks, so far [s]
    int values() const { return exchange_.values(); }    ///< of a column that the last call fetched

  private:
    /// What stands on the parent's levels, before it is mapped.
    struct Arrived {
        Array3 phb, theta_init, heating;
        State state;
    };
    /// From the parent's levels to the nest's.
    struct Mapped {
        OnLevels kind;
        Array3 *from, *to;
    };

    MovedField moved(ConstField3 from, Field3 to, int levels) const;
    MovedField moved(const Array3 &from, Array3 &to, int levels) const;
    MovedField moved(const Array2 &from, Array2 &to) const;

    Patch parent_;
    Region region_;
    RegionExchange exchange_;
    Grid grid_;
    State state_;
    PhysicsState physics_;
    LevelRemap levels_;
    Arrived arrived_; ///< empty where the levels are the same
    Array2 mass_;     ///< mub + mu, likewise
    Array3 bend_;     ///< of the base state (set_bend); empty where it is mapped itself
    // Of the call that lasts: what it moves and maps.
    std::vector<MovedField> moved_;
    std::vector<Mapped> mapped_;
};

} // namespace squall
