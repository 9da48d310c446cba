/// What a domain and a nest inside it tell each other.
///
/// A nest begins as its parent's state, interpolated. After each step of the parent its rim is drawn to the
/// parent's new state: coupled values of both are made, and the nest's rim gets the rate of change that
/// brings it to the parent's at the end of the parent's step (Skamarock et al. 2019, NCAR/TN-556,
/// section 7.3.3). When the nest has caught up, and if it is wanted, the parent takes the nest's averages
/// over its cells, and over the lines of faces that its own faces are made of, inside the row that it
/// specified itself (7.3.4).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include "boundary/rim_source.hpp"
#include "grid/scalars.hpp"
#include "initial/initial.hpp"
#include "nesting/balanced_part.hpp"
#include "nesting/coupling.hpp"
#include "nesting/feedback.hpp"
#include "nesting/interpolation.hpp"
#include "nesting/parent_rim.hpp"
#include "nesting/parent_window.hpp"
#include "nesting/place.hpp"

namespace squall {

/// How the two are to talk.
struct LinkRules {
    Interpolation interpolation = Interpolation::monotone;
    Smoothing smoothing = Smoothing::none;
    /// Whether a nest and its parent tell each other theta's departure from the base state, and each has its
    /// own base state in balance, so that air at rest over mountains is at rest between the parent's points,
    /// too. WRF takes theta, and of base states interpolations and means.
    bool base_apart = true;
    /// Whether the nest moves over the parent's ground: it gives the parent none of its own.
    bool moves = false;
    /// What balanced air is (balanced_part.hpp): dynamics.moist_theta and dynamics.hypsometric.
    bool moist_theta = true;
    int hypsometric = 2;
    /// The first of `comm`'s ranks that have the nest, which follow each other.
    int first_rank = 0;
};

/// What passes between a parent and its nest in a step of the parent: values of a column, and exchanges of
/// the parent's halo for smoothing.
struct LinkTraffic {
    int looked = 0, fed_back = 0;
    std::vector<HaloExchange> smoothing;
};

/// The levels of a parent and of its nest.
struct LevelPair {
    const VerticalGrid &parent, &nest;
};

class NestLink {
  public:
    /// `parent` and `nest`: this rank's patches, the nest's perhaps without cells; `scalars`: the parent's,
    /// of which the nest has the first `shared`, too; `parent_step`: the parent's time step [s]; `levels`: of
    /// the parent and of the nest. Collective over `comm`, the ranks of the parent.
    NestLink(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
             const ScalarSet &scalars, int shared, double parent_step, const LevelPair &levels,
             const LinkRules &rules = {});
    ~NestLink();

    /// The nest's state where it begins, from the parent's; halos of neither are read or set. `config`: the
    /// nest's. Collective.
    InitialState begin(const Config &config, const InitialState &parent);

    /// Looks at the ground and base state of the parent, after nests have changed it. Collective.
    void look_at_ground(const Grid &parent) { window_.fetch(parent, base_of_parent_); }

    /// What the parent's surface and radiation tell a nest that begins within a run. Collective.
    void tell_surface(const PhysicsState &parent, PhysicsState &nest);

    /// Gives the parent, whose settings are `config`, the terrain, base state and state of a nest that
    /// begins. Collective.
    void feed_back_beginning(const Config &config, const Grid &nest_grid, const State &nest,
                             const PhysicsState &nest_physics, InitialState &parent);

    /// After a step of the parent, of `step` [s], which ended at `seconds`: fetches its state for the rim.
    /// Collective.
    void look(const Grid &parent_grid, const State &parent, double seconds, double step);

    /// The source of the nest's rim; it must not outlive this object.
    std::unique_ptr<RimSource> rim();

    /// Gives the parent what the nest has made of its area. Halos are neither read nor set. Collective.
    void feed_back(const Grid &nest_grid, const State &nest, const PhysicsState &nest_physics,
                   const Grid &parent_grid, State &parent, PhysicsState &parent_physics);

    double waited() const { return window_.waited() + feedback_.waited(); } ///< for other ranks, so far [s]
    /// Of the last look() and, if any, feed_back(); of smoothing, of all feed_back() so far.
    LinkTraffic traffic() const { return {window_.values(), feedback_.values(), feedback_.exchanges()}; }

  private:
    class Rim;
    struct Coupled {
        Array3 *field;
        int levels;
        Coupling kind;
    };

    void take(ConstField3 from, Field3 to, int levels, Points kind);
    void take(const Array3 &from, Array3 &to, int levels, Points kind = Points::cells);
    void take(const Array2 &from, Array2 &to, Points kind = Points::cells);
    const Array3 &unbalanced(const Range &columns, const Grid &grid, const State &state, Array3 &kept);
    void add_balanced(const Range &columns, const Grid &grid, State &state, double times = 1);
    BaseRule base_rule(const BaseRule &parent) const;
    void tell_base(const Grid &parent);
    void begin_grid(const Grid &parent, Grid &nest);
    void begin_state(InitialState &nest);
    void couple_window(std::span<const Range> columns);
    double fill(double seconds, const GridView &grid, const State &state, RimFields &into);

    NestPlace place_;
    Patch parent_, nest_;
    ScalarSet scalars_;
    int shared_;
    BalancedPart balanced_part_;
    bool moist_theta_;
    BaseRule base_of_parent_;
    ParentWindow window_;
    Feedback feedback_;
    Interpolator interpolator_;
    bool base_apart_, moves_;
    bool balances_; ///< whether what is in balance on one domain's levels is made anew on the other's
    Array3 rest_of_parent_, rest_of_nest_; ///< what of geopotential is not in balance, where it is wanted
    ParentRim rim_;
    std::optional<std::vector<Range>> read_by_rim_; ///< columns of the window; known when it was first filled
    // Of the call that lasts: what is coupled, what is fed back.
    std::vector<Coupled> coupled_;
    std::vector<FedBack> fed_back_;
    double looked_at_ = 0, filled_at_ = 0; ///< ends of the parent's steps [s]
};

} // namespace squall
