/// Filling the halo of a patch: from neighbours, or from the lateral boundary condition.
///
/// Fields are treated alike wherever their points lie: owned points are 0..nx-1 and 0..ny-1, and
/// the faces u(nx), v(ny) are halo points of the neighbour's face 0. Only at a domain edge that
/// is not periodic is that last face owned by the edge patch (and left alone here).
///
/// Boundary conditions at an edge (b is the edge; d = 1, 2, 3 the distance):
///   symmetric: cell fields mirror (x(-d) = x(d-1)); the wind component normal to the edge is
///              zero on it and changes sign (u(-d) = -u(d), u(0) = 0); v, w, theta as cell fields.
///              A metric of the same faces keeps its sign and its values on the edge.
///              On the high side of a patch with n cells the edge is face n.
///   open, specified: zero gradient from the outermost owned point (face n of the normal wind on a high
///              side, which is left as it is).
/// Beyond face n of such an edge the normal wind gets `width` halo faces, n+1..n+width; all else
/// gets -width..-1 and n..n+width-1. A domain narrower than the halo (2-D: one row) is wrapped or
/// mirrored as often as needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "core/axis.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// One field whose halo is to be filled. Strides as in View3. Of fields on faces, the normal wind and its
/// fluxes change sign in a symmetric mirror across them, metrics do not (HaloField::metric).
struct HaloField {
    real *origin;
    std::ptrdiff_t sk, sj;
    int nk; ///< levels to exchange: 1, nz or nz + 1
    Points points = Points::cells;
    bool mirrors_odd = true;  ///< on faces: a wind's component, not a metric
    bool beyond_edges = true; ///< also where the domain ends, as its boundary conditions say
    static HaloField of(Array3 &a, int nk, Points s = Points::cells);
    static HaloField of(Array2 &a, Points s = Points::cells);
    /// A metric of the grid, like a map factor: a symmetric mirror keeps its sign.
    HaloField metric() const {
        HaloField field = *this;
        field.mirrors_odd = false;
        return field;
    }
    /// From neighbours only: what lies beyond an edge that is not periodic stays as it is.
    HaloField inside() const {
        HaloField field = *this;
        field.beyond_edges = false;
        return field;
    }
};

/// A kind of exchange that a Halo was asked for: what the messages of any patch are follows from it.
struct HaloExchange {
    struct Part {
        int nk;
        Points points;
        friend bool operator==(const Part &, const Part &) = default;
    };
    std::vector<Part> fields;
    int width = 1;
    bool corners = false;   ///< of fill(): west-east first, then south-north over the widened rows
    std::int64_t times = 0; ///< so far
};

/// Bytes of the message that a patch sends in such an exchange to the west, east, south and north; 0: none.
std::array<std::int64_t, 4> message_bytes(const Patch &patch, const HaloExchange &exchange);

/// Exchanges with the neighbours of one patch: one message per neighbour for all fields, in
/// buffers that are kept. Messages travel on a communicator of their own. Call from one thread,
/// outside parallel regions; large copies are shared among threads. A patch without neighbours
/// other than itself needs no MPI at all. Throws std::invalid_argument for a width outside
/// 1..halo_width, std::logic_error where start and finish do not alternate.
class Halo {
  public:
    /// Collective over `comm`, whose rank r computes make_patch(r, ...).
    Halo(MPI_Comm comm, Patch patch, Boundaries boundaries);
    ~Halo();
    Halo(Halo &&) noexcept;
    Halo &operator=(Halo &&) noexcept;

    /// Fills `width` halo points on all sides, corners included: west-east first, then
    /// south-north over the widened rows. On return the halos are complete. Collective over
    /// neighbours, which pass the same fields. Deterministic: bits do not depend on the
    /// decomposition. Not between start and finish.
    void fill(std::span<const HaloField> fields, int width);

    /// The same without corners, in two parts so that work can go on in between: halos are
    /// complete after finish(). The fields' owned points must not be written in between.
    void start(std::span<const HaloField> fields, int width);
    void finish();

    /// Whether there is nobody to exchange with, nor rows of its own beyond the northern and southern sides.
    bool is_alone() const;
    /// What start() and finish() do of width 1 in a patch that is alone, for one row: fills its ends and,
    /// beside an outermost row, the one beyond. By one thread, for different rows at the same time.
    void fill_around_row(std::span<const HaloField> fields, int j) const;
    /// Counts an exchange without making it: fill_around_row() stands for it.
    void count(std::span<const HaloField> fields, int width);

    double waited() const; ///< for neighbours' messages, so far [s]
    /// What was asked for so far, in the order in which each kind came first.
    const std::vector<HaloExchange> &exchanges() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
