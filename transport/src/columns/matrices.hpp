/// Mixing of columns as products with matrices, of several columns side by side.
///
/// In a step, air passes from layers to others, each with the mixing ratio of where it comes from: dm/dt = G
/// m for the tracer's masses m of a column's layers. Each column of G has the sum 0, since what one layer
/// loses others gain, and what is not on its diagonal is not negative. Backward in time (as TM5's matrices of
/// convection: Krol, M., and others, 2005: The two-way nested global chemistry-transport zoom model TM5.
/// Atmos. Chem. Phys. 5, 417-432), m' = A m with A = (1 - dt G)^-1: a matrix without negative elements, whose
/// columns have the sum 1, for any dt. If as much air leaves each layer as enters it, A keeps the air's own
/// masses, and so a mixing ratio that is the same everywhere.
#pragma once

#include <cstddef>

#include "globe/scratch.hpp"

namespace squall::transport {

/// So many columns side by side: a vector of the processors that have the longest.
inline constexpr int lanes = 8;
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));

/// Fields that a product takes at once, as many as its sums have registers for; a third of the moments of an
/// odd number of tracers is left over, so that it also takes `fewer`.
inline constexpr int fields_at_once = 6, fewer_fields = 3;

class MixingMatrices {
  public:
    explicit MixingMatrices(int nz);

    void clear(); ///< nothing passes
    /// A share of the air of layer `from`, which may be above 1, passes to layer `to` in the step.
    void pass(int lane, int from, int to, double share);
    /// From what passes to A. Afterwards clear() comes before the next pass().
    void invert();

    /// Layers below this one mix; the others are as they were.
    int depth() const { return depth_; }
    /// Of a layer's air, the share that never left it: what passes backward in time leaves 1 / (1 + shares).
    const Doubles &stayed(int k) const { return stayed_[static_cast<std::size_t>(k)]; }
    const Doubles &element(int to, int from) const { return a_[at(to, from)]; }

    /// out = A x for `count` fields, each of depth() values one after the other.
    void multiply(const Doubles *x, Doubles *out, int count) const;

  private:
    std::size_t at(int to, int from) const { return static_cast<std::size_t>(to * nz_ + from); }
    void eliminate();
    void solve_lower();
    void solve_upper();

    int nz_, depth_ = 0;
    Scratch<Doubles> b_, a_; ///< 1 - dt G, later its factors; its inverse
    Scratch<Doubles> pivot_, stayed_;
};

} // namespace squall::transport
