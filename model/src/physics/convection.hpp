/// Convection that the grid does not resolve, on a patch: what surrounds its schemes (WRF's cumulus_driver).
#pragma once

#include <memory>
#include <vector>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "physics/cumulus_scheme.hpp"
#include "settings/config.hpp"

namespace squall {

class Convection {
  public:
    static bool wanted(const PhysicsConfig &config) { return config.cumulus != "none"; }

    /// `scalars`: those of the State it will be given. Throws std::runtime_error: an unknown scheme.
    Convection(const Config &config, const ScalarSet &scalars, int nz);

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

    /// Whether a call is due in the step that begins so many seconds after run.start.
    bool due(double seconds) const;

    /// Begins every step, before a call: brings the mean of w up to date, whose memory is two intervals
    /// between calls. Where WRF's answer is asked for only in steps that are `due`, each with the weight of
    /// one step: its driver does not get there in others, so that the memory is longer by as many times as
    /// there are steps between calls. The same `columns` as `advance`.
    void follow(Range columns, bool due, const State &state, ConvectionState &convection) const;

    /// What a scheme that sees the forcing is told; null where there is none.
    struct Surroundings {
        ConstField3 p, al;         ///< perturbation pressure [Pa] and inverse density [m3 kg-1]
        ConstField3 omega;         ///< mass flux through interfaces, as the dynamics has it
        ConstField3 theta, vapour; ///< rates of State::theta and vapour by the boundary layer [s-1]
        ConstField3 radiative;     ///< of potential temperature [K s-1]
        ConstField2 land;          ///< 1 on land
    };

    /// Sets the convection of `physics` in `columns`, owned ones, from the state at the beginning of a step,
    /// of which the cells beside them are read if the scheme sees the forcing. k0 and k1 of `columns` are not
    /// looked at. OpenMP threads may work on disjoint columns at once.
    void advance(Range columns, const GridView &grid, const State &state, const Surroundings &around,
                 PhysicsState &physics);

    /// Ends the step: what fell is added up and handed to land, convection that has lasted is over.
    void finish(Range columns, PhysicsState &physics) const;

  private:
    struct Worker {
        std::unique_ptr<CumulusScheme> scheme;
        ColumnStorage storage;
        std::vector<real> spacing, heat_flux, vapour_flux;
    };
    struct Batch;
    /// What State::theta has more than dry theta, over theta and the mixing ratio of vapour.
    real vapours_part() const { return moist_theta_ ? constants::rv_over_rd : real(0); }
    void prepare(const Batch &batch, Worker &worker) const;
    void prepare_forcing(const Batch &batch, Worker &worker) const;
    void add_advection(const Batch &batch, int k, Worker &worker) const;
    void add_turbulence(const Batch &batch, int k, Worker &worker) const;
    ConvectiveColumns columns_of(const Batch &batch, Worker &worker) const;

    ScalarSet scalars_;
    int nz_;
    real dt_;
    double interval_; ///< from call to call [s]; 0: every step
    bool moist_theta_, as_wrf_, sees_forcing_;
    std::vector<Worker> workers_; ///< one per thread
};

} // namespace squall
