/// Filling the halo of a patch: from neighbours, or from the lateral boundary condition.
///
/// Fields are treated alike whatever their stagger: owned points are 0..nx-1 and 0..ny-1, and
/// the faces u(nx), v(ny) are halo points of the neighbour's face 0. Only at a domain edge that
/// is not periodic is that last face owned by the edge patch (and left alone here).
///
/// Boundary conditions at an edge (b is the edge; d = 1, 2, 3 the distance):
///   symmetric: cell fields mirror (x(-d) = x(d-1)); the wind component normal to the edge is
///              zero on it and changes sign (u(-d) = -u(d), u(0) = 0); v, w, theta as cell fields.
///   open:      zero gradient from the outermost owned point.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// Which faces a field lives on, as far as boundary conditions need to know.
enum class Stagger { none, x, y };

/// One field whose halo is to be filled.
struct HaloField {
    real *origin;
    std::ptrdiff_t sk, sj;
    int nk;            ///< levels to exchange: 1, nz or nz + 1
    Stagger stagger = Stagger::none;
    /// Odd fields (normal wind and its fluxes) change sign in a symmetric mirror.
    static HaloField of(Array3 &a, int nk, Stagger s = Stagger::none);
    static HaloField of(Array2 &a, Stagger s = Stagger::none);
};

/// Exchanges with the neighbours of one patch. Buffers are allocated once per distinct size.
class Halo {
  public:
    Halo(MPI_Comm comm, Patch patch, Boundaries boundaries);
    ~Halo();

    /// Fills `width` (1..halo_width) halo points on all sides, corners included: west-east
    /// first, then south-north over the widened rows. Collective over neighbours; on return
    /// the halos are complete. Deterministic: bits do not depend on the decomposition.
    void fill(std::span<const HaloField> fields, int width);

    /// The same without corners, in two parts so that work can go on in between: halos are
    /// complete after finish(). The fields' owned points must not be written in between.
    void start(std::span<const HaloField> fields, int width);
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
