/// The rim of a nest, drawn to its parent's state.
#pragma once

#include <vector>

#include "boundary/rim_source.hpp"
#include "nesting/coupling.hpp"
#include "nesting/interpolation.hpp"
#include "nesting/parent_window.hpp"

namespace squall {

class ParentRim {
  public:
    /// `nest`: this rank's patch; `parent_step`: the parent's time step [s]; `base_apart`: as in LinkRules.
    ParentRim(const NestPlace &place, const Patch &nest, Interpolation rule, double parent_step,
              bool base_apart);

    /// Of the step that the rates are over [s].
    void set_parent_step(double step) { parent_step_ = step; }

    /// The columns of the window that fill() reads, in its local indices and apart from each other.
    std::vector<Range> columns(const ParentWindow &window, const RimFields &into) const;

    /// Sets the rim's values to the nest's of now, and rates that bring them to the parent's in a step of
    /// the parent. `window` has the parent's coupled values, of theta's departures from the base state where
    /// that is apart; the nest's first scalars are the window's. Threads share the work.
    void fill(const ParentWindow &window, const GridView &nest_grid, const State &nest, RimFields &into);

  private:
    struct Variable {
        ConstField3 parent, nest;
        Coupling kind;
        RimField *into;
        ConstField3 base{}; ///< where departures from it are compared
    };
    /// Working storage of a thread.
    struct Worker {
        Interpolator interpolator;
        std::vector<real> there;                    ///< the parent's coupled values on a side
        std::vector<real> mass_there, mass, metric; ///< one level
    };

    void fill_side(const ParentWindow &window, const GridView &grid, ConstField2 mu, const Variable &v,
                   Side side, Worker &worker) const;
    Range touched(const RimField &field, Side side) const;

    NestPlace place_;
    Patch patch_;
    double parent_step_;
    bool base_apart_;
    std::vector<Variable> variables_; ///< of the fill() that lasts
    std::vector<Worker> workers_;     ///< one per thread
};

} // namespace squall
