/// The acoustic substeps of one Runge-Kutta stage.
///
/// The departure of each coupled variable from the stage's reference state is integrated with the
/// terms that carry sound and fast gravity waves: horizontally forward-backward, vertically
/// implicit and off-centred, with divergence damping of p and a filter of the external mode
/// (Skamarock et al. 2019, section 3.1.2, eqs 3.7-3.17; Klemp, Skamarock and Dudhia 2007).
#pragma once

#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "dynamics/moisture.hpp"
#include "dynamics/patch_faces.hpp"
#include "dynamics/pressure_gradient.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Constants of a stage's substeps.
struct AcousticSettings {
    real dts;                ///< length of a substep [s]
    real divergence_damping; ///< smdiv
    real external_mode;      ///< emdiv
    real off_centring;       ///< epssm
    bool top_lid;
    real w_damping_depth, w_damping_coefficient; ///< implicit-w sponge [m], [s-1]; depth 0: none
};

/// What stays fixed during the substeps of a stage.
struct StageReference {
    ConstField3 u, v, w, theta, ph; ///< the stage's reference state
    ConstField2 mu;                 ///< its column-mass departure
    ConstField2 muu, muv;           ///< its full column mass on faces
    ConstField2 dmudt;              ///< column divergence of its mass fluxes (mass_flux.hpp)
    ConstField3 alt, php, p;        ///< its inverse density, mid-layer geopotential, pressure departure
    ConstField3 tend_u, tend_v, tend_w, tend_theta, tend_ph; ///< slow tendencies
    MoistureFactors moisture;                                ///< of its water
    ConstField2 tend_mu; ///< what column mass gets beside its divergence; without data: nothing
};

/// AcousticState as kernels hold it.
struct AcousticFields {
    Field3 u, v, w, theta, ph;
    Field2 mu;
    Field3 p, p_previous, al, stiffness, alpha, gamma;
    Field2 dmudt;
};

/// What the substeps advance: departures of the coupled variables from the reference.
struct AcousticState {
    Array3 u, v, w, theta, ph; ///< of mu u / m_y, mu v / m_x, mu w / m_y, mu theta, phi
    Array2 mu;
    Array3 p, p_previous, al; ///< pressure (with divergence damping), without, inverse density
    Array3 stiffness;         ///< cp/cv p / alpha per d_eta and mass: answer of p to thickness
    Array3 alpha, gamma;      ///< factors of the tridiagonal solver
    Array2 dmudt;             ///< last column-mass tendency, for the external-mode filter

    AcousticState() = default;
    explicit AcousticState(Shape s)
        : u(s), v(s), w(s), theta(s), ph(s), mu(s), p(s), p_previous(s), al(s), stiffness(s), alpha(s),
          gamma(s), dmudt(s) {}
    AcousticFields fields() {
        return {u.view(),     v.view(),     w.view(),          theta.view(), ph.view(),
                mu.view(),    p.view(),     p_previous.view(), al.view(),    stiffness.view(),
                alpha.view(), gamma.view(), dmudt.view()};
    }
};

/// The state at time t and its full column mass on faces.
struct PresentState {
    ConstField3 u, v, w, theta, ph;
    ConstField2 mu, muu, muv;
};

/// Departure of the present state from the reference, with its p and al, on `range`.
void prepare_departure(Range range, const GridView &g, const StageReference &ref, const PresentState &now,
                       const AcousticFields &a);

/// The same where the reference is the present state: no departure. p and al are left alone, since
/// the first substep has no pressure gradient then.
void clear_departure(Range range, const GridView &g, const StageReference &ref, const AcousticFields &a);

/// Factors of the implicit vertical solver on `range` (Skamarock et al. 2019, eqs 3.11-3.12).
void factor_vertical_solver(Range range, const GridView &g, const AcousticSettings &s,
                            const StageReference &ref, const AcousticFields &a);

/// p and al of the departure on `range`, p with divergence damping; part of advance_columns, for columns
/// that are advanced otherwise.
void update_pressure(Range range, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                     const AcousticFields &a, const Scratch &scratch);

/// One substep of the horizontal momentum on the faces of `cells` and, where `cells` ends at
/// faces.last_cells, the face beyond it. `at_rest`: there is no departure yet, and so no gradient.
void advance_momentum(Range cells, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                      const PatchFaces &faces, bool at_rest, const AcousticFields &a, const Scratch &scratch);

/// One substep of column mass, theta, w and geopotential in the columns of `range`, then p and al
/// unless it is the stage's last.
void advance_columns(Range range, const GridView &g, const AcousticSettings &s, const StageReference &ref,
                     bool last, const AcousticFields &a, const Scratch &scratch);

/// Scratch rows that the functions above need, for nz layers.
int acoustic_scratch_rows(int nz);

} // namespace squall
