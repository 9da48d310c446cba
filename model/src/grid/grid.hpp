/// The geometry of one patch of a domain: vertical coordinate, metric terms, base state.
///
/// Vertical coordinate (Laprise 1992; Klemp 2011 for the hybrid form): dry hydrostatic
/// pressure is p_d = B(eta) (p_s - p_t) + (eta - B(eta)) (p_0 - p_t) + p_t, and the mass in a
/// layer per unit eta is c1 mu + c2 with mu = p_s - p_t. Pure sigma is c1 = 1, c2 = 0.
/// See Skamarock et al. (2019), NCAR/TN-556, section 2.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "grid/fire_grid.hpp"

namespace squall {

/// How one side of a domain is closed.
enum class Boundary { periodic, symmetric, open, specified };

struct Boundaries {
    Boundary west = Boundary::periodic, east = Boundary::periodic;
    Boundary south = Boundary::periodic, north = Boundary::periodic;
};

/// The vertical coordinate; level 0 is the surface. "h" profiles have nz values on layers
/// (half levels), "f" profiles nz + 1 values on interfaces (full levels).
struct VerticalGrid {
    int nz = 0;
    real p_top = 0;                       ///< dry pressure at the model top [Pa]
    std::vector<real> znw, znu;           ///< eta on interfaces (1 at the surface, 0 at the top), on layers
    std::vector<real> dnw, rdnw;          ///< znw[k+1] - znw[k] (negative) and its inverse, nz
    std::vector<real> dn, rdn;            ///< znu[k] - znu[k-1] and its inverse; entry 0 unused (0), nz
    std::vector<real> fnm, fnp;           ///< weights of layer k and k-1 at interface k; entry 0 unused, nz
    std::vector<real> c1h, c2h, c3h, c4h; ///< hybrid coefficients on layers
    std::vector<real> c1f, c2f, c3f, c4f; ///< hybrid coefficients on interfaces
    real cf1 = 0, cf2 = 0, cf3 = 0;       ///< extrapolation of layers 0, 1, 2 to the surface
    real cfn = 0, cfn1 = 0;               ///< extrapolation of layers nz-1, nz-2 to the top

    /// From eta on interfaces. Hybrid where etac > 0 (B(eta) of Klemp 2011 with transition
    /// etac, in (0, 1)), else pure sigma. Throws std::invalid_argument unless eta falls
    /// strictly from 1 to 0.
    static VerticalGrid make(const std::vector<double> &eta, double p_top, double etac);
};

/// Metric terms and base state on a patch, halo included. Constant in time.
struct Grid {
    Shape shape;
    real dx = 0, dy = 0, rdx = 0, rdy = 0; ///< spacing [m] and inverse
    VerticalGrid vertical;
    /// Map factors in x and y on mass (m), u and v points; 1 on an idealised plane.
    Array2 msftx, msfty, msfux, msfuy, msfvx, msfvy;
    Array2 f, e;       ///< Coriolis 2 Omega sin(lat), 2 Omega cos(lat), on mass points [s-1]
    Array2 sina, cosa; ///< rotation of the grid against north, on mass points
    Array2 lat, lon;   ///< degrees, on mass points (0 on an idealised plane)
    Array2 terrain;    ///< height of the surface [m]
    Array2 mub;        ///< base-state dry column mass, p_s - p_t of the base state [Pa]
    Array3 phb;        ///< base-state geopotential on interfaces [m2 s-2], nz + 1
    Array3 pb;         ///< base-state pressure on layers [Pa]
    Array3 alb;        ///< base-state inverse density on layers [m3 kg-1]
    Array3 theta_init; ///< base-state potential temperature minus 300 K on layers [K]
    /// phb[k+1] - phb[k] less what hydrostatic balance with alb asks for [m2 s-2]: zero for a base
    /// state built here, rounding for one read from a file (see dynamics/state_equation.hpp).
    Array3 phb_residual;
    /// Initial 1-D state that Rayleigh damping relaxes to, on layers (WRF's u_base, ...): winds
    /// [m s-1], theta minus 300 K, heights [m].
    std::vector<real> u_base, v_base, theta_base, z_base;
    std::vector<real> qv_base; ///< vapour that mixing takes as at rest, likewise [kg kg-1]
    FireGrid fire;             ///< where a fire can burn; empty in a domain without
};

} // namespace squall
