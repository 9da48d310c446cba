/// What a run file says of nests, and which domain of a run is which.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace squall {

/// Where a nest that moves by a plan begins from a time on.
struct NestMove {
    double seconds = 0;                         ///< since run.start
    int i_parent_start = 0, j_parent_start = 0; ///< as in NestConfig
};

/// [nest.<name>]: numbers and schemes of its own, as their namesakes in [physics], [diffusion], [damping] and
/// [dynamics]; empty or negative: the parent's.
struct NestPhysics {
    static constexpr double parents = -1;
    std::string boundary_layer;
    std::string diffusion, diffusion_surfaces; ///< as DiffusionConfig's scheme and surfaces
    bool mix_full_fields = false;              ///< or the parent does
    double radiation_interval = parents, cumulus_interval = parents; ///< [s]
    double c_s = parents, c_k = parents;
    double horizontal_viscosity = parents, vertical_viscosity = parents; ///< [m2 s-1]
    std::string sixth_order;
    double sixth_order_factor = parents;
    double damping_depth = parents;       ///< [m]
    double damping_coefficient = parents; ///< [s-1]
    double damping_diffusion_number = parents;
    double off_centring = parents;
};

/// [nest.<name>]: a domain inside another.
struct NestConfig {
    std::string name;
    std::string parent;                         ///< name of a nest; empty: the outermost domain
    int i_parent_start = 0, j_parent_start = 0; ///< the parent's cell in its south-western corner, from 1
    double center_latitude = 0,
           center_longitude = 0; ///< [degrees]: what the corner is derived from, if given
    int nx = 0, ny = 0;          ///< cells, multiples of parent_grid_ratio
    int parent_grid_ratio = 3;
    int parent_time_step_ratio = 0;         ///< 0: parent_grid_ratio
    std::string interpolation = "monotone"; ///< from the parent: monotone | bilinear | nearest
    bool feedback = true;                   ///< whether the parent takes its averages
    std::string smoothing = "none";         ///< of those: none | 1-2-1 | smooth-desmooth
    double start = 0, end = 0;              ///< of its life [s] since run.start; end 0: that of the run
    std::string cumulus;                    ///< as PhysicsConfig's; empty: the parent's
    std::string gravity_wave_drag;          ///< likewise
    NestPhysics physics;                    ///< what else of it differs from the parent's
    int nz = 0;                             ///< layers; 0: the parent's
    std::vector<double> eta;                ///< its interfaces; empty: the parent's layers, divided
    std::string initial_file;               ///< a wrfinput file of its own; empty: the parent, interpolated
    std::string lower_file;                 ///< as BoundaryConfig's; empty: the sea stays as it begins
    std::string aerosol_file;               ///< as PhysicsConfig's; empty: the parent's aerosol
    int blend_rows = 5; ///< cells beside the rim's rows in which own ground passes into the parent's
    std::vector<std::string> moves; ///< each a time and cells of the parent, eastward and northward
    std::vector<std::string> track; ///< each a time and where the nest's middle is then
    std::string follow = "none";    ///< none | vortex | updraught
    double follow_interval = 900;   ///< between looks for it [s]
    double follow_start = 0;        ///< the first look, after run.start [s]
    double follow_speed = 40;       ///< faster than this no storm is [m s-1]
    double follow_level = 50000;    ///< of a vortex [Pa]; 0: the sea's
    int follow_margin = 8;          ///< cells of the parent that stay between the nest and each side
    std::vector<NestMove> plan;     ///< what moves and track say, from the nest's beginning on
    std::int64_t line = 0;          ///< where the nest is declared, for messages

    bool follows() const { return follow != "none"; }
    bool moves_itself() const { return follows() || !plan.empty(); }

    int time_step_ratio() const {
        return parent_time_step_ratio > 0 ? parent_time_step_ratio : parent_grid_ratio;
    }
};

/// Which domain of a run this is; nothing of the run file.
struct DomainIdentity {
    int id = 1, parent_id = 0;                  ///< as WRF numbers domains: the outermost is 1
    int i_parent_start = 1, j_parent_start = 1; ///< as in NestConfig
    int parent_grid_ratio = 1;
    bool moves = false;         ///< over the ground: by itself, or with a domain around it
    bool follows = false;       ///< a storm, which it looks for
    bool sea_changes = false;   ///< a domain around it has a BoundaryConfig::lower_file
    std::string name;           ///< of the nest; empty: the outermost domain
    std::string outermost_file; ///< the initial.file of the outermost domain, which says where on Earth it is
    std::array<double, 2> centre{}; ///< of a nest: latitude and longitude [degrees]
};

} // namespace squall
