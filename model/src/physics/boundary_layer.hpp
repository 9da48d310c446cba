/// Surface layer, land and boundary layer of a patch: what surrounds their schemes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/ground.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "grid/surface_state.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/ocean_layer.hpp"
#include "physics/sea_ice.hpp"
#include "physics/surface_layer_scheme.hpp"
#include "physics/wind_farm/wind_farm.hpp"
#include "settings/calendar.hpp"
#include "settings/config.hpp"

namespace squall {

/// Rates of change over a time step, all at the middle of cells, to be set.
struct BoundaryLayerRates {
    Field3 u, v;       ///< wind [m s-2]
    Field3 theta;      ///< State::theta, moist where that is [K s-1]
    Field3 vapour;     ///< [kg kg-1 s-1]; not touched in a run without vapour
    Field3 cloud, ice; ///< likewise, of schemes that mix_condensate(); null where the run has none
    Field3 qke;        ///< [m2 s-3] of schemes that predict it; null else
    Field3 ice_number; ///< [kg-1 s-1] of schemes with plumes; null else, and where the run has none
};

class BoundaryLayer {
  public:
    /// Whether a run has fluxes from the surface or mixing above it.
    static bool wanted(const PhysicsConfig &config) { return config.boundary_layer != "none"; }
    /// Whether the boundary layer mixes cloud water and ice too.
    static bool mixes_condensate(const PhysicsConfig &config);

    /// Whether it mixes numbers of ice crystals, where the run has them.
    static bool mixes_numbers(const PhysicsConfig &config);

    /// `scalars`: those of the State it will be given. Throws std::runtime_error if a scheme is
    /// unknown.
    BoundaryLayer(const Config &config, const ScalarSet &scalars, int nz);

    /// Whether fluxes come through a surface layer, which the state of the surface then knows.
    bool on_surface_layer() const { return on_surface_layer_; }

    /// What lies below the columns, and what radiation does in them [K s-1], null without radiation, as is
    /// the cosine of the sun's zenith angle. `latitude`: degrees north; `seconds`: from run.start to the
    /// beginning of the step.
    struct Surroundings {
        const Ground &ground;
        SurfaceState &surface;
        ConstField3 radiative_heating;
        ConstField2 latitude{}, sun{};
        double seconds = 0;
    };

    /// Sets the rates of `columns`, owned ones, from the state at the beginning of a step, and advances the
    /// surface by the step. `p` and `al`: perturbation pressure [Pa] and inverse density [m3 kg-1] of that
    /// state; of u and v the faces around the columns are read. k0 and k1 of `columns` are not looked at.
    /// OpenMP threads may work on disjoint columns at once.
    void rates(Range columns, const GridView &grid, const State &state, ConstField3 p, ConstField3 al,
               Surroundings around, BoundaryLayerRates rates);

    /// Has the surface layer look at the first state of a run, so that what it diagnoses is there from the
    /// start.
    void begin(Range columns, const GridView &grid, const State &state, ConstField3 p, ConstField3 al,
               Surroundings around);

    /// Lets turbines stand in the columns.
    void set_wind_farm(WindFarm farm) { farm_ = std::move(farm); }

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

  private:
    /// What one thread works with.
    struct Worker {
        std::unique_ptr<SurfaceLayerScheme> surface_layer; ///< null: none
        std::unique_ptr<LandScheme> land;                  ///< null: none
        std::unique_ptr<BoundaryLayerScheme> scheme;
        SeaIce sea_ice;
        ColumnStorage storage, rows;
    };
    struct Batch;

    template <class F>
    void for_each_batch(Range columns, const GridView &grid, const State &state, ConstField3 p,
                        ConstField3 al, Surroundings around, BoundaryLayerRates rates, F f);
    TurbulentColumns turbulent_columns(const Batch &batch, Worker &worker) const;
    static EddyColumns eddy_columns(const Batch &batch);
    LandWaterColumns land_water_columns(const Batch &batch) const;
    CanopyColumns canopy_columns(const Batch &batch) const;
    static OceanColumns ocean_columns(const Batch &batch);
    static SublayerColumns sublayer_columns(const Batch &batch);
    static IceColumns ice_columns(const Batch &batch);
    SurfaceColumns surface_columns(const Batch &batch, Worker &worker) const;
    void prepare(const Batch &batch, Worker &worker) const;
    void prepare_surface(const Batch &batch, Worker &worker) const;
    static void take_precipitation(const Batch &batch);
    void exchange(const Batch &batch, Worker &worker, const SurfaceColumns &surface) const;
    void advance_surface(const Batch &batch, Worker &worker, const SurfaceColumns &surface) const;
    void finish(const Batch &batch, Worker &worker) const;

    int vapour_, cloud_, ice_, qke_; ///< index among the scalars; -1: none
    int snow_, ice_number_;          ///< likewise
    int waters_;                     ///< the first so many of them weigh
    bool on_surface_layer_, mixes_condensate_;
    bool has_skin_; ///< the sea
    std::optional<OceanLayer> ocean_;
    std::optional<WindFarm> farm_;
    int nz_;
    real dt_;
    bool moist_theta_, as_wrf_;
    bool balanced_variance_, plume_turbulence_;
    bool radiates_, heat_fluxes_;
    std::optional<CalendarTime> start_; ///< of the run, where land knows the seasons
    LandOptions land_options_;
    std::vector<Worker> workers_; ///< one per thread
};

} // namespace squall
