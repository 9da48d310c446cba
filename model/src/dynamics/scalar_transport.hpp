/// Transport of everything that the air carries: water, TKE, tracers.
///
/// Scalars move with the mass fluxes averaged over the acoustic substeps, which are those that changed
/// the column mass: so a constant stays constant to rounding (Skamarock et al. 2019, section 3.2.2,
/// Klemp et al. 2007). The fluxes are found once and shared by all scalars. In the last stage of a
/// step they are limited:
///
/// positive-definite (Skamarock 2006; Skamarock and Weisman 2009): where the higher-order part of the
///   fluxes would take more out of a cell than the upwind fluxes left in it, it is scaled down.
/// monotonic (Zalesak 1979; Wang et al. 2009): also what it may bring in, so that no value comes to lie
///   outside those of the cell and its six neighbours at the beginning of the step.
#pragma once

#include <vector>

#include "core/scratch.hpp"
#include "dynamics/active_rows.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/open_boundary.hpp"
#include "dynamics/side_fluxes.hpp"
#include "dynamics/substep_sum.hpp"
#include "grid/grid_view.hpp"
#include "parallel/halo.hpp"
#include "parallel/tiles.hpp"

namespace squall {

enum class Limiter { none, positive_definite, monotonic };

/// How fluxes are reconstructed on a patch.
struct TransportScheme {
    AxisStencils x, y;
    VerticalStencilView z;
    OpenSides open_sides;
};

/// A stage of a step: its length, whether it is the first, and the last, which is limited.
struct StageOfStep {
    real dt; ///< [s]
    bool first, last;
};

class ScalarTransport {
  public:
    /// For `count` scalars on a patch. Tiles and scratch are the caller's and stay where they are.
    ScalarTransport(const GridView &grid, Shape shape, int count, Limiter limiter, TransportScheme scheme,
                    const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch, Halo &halo);

    /// Rows of scratch that each thread needs.
    static int scratch_rows(int nz);

    /// Where the departure fluxes of a substep are added; `first`: of the stage.
    SubstepSum substep_sum(bool first);

    /// Ends the substeps of a stage: the average of what was added, and the reference's fluxes.
    void finish_substeps(int substeps, ConstField3 ru, ConstField3 rv);

    /// The averaged fluxes, as of finish_substeps: M u / m_y and M v / m_x on faces, Omega / m_y.
    ConstField3 ru() const { return ru_.view(); }
    ConstField3 rv() const { return rv_.view(); }
    ConstField3 omega() const { return omega_.view(); }

    /// Who hears of the fluxes of the first `waters` scalars in the last stage of each step.
    void tell(const SideLines &sides, int waters) { sides_ = &sides, waters_ = waters; }

    /// One stage of all scalars on the cells of `inner`: from their values `old` at the beginning of
    /// the step, with the fluxes of `stage` values (halos of both filled) and the held tendencies,
    /// d(M q / msfty)/dt. The result replaces `result`, which may be `stage`, on the whole patch; beyond
    /// `inner` it is that of `stage`. `mu_old`, `mu_new`: column mass departures before the step, and
    /// after the stage. `last`: the last stage, which is limited; `old` is then changed by what is held.
    /// Collective.
    void advance(std::vector<Array3> &old, const std::vector<Array3> &stage, std::vector<Array3> &result,
                 const std::vector<Array3> &held, ConstField2 mu_old, ConstField2 mu_new, Range inner,
                 StageOfStep part);

  private:
    struct Sides;
    struct Update;
    struct SlabFluxes;
    struct CellFluxes;
    void add_held(std::vector<Array3> &old, const std::vector<Array3> &held, ConstField2 mu_old, Range inner,
                  real dt);
    void find_scales(const Update &update, int n);
    template <class Left>
    void find_monotonic_scales(Range row, const Update &update, const CellFluxes &fluxes, Left left,
                               real *out, real *in) const;
    void apply(const Update &update, Field3 out);
    void tendency(Range slab, bool first, const Update &update, SlabFluxes &fluxes, Field3 tend) const;
    void update_slab(Range slab, const Update &update, ConstField3 tend, Field3 out) const;
    template <class Visit>
    void visit_slab(Range slab, bool first, const Update &update, SlabFluxes &fluxes, Visit visit) const;
    void find_fast_rows(ConstField2 mu, real dt);
    template <class Reconstruct, class Limit>
    void cross(const Update &update, const real *velocity, bool fast, Limit limit, const Sides &sides,
               Reconstruct reconstruct, real *low, real *excess) const;
    void x_fluxes(Range row, int k, int j, const Update &update, real *low, real *excess) const;
    void y_fluxes(Range row, int k, int face, const Update &update, real *low, real *excess) const;
    void z_fluxes(Range row, int face, int j, const Update &update, real *low, real *excess) const;
    Scratch scratch() const;

    GridView grid_;
    Limiter limiter_;
    TransportScheme scheme_;
    const std::vector<Range> &tiles_;
    std::vector<ScratchMemory> &scratch_;
    Halo &halo_;
    const SideLines *sides_ = nullptr;
    int waters_ = 0;

    std::vector<HaloField> exchanged_; ///< in the exchange that lasts
    Array3 ru_, rv_, omega_, spare_;
    Array2 mass_change_;
    std::vector<ActiveRows> rows_; ///< per scalar
    /// Whether a mass flux through the western, southern or lower faces of a row takes more than half a cell.
    struct FastRows {
        bool x, y, z;
    };
    const FastRows &fast(int k, int j) const {
        return fast_[static_cast<std::size_t>(j * (grid_.nz + 1) + k)];
    }
    std::vector<FastRows> fast_;   ///< in the last stage
    std::vector<Array3> out_, in_; ///< scales of outgoing and incoming excess fluxes, per scalar
};

} // namespace squall
