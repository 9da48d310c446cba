/// From a nest to its parent: averages over the parent's cells and faces.
///
/// A cell takes the mean of the ratio x ratio cells that fill it, a face that of the `ratio` faces that it is
/// made of (WRF's way: of the variables themselves, not of what they are coupled with). The row of the
/// parent's cells along the nest's sides, which specified the nest, stays as it is.
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {

/// One variable on its way up; both views in the indices of this rank's patches.
struct FedBack {
    ConstField3 nest;
    Field3 parent;
    int levels = 1;
    Stagger kind = Stagger::none;
};

class Feedback {
  public:
    /// `parent` and `nest`: this rank's patches; the nest's grain is the ratio. Collective over `comm`.
    Feedback(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest);

    /// Collective, with the same variables on all ranks. Halos are neither read nor set.
    void give(std::span<const FedBack> variables);

    double waited() const { return exchange_.waited(); } ///< for other ranks, so far [s]

  private:
    void average(const FedBack &variable, Array3 &into) const;
    Region limits(Stagger kind) const;

    NestPlace place_;
    Patch parent_;
    Region covered_; ///< cells of the parent that this rank's patch of the nest fills
    Shape shape_;    ///< of those
    RegionExchange exchange_;
    std::vector<Array3> averages_; ///< one for each variable, kept
};

} // namespace squall
