/// The slow tendencies of a Runge-Kutta stage (Skamarock et al. 2019, NCAR/TN-556, eqs 2.29-2.35): those of
/// u, v, w, theta and geopotential that stay fixed while the acoustic substeps run.
#pragma once

#include <optional>

#include "core/scratch.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/flow_view.hpp"
#include "dynamics/geopotential.hpp"
#include "dynamics/moisture.hpp"
#include "dynamics/open_boundary.hpp"
#include "dynamics/patch_faces.hpp"
#include "dynamics/pressure_gradient.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/specified_outflow.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// How fluxes are reconstructed along the axes: momentum's (m) and scalars' (s), on cells and on the winds'
/// own points.
struct AdvectionStencils {
    AxisStencils x_cells_m, y_cells_m, x_cells_s, y_cells_s, x_u, y_v;
    VerticalStencilView layers_m, layers_s, interfaces;
    ConstProfile rd_interfaces;                    ///< 1 / d_eta around interfaces, half a layer at the top
    DerivativeSegments x_derivative, y_derivative; ///< of geopotential
};

/// What the tendencies are found from beside the flow.
struct SlowTermFields {
    ConstField3 p, al, alt, php;
    MoistureFactors moisture;
    ConstField3 rw, turning;  ///< see rotation.hpp; without data on a plane
    ConstField2 tan_u, tan_v; ///< likewise; without data on conformal maps
};

/// Tendencies that are held for a whole step; those without data are none.
struct HeldFields {
    ConstField3 u, v, w, theta, ph;
};

/// The slow terms of a patch, as kernels hold them.
struct SlowTerms {
    GridView grid;
    PatchFaces faces;
    AdvectionStencils stencils;
    OpenSides open_sides;
    std::optional<OutflowFaces> outflow; ///< where sides are specified
    SlowTermFields fields;
    TendencyFields tend;
    std::optional<BaseWind> base_wind; ///< that rotation does not turn
    bool top_lid, rotating, curvature, damps_w;

    /// Sets all tendencies in the cells of a tile and on their faces. `dt`: of the whole step [s].
    void find(Range tile, const FlowView &flow, ConstField3 theta, real dt, const Scratch &scratch) const;
    /// The same of one line of cells after another, from south to north, with the same scratch; `lowest`: the
    /// first of them.
    void find_line(Range line, bool lowest, const FlowView &flow, ConstField3 theta, real dt,
                   const Scratch &scratch) const;

    /// Adds to what find() set in the same tile.
    void add_held(Range tile, const HeldFields &held) const;
    /// Adds the heating of the last microphysics [K s-1], so that the dynamics of the step meets it from the
    /// start; `mu`: the stage's departure of column mass.
    void add_heating(Range tile, ConstField2 mu, ConstField3 heating) const;

    /// Rows of scratch that find() needs.
    static int scratch_rows(int nz) { return pressure_gradient_rows + 4 * 2 * (nz + 1); }

  private:
    // Of one line of cells; `lowest`: the first of its tile.
    void find_u(Range line, bool lowest, const FlowView &flow, const Scratch &scratch) const;
    void find_v(Range line, bool lowest, const FlowView &flow, const Scratch &scratch) const;
    void find_w(Range line, bool lowest, const FlowView &flow, real dt, const Scratch &scratch) const;
    void find_theta(Range line, bool lowest, const FlowView &flow, ConstField3 theta,
                    const Scratch &scratch) const;
    void find_ph(Range line, const FlowView &flow) const;
    PressureFields pressure(const FlowView &flow) const;
};

} // namespace squall
