/// Explicit mixing of momentum, potential temperature (the prognostic one: moist where the run has
/// that) and all scalars.
///
/// Two forms, both explicit and evaluated once per time step (they are held over its stages):
///
/// surfaces = coordinate (WRF diff_opt = 1): div(K grad q) along coordinate surfaces, plus
///   d/dz(K dq/dz) with constant K: the plain Laplacian of each variable, as the density current
///   of Straka et al. (1993) prescribes it.
/// surfaces = physical (WRF diff_opt = 2; Skamarock et al. 2019, NCAR/TN-556, section 4.2.2): the
///   divergence of rho K D_ij and of rho K grad(q) in physical space, rho with its vapour. With constant K
///   and density that is K (laplacian(u_i) + d(div u)/dx_i); the second term vanishes only for incompressible
///   flow.
///
/// The density current at 100 m hardly tells them apart: fronts at 15.51 and 15.53 km (15.54).
///
/// All mix scalars with K over the Prandtl number, in WRF always 1/3.
///
/// Schemes: `constant`, K given apart for both directions; `smagorinsky-2d`, horizontal K from horizontal
/// deformation, on physical surfaces without vertical mixing of u, v and scalars (left to a boundary-layer
/// scheme); `smagorinsky-3d`, on physical surfaces only; `tke`, which predicts subgrid kinetic energy, the
/// scalar of that name: its sources are added here, and it mixes with twice the K of momentum
/// (Deardorff 1980); the caller bounds it after each stage (bound_tke). Beside a scheme that mixes columns by
/// the state of their boundary layer, both mix horizontally only, as in WRF. On coordinate surfaces, as
/// there, `tke` has no sources and its energy mixes as any scalar: what there is of it is carried along, and
/// K is the least that the closure allows where there is none.
///
/// The wind normal to an edge of the domain that is not periodic gets nothing on the edge: it is
/// zero there by symmetry, or set by the boundary condition. As in WRF the outermost row of cells at
/// open and specified sides is not mixed, and has no K but a constant one.
///
/// damping.scheme = "diffusion" raises every K in a sponge below the top, that of an outermost row too.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/kernel_memory.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/closure.hpp"
#include "dynamics/diffusion/coordinate.hpp"
#include "dynamics/diffusion/deformation.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "dynamics/diffusion/scalar.hpp"
#include "dynamics/diffusion/sponge.hpp"
#include "dynamics/diffusion/stability.hpp"
#include "dynamics/diffusion/tke.hpp"
#include "dynamics/diffusion/viscosity.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/chain.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/tiles.hpp"
#include "settings/config.hpp"

namespace squall {

/// What mixing reads beside the state, on layers.
struct AirView {
    ConstField3 alt; ///< inverse density of dry air, al + alb [m3 kg-1]
    ConstField3 p;   ///< perturbation pressure [Pa]; for the stability of moist air, and for `tke`
    /// What feeds turbulence from below: null without a surface layer.
    ConstField2 friction_velocity{}; ///< [m s-1]
    ConstField2 sensible_heat{};     ///< upward [W m-2]
};

/// A chain of kernels (parallel/chain.hpp): all that a tile needs of its surroundings is computed again in
/// scratch memory of the thread, one or two cells around it, so that tiles need neither barriers nor
/// halo exchanges and results do not depend on how the domain is cut. Where kernels are launched, the tile
/// is the patch, and so is the scratch.
class Diffusion {
  public:
    /// Keeps views of `grid`. Allocates scratch for tiles of up to `largest_tile` cells, once per
    /// OpenMP thread (where chains are launched, once for the patch), and only what the scheme needs. Throws
    /// std::invalid_argument for an unknown scheme or surface, for smagorinsky-3d on coordinate surfaces, for
    /// tke without that scalar, and where base profiles are missing that must be subtracted.
    Diffusion(const Config &config, const ScalarSet &scalars, const Grid &grid, const Patch &patch, real dt,
              TileSize largest_tile);

    /// Whether there is anything to add.
    bool active() const { return scheme_ != Scheme::none; }

    /// Adds to t.u, t.v, t.w, t.theta and t.scalars on the cells of the chain's tile and their west and south
    /// faces. The state and `air` must be set in the halo: two cells of wind and geopotential, one of the
    /// rest. May run for different tiles at the same time, on threads of the pool that existed at
    /// construction.
    void add_tendencies(const Chain &chain, const State &s, const AirView &air, Tendencies &t);

    /// Rows of scratch that its kernels need, one point longer than those of tiles.
    static int scratch_rows(int nz) { return diffusion::mixing_rows(nz); }

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

  private:
    using Scheme = diffusion::Scheme;

    /// What the kernels of a tile tell each other; of one thread.
    struct Memory {
        Array3 rdzw, rdz, zx, zy;      // metrics
        Array3 xx, yy, zz, xy, xz, yz; // deformation, then stress, then coefficients of scalars
        Array3 momentum_h, momentum_v, scalar_h, scalar_v;
        Array3 rho, spare_1, spare_2;
        Array3 theta, temperature, n2;
    };
    /// Its views, in patch indices.
    struct Work {
        diffusion::Metrics metrics;
        diffusion::SymmetricTensor tensor;
        diffusion::Viscosity viscosity;
        Field3 rho, spare_1, spare_2;
        diffusion::Thermodynamics thermodynamics;
        Field3 n2;
        diffusion::ScalarMixing scalars;
        diffusion::SurfaceMixing surfaces;
    };
    /// Where a tile needs metrics and deformation, on cells and on faces and edges.
    struct Reach {
        Range metrics, cells, faces;
    };
    /// The cells and faces of a tile that are mixed.
    struct Mixed {
        Range cells, u_faces, v_faces;
    };

    void choose_scheme(const DiffusionConfig &config);
    void check_base_profiles(std::size_t nz) const;
    void allocate(Memory &memory, Shape tile) const;
    Work work_for(Range tile);
    Reach reach(Range tile) const;
    Mixed mixed(Range tile) const;
    /// The faces that go with `cells`: none of the normal wind at the domain's edge.
    Mixed within_walls(Range tile, Range cells) const;
    /// Whether K varies from cell to cell.
    bool has_fields_of_k() const { return scheme_ != Scheme::constant || sponge_.on(); }
    bool needs_stability() const { return diffusion::needs_stability(scheme_, physical_); }
    diffusion::MoistAir moist_air(const State &s, const AirView &air) const;
    diffusion::TkeSettings tke_settings(const AirView &air) const;
    diffusion::SurfaceProduction surface_production(const State &s, const AirView &air) const;
    diffusion::Closure closure(const State &s, const AirView &air, const Work &w) const;
    void add_on_coordinate_surfaces(const Chain &chain, const State &s, const AirView &air, const Work &w,
                                    Tendencies &t) const;
    void add_scalars_on_surfaces(const Chain &chain, Range cells, const State &s, const Work &w,
                                 Tendencies &t) const;
    void add_scalars_vertically(const Chain &chain, Range cells, const State &s, const AirView &air,
                                const Work &w, Tendencies &t) const;
    void add_in_physical_space(const Chain &chain, const State &s, const AirView &air, const Work &w,
                               Tendencies &t) const;
    void add_scalars_in_space(const Chain &chain, Range cells, const State &s, const Work &w,
                              Tendencies &t) const;

    DiffusionConfig config_;
    ScalarSet set_;
    KernelMemory tables_; ///< of vertical profiles
    GridView grid_;
    Scheme scheme_ = Scheme::none;
    bool physical_, moist_theta_, as_wrf_;
    bool upwards_;                    ///< on physical surfaces, vertically too
    bool closed_west_, closed_south_; ///< the patch's first faces are a domain edge, not periodic
    Range inner_;                     ///< the cells that are mixed (i and j), unbounded within the domain
    diffusion::Sponge sponge_;
    real dt_;
    TileSize largest_tile_;
    /// What vertical mixing leaves alone: the base state, or zero where full fields are mixed.
    KernelVector<real> u_base_, v_base_, theta_base_, vapour_base_, none_;
    std::vector<Memory> memory_;
};

} // namespace squall
