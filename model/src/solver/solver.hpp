/// One step of a domain on one patch: the ARW equations (Skamarock et al. 2019,
/// NCAR/TN-556), integrated with the third-order Runge-Kutta scheme of Wicker and Skamarock (2002)
/// and acoustic substeps, and with them physics and the sides.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "boundary/lateral_boundary.hpp"
#include "core/kernel_memory.hpp"
#include "core/scratch.hpp"
#include "dynamics/account.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/damping.hpp"
#include "dynamics/diffusion/diffusion.hpp"
#include "dynamics/flow_view.hpp"
#include "dynamics/scalar_transport.hpp"
#include "dynamics/side_fluxes.hpp"
#include "dynamics/sixth_order.hpp"
#include "dynamics/slow_terms.hpp"
#include "dynamics/state_equation.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"
#include "initial/initial.hpp"
#include "parallel/chain.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/halo.hpp"
#include "parallel/launch.hpp"
#include "parallel/tiles.hpp"
#include "physics/boundary_layer.hpp"
#include "physics/convection.hpp"
#include "physics/fire/fire.hpp"
#include "physics/gravity_wave_drag.hpp"
#include "physics/microphysics.hpp"
#include "physics/radiation.hpp"
#include "physics/tracers/tracers.hpp"
#include "settings/config.hpp"
#include "solver/long_waves.hpp"
#include "solver/nudging.hpp"
#include "solver/sea_surface.hpp"
#include "solver/stage_kernels.hpp"

namespace squall {

/// Advances one patch. Collective over the ranks of the domain; threads work on tiles. The bits of
/// the state do not depend on ranks, threads or tiles.
class Solver {
  public:
    /// From an initial state, whose owned points must be set; w is replaced by what follows from the
    /// flow over the terrain (set_initial_w), unless initial.vertical_wind keeps it. `rim`: where
    /// specified sides get their values; a domain without them needs none.
    Solver(const Config &config, const Patch &patch, MPI_Comm comm, InitialState initial,
           std::unique_ptr<RimSource> rim = nullptr);
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;

    /// Says that the next step begins `seconds` after run.start, as each step with specified boundaries or
    /// with sources of tracers must know. Where reads_at(seconds), takes boundary values and throws
    /// std::runtime_error (perhaps on this rank alone) for values that no atmosphere has, or not of this
    /// state. Local.
    void set_time(double seconds);
    bool reads_at(double seconds) const {
        return (boundary_ && boundary_->changes_at(seconds)) || (sea_ && sea_->reads_at(seconds)) ||
               (nudging_ && nudging_->reads_at(seconds));
    }

    /// How long the steps that follow are [s]; until then as run.time_step says. Local.
    void set_time_step(double dt);

    /// Has radiation called in the next step, whenever it begins. Local.
    void call_radiation() {
        if (radiation_) radiation_->call_next();
    }

    /// When something new is to be read next [s since run.start]; infinity where nothing is.
    double next_change(double seconds) const;

    /// Before set_time() where reads_at(): fills the halos that the rim's source asks for. Collective.
    void prepare_rim();

    /// One time step.
    void step();

    /// The state after the last step, halos stale but after diagnose().
    const State &state() const { return initial_.state; }
    /// The same, for one who changes it on all ranks of the domain: what was diagnosed of it is forgotten.
    State &change_state() {
        diagnosed_ = false;
        return initial_.state;
    }
    const Grid &grid() const { return initial_.grid; }
    /// All of it, with ground and physics as they are now.
    const InitialState &present() const { return initial_; }

    /// What the state's scalars are, and what physics has left behind.
    const ScalarSet &scalars() const { return scalars_; }
    const PhysicsState &physics() const { return initial_.physics; }
    PhysicsState &physics() { return initial_.physics; }

    /// Sets pressure and inverse density of the present state and fills its halos, which the next step then
    /// need not. Collective.
    void diagnose();
    const Array3 &p() const { return p_; }   ///< perturbation pressure [Pa], as of diagnose()
    const Array3 &al() const { return al_; } ///< perturbation inverse density [m3 kg-1], likewise

    /// What this rank has of the domain now.
    Holdings holdings() const {
        const Content all = content({0, grid_.nx, 0, grid_.ny, 0, grid_.nz});
        return {all, all - content(sides_.inner())};
    }
    /// What some of the owned columns hold.
    Content content(const Range &columns) const { return content_of(columns, grid_, now_, scalars_.waters); }
    /// What has crossed the sides in the steps since it was last asked, on this rank.
    Crossing take_crossing() { return sides_.take(); }

    /// The tiles that cover the owned cells.
    const std::vector<Range> &tiles() const { return cell_tiles_; }

    /// For other ranks, so far [s].
    double waited() const {
        return halo_.waited() + (radiation_ ? radiation_->waited() : 0) + (fire_ ? fire_->waited() : 0);
    }
    /// What neighbours were asked for so far: of a patch of any shape a step asks for the same.
    const std::vector<HaloExchange> &exchanges() const { return halo_.exchanges(); }

  private:
    void stage(State &reference, State &result, int substeps, StageOfStep part);
    void prepare_stage(State &reference, bool first);
    void find_held_tendencies(const State &reference);
    AirView air_of_diffusion() const;
    void held_tendencies(const Chain &chain, const State &reference);
    void clear_held(const Chain &chain);
    void add_sixth_order(const Chain &chain, const State &reference);
    void add_held_physics(Range tile, const State &reference);
    HeldFields held_fields();
    ConstField3 heating() const;
    StageKernels kernels_of(const State &reference, State &result, int substeps, StageOfStep part);
    Substeps substeps_of(const State &reference, int count, StageOfStep part);
    void run_kernels(const StageKernels &stage);
    void launch_kernel(const StageKernels &stage, int kernel);
    void slow_tendencies(const StageKernels &stage);
    void acoustic_substeps(const StageKernels &stage, int kernel);
    void finish(const StageKernels &stage, int kernel);
    /// Kernels [begin, end), one row behind the other.
    void stage_row_by_row(const StageKernels &stage, int begin, int end);
    int end_of_wavefront(const StageKernels &stage, int begin) const;
    /// Whether kernels follow each other row by row: on processors, in tiles of whole rows, where a patch's
    /// arrays exceed the cache.
    bool in_wavefronts() const;
    /// Whether they need no exchange then: a patch without neighbours does row by row what that would do.
    bool fills_rows_itself() const;
    /// What a kernel changes of which others look beyond the patch.
    std::span<const HaloField> changed_by(const StageKernels &stage, int kernel) const;
    void exchange_after(const StageKernels &stage, int kernel);
    void advance_fluxes(int substeps);
    void advance_scalars(const State &reference, State &result, StageOfStep part);
    void run_column_physics();
    void find_surface_exchange(const State &reference);
    void add_surface_exchange(Range tile, const State &reference);
    void begin_surface();
    BoundaryLayer::Surroundings surroundings();
    void find_wind_rates();
    void add_wind_rates(Range tile);
    void find_convection(const State &reference);
    void find_gravity_wave_drag(const State &reference);
    void add_to_wind_rates(Range tile, ConstField3 u, ConstField3 v);
    void add_convection(Range tile, const State &reference);
    /// No origin in a run without.
    ConstField3 vapour_of(const State &state) const {
        return scalars_.vapour < 0 ? ConstField3{}
                                   : state.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    }
    void find_fire(const State &reference);
    void add_fire_heat(Range tile, const State &reference);
    void find_nudging(const State &reference);
    void find_boundary_layer_tops(Range tile, const State &reference);
    void add_nudging(Range tile, const State &reference);
    void add_spectral_nudging(Range tile, const State &reference);
    template <class U, class V, class Heat, class Moist>
    void add_drawn(Range tile, const State &reference, U u, V v, Heat heating, Moist moistening);
    void add_large_scale(Range tile, const State &reference);
    void find_radiation(const State &reference);
    void add_dry_heating(Range tile, const State &reference, const Array3 &of_dry_theta);
    void set_rim_scalars(State &result, real ahead);
    void end_rim_step();
    Range inner_cells(Range tile) const { return tile.within(inner_); }
    StageReference stage_reference(const State &reference, bool first);
    PressureDiagnosis pressure_of(const State &state);
    void diagnose_water(const State &state);
    void fill_state_halos(State &state);
    void fill_grid_halos();
    void set_up_fire(const Config &config, const Patch &patch, MPI_Comm comm);
    void set_up_nudging(const Config &config, const Patch &patch, MPI_Comm comm);
    void set_map_curvature(MPI_Comm comm);
    FlowView flow_view(const State &state) const;
    AcousticSettings acoustic_settings(real dts) const;
    MoistureFactors moisture_factors() const;
    ConstField3 vapour_for_pressure(const State &state) const;
    void set_up_slow_terms(const AdvectionStencils &stencils, const OpenSides &open_sides);
    void refuse_what_has_no_kernels(bool has_nests) const;
    void set_up_transport(TransportScheme scheme);
    template <class Kernel>
    void launch(const std::vector<Range> &tiles, const Kernel &kernel,
                const CodePlace &where = CodePlace::current()) {
        squall::launch(tiles, scratch_, kernel, where);
    }
    Range u_faces(Range cells) const { return faces_.u_of(cells); }
    Range v_faces(Range cells) const { return faces_.v_of(cells); }

    DynamicsConfig config_;
    DampingConfig damping_;
    real dt_;
    double seconds_ = 0; ///< from run.start to the beginning of the step
    int substeps_;
    bool curvature_, logarithmic_, rotating_;
    InitialState initial_; ///< the grid, and the state at time t
    const ScalarSet &scalars_;
    KernelMemory tables_; ///< of vertical profiles and stencils
    GridView grid_;
    Halo halo_;
    std::vector<HaloField> filled_; ///< by the fill_state_halos() that lasts

    State &now_, next_;
    bool diagnosed_ = false; ///< whether halos and pressure are those of now_, on all ranks
    Tendencies tend_;
    std::optional<Tendencies> held_; ///< diffusion, damping and boundary layer, evaluated once per step
    Array3 du_dt_, dv_dt_;           ///< by columns' physics, on cells; empty where none moves wind
    Array3 dtheta_dt_, dvapour_dt_;  ///< of the boundary layer, on cells; empty without
    Array3 dcloud_dt_, dice_dt_;     ///< likewise, of one that mixes them
    Array3 dice_number_dt_;          ///< likewise, of one that mixes numbers
    Array3 dqke_dt_;                 ///< likewise, of one that predicts its turbulence
    AcousticState acoustic_;
    std::array<HaloField, 2> slow_faces_;      ///< of slow tendencies
    std::array<HaloField, 5> departure_halos_; ///< mu, its tendency, p, geopotential, al
    Array3 p_, al_, alt_, php_, ru_, rv_, omega_;
    Array3 rw_, turning_;                        ///< see rotation.hpp; empty without curvature
    Array2 tan_u_, tan_v_;                       ///< likewise; empty on conformal maps
    Array3 water_, moist_u_, moist_v_, moist_w_; ///< see moisture.hpp; empty in dry air
    Array2 muu_, muv_, muu_now_, muv_now_, dmudt_;

    PatchFaces faces_;
    WholeVectors whole_vectors_;
    Range inner_;                   ///< the cells that equations advance, all but the specified ones
    std::optional<SlowTerms> slow_; ///< since the end of construction

    TileSize tile_size_;
    bool exceeds_cache_; ///< whether a stage's arrays do
    std::vector<Range> cell_tiles_, wide_tiles_, flux_tiles_;
    std::vector<Range> row_parts_;       ///< of the cells and one more around them, for wavefronts
    std::vector<Range> inner_tiles_;     ///< what cell_tiles_ have of inner_
    std::vector<ScratchMemory> scratch_; ///< one per thread
    std::optional<Diffusion> diffusion_;
    std::optional<SixthOrderFilter> sixth_order_;
    SideFluxes sides_;
    std::optional<ScalarTransport> transport_; ///< where there are scalars
    std::optional<Microphysics> microphysics_;
    std::optional<BoundaryLayer> boundary_layer_;
    std::optional<Radiation> radiation_;
    std::optional<Convection> convection_;
    std::optional<GravityWaveDrag> gravity_waves_;
    std::optional<Fire> fire_;
    Range heated_by_fire_;
    real fire_depth_ = 0;                     ///< in which its heat goes into the air [m]
    Array2 ground_pressure_;                  ///< [Pa], where a fire's fuel asks for it
    std::optional<Tracers> tracers_;          ///< where more happens to some than transport
    std::optional<LateralBoundary> boundary_; ///< where the sides are specified
    std::optional<Nudging> nudging_;          ///< where analyses draw the whole domain
    std::optional<LongWaves> long_waves_;     ///< of what they draw; null: of all of it
    /// Layers, from 1, in which the boundary layer ends: of cells, u faces, v faces; empty but for spectral
    /// nudging that spares it.
    std::array<Array2, 3> boundary_layer_tops_;
    std::optional<SeaSurface> sea_;        ///< where it changes, or has a skin of its own
    std::optional<RayleighBase> rayleigh_; ///< where that is the damping asked for
    std::optional<RayleighBase> cooling_;  ///< what Newtonian cooling draws to, where there is any
};

} // namespace squall
