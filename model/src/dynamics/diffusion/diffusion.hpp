/// Explicit mixing of momentum and potential temperature.
///
/// Two forms, both explicit and evaluated once per time step (they are held over its stages):
///
/// surfaces = coordinate (WRF diff_opt = 1): div(K grad q) along coordinate surfaces, plus
///   d/dz(K dq/dz) with constant K: the plain Laplacian of each variable, as the density current
///   of Straka et al. (1993) prescribes it.
/// surfaces = physical (WRF diff_opt = 2; Skamarock et al. 2019, NCAR/TN-556, section 4.2.2): the
///   divergence of rho K D_ij and of rho K grad(theta) in physical space. With constant K and
///   density that is K (laplacian(u_i) + d(div u)/dx_i); the second term vanishes only for
///   incompressible flow.
///
/// The density current at 100 m hardly tells them apart: fronts at 15.51 and 15.53 km (15.54).
///
/// Schemes: `constant`, K given apart for both directions, the same for momentum and theta (WRF
/// has K_theta = 3 K here too); `smagorinsky-2d`, horizontal K from horizontal deformation, on
/// physical surfaces without vertical mixing of u, v, theta (left to a boundary-layer scheme);
/// `smagorinsky-3d`, on physical surfaces only.
///
/// The wind normal to an edge of the domain that is not periodic gets nothing on the edge: it is
/// zero there by symmetry, or set by the boundary condition.
#pragma once

#include <vector>

#include "config/config.hpp"
#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "dynamics/grid_view.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/tiles.hpp"

namespace squall {

/// Works tile by tile: all that a tile needs of its surroundings is computed again in scratch
/// memory of the thread, one or two cells around it, so that tiles need neither barriers nor
/// halo exchanges and results do not depend on how the domain is cut.
class Diffusion {
  public:
    /// Keeps views of `grid`. Allocates scratch for tiles of up to `largest_tile` cells, once per
    /// OpenMP thread, and only what the scheme needs. Throws std::invalid_argument for an unknown
    /// scheme or surface, for smagorinsky-3d on coordinate surfaces, and where base profiles are
    /// missing that must be subtracted.
    Diffusion(const DiffusionConfig &config, const Grid &grid, const Patch &patch, real dt,
              TileSize largest_tile);

    /// Whether there is anything to add.
    bool active() const { return scheme_ != Scheme::none; }

    /// Adds to t.u, t.v, t.w and t.theta on the cells of `tile` and their west and south faces.
    /// The state and `alt`, the inverse density al + alb on layers [m3 kg-1], must be set in the
    /// halo: two cells of the state, one of alt. May run for different tiles at the same time,
    /// on threads of the pool that existed at construction.
    void add_tendencies(Range tile, const State &s, ConstField3 alt, Tendencies &t);

  private:
    enum class Scheme { none, constant, smagorinsky_2d, smagorinsky_3d };

    /// Scratch memory of one thread.
    struct Scratch {
        Array3 rdzw, rdz, zx, zy;      // metrics
        Array3 xx, yy, zz, xy, xz, yz; // deformation, then stress, then scalar fluxes
        Array3 momentum_h, momentum_v, scalar_h, scalar_v;
        Array3 rho, interfaces_1, interfaces_2;
    };
    /// Its views, in patch indices.
    struct Work {
        diffusion::Metrics metrics;
        diffusion::SymmetricTensor tensor;
        diffusion::Viscosity viscosity;
        Field3 rho, interfaces_1, interfaces_2;
    };

    void allocate(Scratch &scratch, Shape tile) const;
    Work work_for(Range tile);
    void compute_viscosity(Range around, const State &s, const Work &w) const;
    void add_on_coordinate_surfaces(Range tile, const State &s, ConstField3 alt, const Work &w,
                                    Tendencies &t) const;
    void add_in_physical_space(Range tile, const State &s, ConstField3 alt, const Work &w,
                               Tendencies &t) const;
    Range u_faces(Range tile) const;
    Range v_faces(Range tile) const;

    DiffusionConfig config_;
    GridView grid_;
    Scheme scheme_;
    bool physical_;
    bool closed_west_, closed_south_; ///< the patch's first faces are a domain edge, not periodic
    real dt_;
    TileSize largest_tile_;
    /// What vertical mixing leaves alone: the base state, or zero where full fields are mixed.
    std::vector<real> u_base_, v_base_, theta_base_;
    std::vector<Scratch> scratch_;
};

} // namespace squall
