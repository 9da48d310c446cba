/// What a run file says of the equations: how they are solved, mixed and damped.
#pragma once

#include <string>

namespace squall {

/// [dynamics]
struct DynamicsConfig {
    int momentum_order_horizontal = 5, momentum_order_vertical = 3; ///< 2..6
    int scalar_order_horizontal = 5, scalar_order_vertical = 3;     ///< 2..6
    double divergence_damping = 0.1;                                ///< WRF smdiv
    double external_mode_filter = 0.01;                             ///< WRF emdiv
    double off_centring = 0.1;                                      ///< WRF epssm
    bool top_lid = false;          ///< rigid lid instead of constant-pressure top
    bool w_damping = false;        ///< damp w where the vertical Courant number exceeds 1
    std::string coriolis = "none"; ///< none | f-plane | file | file-departure
    double f = 0;                  ///< Coriolis parameter of the f-plane [s-1]
    /// WRF hypsometric_opt: 1 linear in eta, 2 logarithmic in pressure; default that of initial.file's PHB
    int hypsometric = 2;
    bool moist_theta = true; ///< moist runs integrate theta (1 + r_v/r_d q_v) (WRF use_theta_m)
    std::string limiter = "positive-definite"; ///< of scalars: none | positive-definite | monotonic
};

/// [diffusion]
struct DiffusionConfig {
    std::string scheme = "none";         ///< none | constant | smagorinsky-2d | smagorinsky-3d | tke
    std::string surfaces = "coordinate"; ///< coordinate (WRF diff_opt 1) | physical (diff_opt 2)
    double horizontal = 0, vertical = 0; ///< eddy viscosity [m2 s-1]; see check_diffusion
    double c_s = 0.25;                   ///< Smagorinsky coefficient
    double c_k = 0.15;                   ///< coefficient of the TKE scheme
    double prandtl = 1.0 / 3.0;          ///< turbulent Prandtl number: K of scalars = K of momentum / this
    bool mix_full_fields =
        false; ///< vertical mixing of full fields, not of the departure from the base state
    std::string sixth_order = "none"; ///< filter: none | plain (WRF diff_6th_opt 1) | monotonic (2)
    double sixth_order_factor = 0.12; ///< what a wave of two grid lengths loses in two time steps
};

/// [damping]
struct DampingConfig {
    std::string scheme = "none"; ///< none | rayleigh | implicit-w | diffusion
    double depth = 0;            ///< of the sponge below the top [m]
    double coefficient = 0;      ///< of rayleigh and implicit-w [s-1]
    double diffusion_number = 0; ///< of diffusion: K dt / l^2 at the top
};

} // namespace squall
