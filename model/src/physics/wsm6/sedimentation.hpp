/// The fall of precipitation and ice in a batch of columns: forward semi-Lagrangian (Juang and Hong 2010,
/// MWR 138, 1778-1791).
#pragma once

#include "physics/moist_columns.hpp"

namespace squall::wsm6 {

/// Layers fall with the speed of what is in them, are compressed or stretched where speeds vary, and are
/// laid over the layers at rest, linear within each and without new extremes. What leaves a layer arrives
/// below or at the ground; nothing becomes negative; a step may be as long as it likes. As WRF, what stays in
/// the two uppermost layers is lost.
class Sedimentation {
  public:
    /// Works in scratch_rows(nz) rows of scratch.
    Sedimentation(int nz, const Scratch &scratch);
    static int scratch_rows(int nz) { return fields * (nz + 1); }

    /// Lets rain, snow, graupel where there is any, and ice of the columns fall for dt [s] and adds what
    /// reached the ground to their sums. Rain, and snow with graupel, fall with the mean of their speeds
    /// before and after.
    void fall(const MoistColumns &columns, real dt);

    /// The same of all but rain.
    void fall_frozen(const MoistColumns &columns, real dt);

    /// The same of columns whose rain is snow, and whose cloud is ice, where it freezes.
    void fall_by_temperature(const MoistColumns &columns, real dt);

  private:
    /// Species that fall together. Layers with at most `little` of them have a speed that costs nothing.
    /// `mean`: of the speeds before and after.
    struct Falling {
        ConstColumns q[2];
        real little;
        bool mean;
    };

    void fall_rain(const MoistColumns &c, real dt);
    void fall_solids(const MoistColumns &c, real dt);
    void fall_snow(const MoistColumns &c, real dt);
    void fall_snow_and_graupel(const MoistColumns &c, real dt);
    void fall_ice(const MoistColumns &c, real dt);

    void find_heights(const MoistColumns &c);
    int levels_of(const MoistColumns &c, ConstColumns q) const;
    template <class Speed>
    void find_arrival(const MoistColumns &c, int levels, real dt, const Falling &what, Speed speed);
    template <class Work> void for_row_of(const Falling &what, int n, int k, Work work) const;
    void move_faces(const MoistColumns &c, int levels, real dt);
    void move_face(const MoistColumns &c, int k, int levels, real dt);
    void lay(const MoistColumns &c, Columns q, int levels, real *ground);
    void lay_snow(const MoistColumns &c, Columns q, int levels);
    real lay_column(int i, int levels);
    void lose_top(int i);
    void load(const MoistColumns &c, ConstColumns q, int levels);
    void find_lines(int n, int levels);

    static constexpr int fields = 9;
    int nz_;
    Columns height_;  ///< of faces above the ground [m], (i, nz + 1)
    Columns arrival_; ///< where faces fall to [m], (i, nz + 1)
    Columns
        velocity_;  ///< of faces, downward [m s-1], (i, nz + 1); before it is found, how layers are stretched
    Columns speed_; ///< of layers [m s-1]
    Columns thinness_; ///< sqrt(rho0 / density)
    Columns content_;  ///< of layers [kg m-2]
    Columns depth_;    ///< of fallen layers [m], (i, nz + 1)
    Columns density_;  ///< in fallen layers [kg m-3], (i, nz + 1)
    Columns laid_;     ///< what comes to lie in layers at rest [kg m-2]
};

} // namespace squall::wsm6
