/// What a run file says of a fire on the ground: [fire], and its ignitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace squall {

/// [fire]: the front as a level set on a grid finer than the atmosphere's.
struct FireConfig {
    bool on = false;                       ///< whether there is a table [fire]
    std::string nest;                      ///< on which domain it burns; empty: the outermost
    int refinement_x = 10;                 ///< cells of the fire's grid in one of the atmosphere's (WRF sr_x)
    int refinement_y = 0;                  ///< likewise (WRF sr_y); 0: refinement_x
    std::string fuel = "category";         ///< category | altitude | file
    int fuel_category = 1;                 ///< Anderson's 1 to 13; 14: nothing burns
    std::string terrain = "file";          ///< file | domain
    std::string moisture = "constant";     ///< constant | file | model
    double fuel_moisture = 0.08;           ///< mass of water per dry mass
    double moisture_interval = 600;        ///< of its model, from step to step [s] (WRF fmoist_dt)
    double wind_height = 6.096;            ///< above the ground, of the wind that drives the front [m]
    double roughness = 0;                  ///< of the ground under that wind [m]; 0: the surface layer's
    std::string wind_projection = "rate";  ///< rate | wind
    double slope_factor = 1;               ///< by which the rate that the slope adds is multiplied
    std::string upwinding = "weno5-front"; ///< see fire::Differences
    std::string reinitialisation = "weno5-front"; ///< likewise
    int reinitialisation_steps = 1;               ///< after each time step; 0: none
    int front_cells = 4;               ///< around the front in which WENO is used (WRF fire_lsm_band_ngp)
    double viscosity = 0.4;            ///< artificial, far from the front
    double front_viscosity = 0.4;      ///< near it
    int front_viscosity_cells = 2;     ///< how near
    double viscosity_transition = 0.5; ///< width of the transition, in front_viscosity_cells
    double edge_bias = 1;              ///< beyond the domain: 0 linear, 1 never below the edge
    double extinction_depth = 50;      ///< in which the heat goes into the air [m]
    double feedback = 1;               ///< factor of the heat that the air gets
    int boundary_guard = 8;            ///< cells from the sides at which the run ends; 0: never

    /// Whether anything of the ground is read from initial.file.
    bool reads_file() const { return terrain == "file" || fuel == "file" || moisture == "file"; }
    int ry() const { return refinement_y > 0 ? refinement_y : refinement_x; }
};

/// A position in the plane of a domain: metres from its western and southern side, or degrees.
struct GroundPoint {
    bool geographic = false;
    double x = 0, y = 0; ///< [m], or longitude and latitude
};

/// [ignition.<name>]: a line along which ground catches fire.
struct IgnitionConfig {
    std::string name;
    std::vector<std::string> start, end; ///< two coordinates; an empty end: the start
    GroundPoint first, last;             ///< what they say
    double start_time = 0, end_time = 0; ///< at its first and last point, after run.start [s]
    double radius = 0;                   ///< of the ground around it that is lit [m]
    double rate = 0.01;                  ///< at which fire spreads to that radius [m s-1]
    std::int64_t line = 0;               ///< where it is declared, for messages
};

} // namespace squall
