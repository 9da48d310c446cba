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
#include "dynamics/scalar_stage.hpp"
#include "dynamics/substep_sum.hpp"
#include "grid/grid_view.hpp"
#include "parallel/halo.hpp"
#include "parallel/tiles.hpp"

namespace squall {

enum class Limiter { none, positive_definite, monotonic };

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
    static int scratch_rows(int nz) { return ScalarStage::scratch_rows(nz); }

    /// Where the departure fluxes of a substep are added; `first`: of the stage.
    SubstepSum substep_sum();

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
    template <class Kernel> void on_tiles(const Kernel &kernel);
    void add_held(std::vector<Array3> &old);
    void find_scales();
    ExcessScales scales(std::size_t scalar) const;

    GridView grid_;
    Limiter limiter_;
    TransportScheme scheme_;
    const std::vector<Range> &tiles_;
    std::vector<ScratchMemory> &scratch_;
    Halo &halo_;
    const SideLines *sides_ = nullptr;
    int waters_ = 0;

    std::vector<ScalarStage> stages_;  ///< per scalar, of the stage that lasts
    std::vector<HaloField> exchanged_; ///< in the exchange that lasts
    Array3 ru_, rv_, omega_, spare_;
    Array2 mass_change_;
    std::vector<ActiveRows> rows_; ///< per scalar
    std::vector<Range> face_rows_; ///< of find_fast_rows()
    KernelVector<FastRows> fast_;  ///< in the last stage
    std::vector<Array3> out_, in_; ///< scales of outgoing and incoming excess fluxes, per scalar
};

} // namespace squall
