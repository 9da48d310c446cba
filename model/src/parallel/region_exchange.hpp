/// Moving the points of one domain that a rank owns to the ranks that need them, point to point: what
/// parents and nests tell each other.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include <mpi.h>

#include "core/array.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// A view whose indices are those of the domain, of storage whose first point is (i0, j0) there.
template <class T> View3<T> in_domain(View3<T> v, int i0, int j0) {
    return {v.origin - i0 - v.sj * j0, v.sk, v.sj};
}

/// One field on its way; both views are indexed as the domain is (in_domain).
struct MovedField {
    ConstField3 from; ///< on the rank that owns the points
    Field3 to;        ///< on the rank that wants them
    int levels = 1;
    Region limits; ///< points outside are sent, and left out on arrival
};

/// The points that each rank of a communicator owns, apart from each other, and those that it wants.
struct RegionLayout {
    std::function<Region(int)> owned, wanted;
};

/// Planned once, used every step: the messages between two fixed layouts of the same points. Each rank
/// keeps the ranks that it talks to and no list of all.
class RegionExchange {
  public:
    /// Collective over `comm`.
    RegionExchange(MPI_Comm comm, const RegionLayout &layout)
        : RegionExchange(comm, layout.owned, layout.wanted) {}
    /// `owned(r)` and `wanted(r)`: of rank r of `comm`, the former disjoint. Collective.
    RegionExchange(MPI_Comm comm, const std::function<Region(int)> &owned,
                   const std::function<Region(int)> &wanted);
    ~RegionExchange();
    RegionExchange(RegionExchange &&) noexcept;
    RegionExchange &operator=(RegionExchange &&) noexcept;

    /// Copies every wanted point of each field from its owner. Collective over the ranks that own or want
    /// something, which pass the same fields; one message for each pair of ranks. Buffers are kept.
    void move(std::span<const MovedField> fields);

    int messages() const;  ///< that this rank sends in a move
    int values() const;    ///< of a column that the last move sent: the levels of all its fields
    double waited() const; ///< for other ranks' messages, so far [s]

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
