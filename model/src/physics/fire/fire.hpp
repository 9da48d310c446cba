/// A fire that spreads over the ground: one step of it.
///
/// SFIRE as WRF 4.7.1 has it: Mandel, J., J. D. Beezley and A. K. Kochanski (2011): Coupled
/// atmosphere-wildland fire modeling with WRF 3.3 and SFIRE 2011. Geosci. Model Dev. 4, 591-610; Clark, T.
/// L., J. Coen and D. Latham (2004): Description of a coupled atmosphere-fire model. Int. J. Wildland Fire
/// 13, 49-63.
#pragma once

#include <array>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_state.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/halo.hpp"
#include "physics/fire/fuel_moisture.hpp"
#include "physics/fire/ignition.hpp"
#include "physics/fire/level_set.hpp"
#include "settings/config.hpp"

namespace squall {

/// What a file says of the ground, on the fire's cells that a patch owns; arrays without points where it says
/// nothing.
struct FireInput {
    Array2 category, height, slope_x, slope_y, moisture;
};

/// What the air tells the fire.
struct FireAir {
    const State &state;      ///< its halos filled
    ConstField2 roughness;   ///< of the ground [m], owned cells; null: fire.roughness says it
    fire::NearGround ground; ///< of a run with a model of moisture
};

/// Its bits do not depend on ranks, threads and tiles.
class Fire {
  public:
    /// Makes the ground of `grid`, whose halos are filled, and a state without fire. Collective over `comm`,
    /// the ranks of the domain. Throws std::runtime_error: an ignition that is not in the domain, on all
    /// alike; fuel that is none, perhaps on this rank alone.
    Fire(const Config &config, const Patch &patch, MPI_Comm comm, FireInput input, Grid &grid,
         FireState &state);

    /// One step of `dt` from `seconds` after run.start. Collective. Throws std::runtime_error on all ranks
    /// alike once fire has come as near to the sides of the domain as fire.boundary_guard says.
    void advance(const GridView &air_grid, const FireGrid &grid, const FireAir &air, double seconds,
                 double dt, FireState &state);

    double waited() const {
        return air_halo_.waited() + fire_halo_.waited();
    } ///< for other ranks, so far [s]

  private:
    void set_ground(const Config &config, FireInput &input, Grid &grid);
    void set_category(const Config &config, const Array2 &input, FireGrid &grid) const;
    void begin_state(const FireInput &input, const FireGrid &grid, FireState &state) const;
    void find_moisture(const FireGrid &grid, const fire::NearGround &air, FireState &state);
    void find_spread(const FireGrid &grid, const FireState &state);
    void find_wind(const GridView &air_grid, const FireGrid &grid, const FireAir &air, FireState &state);
    void move_front(const FireGrid &grid, double seconds, double dt, FireState &state);
    void note_crossing(Range cells, double seconds, double dt, FireState &state);
    void refuse_near_sides() const;
    void draw_to_distance(const FireGrid &grid, FireState &state);
    void burn(const FireGrid &grid, double now, double dt, FireState &state);
    void average(const FireGrid &grid, FireState &state) const;
    void look_around(Array2 &psi);
    fire::SpreadFields fields(const FireGrid &grid, const FireState &state) const;

    const FireConfig config_;
    double delay_; ///< by which WRF's clock of the fire is ahead, in time steps
    Patch air_patch_, patch_;
    MPI_Comm comm_;
    Halo air_halo_, fire_halo_;
    std::vector<Range> air_tiles_, wide_air_tiles_, tiles_;
    std::vector<fire::Ignition> ignitions_;
    std::array<Array2, 6> spread_; ///< base, wind_factor, wind_power, slope_factor, chaparral, heat
    bool spread_known_ = false;
    Array2 change_, stage_, next_, sign_; ///< of the level set
    Array2 plane_, u_, v_, roughness_;    ///< on the atmosphere's cells
};

} // namespace squall
