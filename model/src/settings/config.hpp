/// What a run file says, after checking: plain data in SI units.
///
/// Every member is a key of the run file (the comment gives its table); docs/reference lists
/// them. A default written here is the default of the key.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "grid/grid.hpp"
#include "settings/small_files.hpp"
#include "squall/io.hpp"

namespace squall {

/// [run]
struct RunConfig {
    std::string name;                          ///< default: the run file's name without extension
    std::string directory;                     ///< where everything is written; default runs/<name>
    std::string start = "2000-01-01T00:00:00"; ///< calendar time of step 0 (ISO 8601, UTC)
    double duration = 0;                       ///< [s], from start (also after a restart)
    double time_step = 0;                      ///< [s]; the first, of a run that adapts it
    bool adaptive_time_step = false;           ///< by the Courant numbers
    double target_courant_horizontal = 0.84, target_courant_vertical = 1.2;
    double max_step_increase = 0.05;    ///< from one step to the next, of its length
    double min_time_step = 0;           ///< [s]; 0: a third of time_step
    double max_time_step = 0;           ///< [s]; 0: 8 s per km of dx, where sound permits
    int acoustic_substeps = 4;          ///< even, >= 2
    std::string compatibility = "none"; ///< none | wrf: WRF's forms where Squall's differ on purpose
    std::string restart_from;           ///< restart frame to continue from; empty: cold start
    bool as_wrf() const { return compatibility == "wrf"; }
};

/// [domain] (a tree: nests become children, `parent` then names the enclosing domain)
struct DomainConfig {
    int nx = 0, ny = 0, nz = 0; ///< cells
    double dx = 0, dy = 0;      ///< [m]; dy defaults to dx
    Boundaries boundaries;      ///< boundary_west/east/south/north
};

/// [vertical]; only for built-in cases (a wrfinput file brings its own levels)
struct VerticalConfig {
    std::string coordinate = "sigma"; ///< sigma | hybrid
    double etac = 0.2;                ///< where hybrid levels become pressure levels
    double top = 0;                   ///< height of the model top [m]
    double stretch = 1;               ///< thickness of a layer over that of the one below, >= 1
    std::vector<double> eta;          ///< explicit interfaces instead of top-and-stretch spacing
};

/// [dynamics]
struct DynamicsConfig {
    int momentum_order_horizontal = 5, momentum_order_vertical = 3; ///< 2..6
    int scalar_order_horizontal = 5, scalar_order_vertical = 3;     ///< 2..6
    double divergence_damping = 0.1;                                ///< WRF smdiv
    double external_mode_filter = 0.01;                             ///< WRF emdiv
    double off_centring = 0.1;                                      ///< WRF epssm
    bool top_lid = false;          ///< rigid lid instead of constant-pressure top
    bool w_damping = false;        ///< damp w where the vertical Courant number exceeds 1
    std::string coriolis = "none"; ///< none | f-plane | file
    double f = 0;                  ///< Coriolis parameter of the f-plane [s-1]
    /// WRF hypsometric_opt: 1 linear in eta, 2 logarithmic in pressure; default that of initial.file's PHB
    int hypsometric = 2;
    bool moist_theta = true; ///< moist runs integrate theta (1 + r_v/r_d q_v) (WRF use_theta_m)
    std::string limiter = "positive-definite"; ///< of scalars: none | positive-definite | monotonic
};

/// [physics]: column schemes.
struct PhysicsConfig {
    std::string suite = "none";             ///< names the schemes that are not given; see config/suites.hpp
    std::string microphysics = "none";      ///< none | vapour | condensation | kessler | wsm6 | thompson
    std::string surface_layer = "none";     ///< none | revised-mm5
    std::string boundary_layer = "none";    ///< none | bulk | ysu
    std::string land = "none";              ///< none | noah | slab
    std::string sea_skin = "none";          ///< none | zeng-beljaars
    std::string cumulus = "none";           ///< none | kain-fritsch | tiedtke
    double cumulus_interval = 0;            ///< from call to call [s]; 0: every time step
    std::string gravity_wave_drag = "none"; ///< none | kim-arakawa
    double surface_temperature = 0;         ///< under surface or boundary layer [K]; 0: that of initial.file
    double land_wetness =
        0.3; ///< evaporation of land under the boundary layer "bulk" over that of open water
    std::string radiation = "none"; ///< none | broadband | rrtmgp | rrtmgp-fine
    double radiation_interval =
        0;                        ///< from call to call [s]; 0: a minute for each km of domain.dx, at most 30
    bool slope_radiation = false; ///< the sun's beam on ground as it is inclined (WRF slope_rad)
    bool topographic_shading = false;     ///< and in the shadow of other ground (WRF topo_shading)
    double shadow_length = 25e3;          ///< how far that is [m] (WRF shadlen)
    static constexpr double of_type = -9; ///< stands for what aerosol_type has
    double aerosol_optical_depth = 0;     ///< at 550 nm (WRF aer_aod550_val)
    std::string aerosol_file;             ///< with that of each cell instead (AOD5502D); empty: none
    std::string aerosol_type = "rural";   ///< rural | urban | maritime
    double aerosol_angstrom_exponent = of_type, aerosol_single_scattering_albedo = of_type,
           aerosol_asymmetry = of_type;
    bool has_aerosol() const { return aerosol_optical_depth > 0 || !aerosol_file.empty(); }
    std::string radiation_tables{}; ///< their folder; empty: that of squall fetch radiation
    double insolation = 0;          ///< of a sun that stands still [W m-2]; 0: the sun of time and place
    double zenith_angle = 0;        ///< of that sun [degrees]
    std::string ozone = "season";   ///< season | rcemip
    bool sun_stands() const { return insolation > 0; }
};

/// Where a source is: metres from the western and the southern side of the domain, or degrees of
/// latitude and longitude; and metres above the ground.
struct SourcePoint {
    bool geographic = false;
    double first = 0, second = 0; ///< x and y, or latitude and longitude
    double height = 0;
};

/// [tracer.<name>]: something that the air carries and that nothing else depends on.
struct TracerConfig {
    std::string name;                ///< as in files
    double initial = 0;              ///< everywhere [kg per kg of dry air]
    bool from_file = false;          ///< initial.file is asked first: `initial` is not given
    std::vector<std::string> source; ///< two coordinates and a height; empty: none
    SourcePoint point;               ///< what `source` says
    double rate = 0;                 ///< of the source [kg s-1]
    double start = 0, end = 0;       ///< of the source, after run.start [s]; end 0: the run's
    double half_life = 0;            ///< [s]; 0: no decay
    bool convective_mixing = false;  ///< by updraughts that the grid does not resolve
    std::int64_t line = 0;           ///< where the tracer is declared, for messages
};

/// [boundary]: what happens at the sides of a domain with specified boundaries.
struct BoundaryConfig {
    std::string file;        ///< a wrfbdy_d01 file
    int specified_rows = 1;  ///< rows that follow the file (WRF's spec_zone)
    int relaxation_rows = 4; ///< rows inside them that are drawn to it (WRF's relax_zone)
    std::string lower_file;  ///< a wrflowinp_d01 file: temperature and ice of the sea over time
};

/// [nudging]: analyses that the whole domain is drawn to.
struct NudgingConfig {
    std::string file;                                        ///< a wrffdda_d01 file; empty: none
    double wind = 3e-4, temperature = 3e-4, moisture = 3e-4; ///< of the departure [s-1]
    bool wind_in_boundary_layer = true, temperature_in_boundary_layer = true,
         moisture_in_boundary_layer = true;
    double end = 0;  ///< after run.start [s]; 0: with the run
    double ramp = 0; ///< in which the coefficients fall to nothing, from then on [s]
};

/// [digital_filter]: how a run is initialised.
struct DigitalFilterConfig {
    std::string scheme = "none";   ///< none | launch | diabatic | twice
    std::string weights = "dolph"; ///< dolph | lanczos
    double span = 3600;            ///< of the integration that is filtered [s]
    /// Whether the run is integrated backward first, and begins at run.start.
    bool backward() const { return scheme == "diabatic" || scheme == "twice"; }
    double cutoff = 3600; ///< period of the shortest waves that stay [s]
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
    std::string scheme = "none"; ///< none | rayleigh | implicit-w
    double depth = 0;            ///< of the sponge below the top [m]
    double coefficient = 0;      ///< [s-1] for both
};

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

/// [initial]: exactly one of `case` and `file`. Parameters of a case are keys of [initial].
struct InitialConfig {
    std::string case_name;              ///< see initial/cases
    std::string file;                   ///< a wrfinput_d01 file
    std::string sounding;               ///< in WRF's input_sounding format, of cases that take one
    std::string surface;                ///< a table of what the surface does over time, of columns
    std::string geostrophic;            ///< a table of the geostrophic wind by height (and time), of columns
    std::string vertical_wind = "flow"; ///< over the terrain, or that of the file
    std::map<std::string, double> parameters; ///< of the case, SI units, all present (defaults filled in)
};

/// [output.<stream>]
struct StreamConfig {
    std::string name;              ///< history, restart, or any: another history
    double interval = 0;           ///< [s]; 0: none
    std::string path;              ///< template below run.directory; "%Y-%m-%d_%H:%M:%S" of the frame's time
    std::string engine = "netcdf"; ///< see io
    std::string
        placement;     ///< see io; empty: servers where there are, else thread where MPI permits, else inline
    std::string codec; ///< see io; empty: the engine's default
    std::map<std::string, std::string> options; ///< of the engine
    int frames_per_file = 1;
    double staging_limit = 512e6; ///< [bytes], on each rank and server
    std::string when_full = "wait";
    std::string spill_dir, burst_dir; ///< empty: none
    std::string on_error = "abort";
    std::vector<std::string> fields; ///< empty: all of the stream's
    std::string constants;   ///< fields that never change: every-frame | once; empty: see constants_once()
    std::vector<int> levels; ///< layers: first, last and perhaps stride; empty: all
    std::vector<int> region; ///< cells: first and last in x, then in y; empty: all
    std::vector<double> lonlatbox; ///< the same by degrees: west, east, south, north; empty: all
    int stride = 1;                ///< in x and y
    std::map<std::string, io::Precision> precision; ///< of fields that are not kept to the last bit
    std::string stations;                         ///< file of places at which fields are sampled; empty: none
    std::string trajectories;                     ///< file of places that move; empty: none
    std::string interpolation = "linear";         ///< at stations: linear | nearest | land
    std::string places_outside = "refuse";        ///< of the domain; or leave-out
    std::vector<double> pressure_levels;          ///< [Pa]; of these four kinds at most one
    std::vector<double> height_levels;            ///< above the sea [m]
    std::vector<double> ground_levels;            ///< above the ground [m]
    std::vector<double> theta_levels;             ///< potential temperature [K]
    std::string outside_levels = "missing";       ///< of the air: missing | nearest | extrapolate
    std::map<std::string, std::string> over_time; ///< methods for fields, by name
    double sample = 0;                            ///< [s] between samples for these; 0: the time step
    std::string average;            ///< zonal | meridional | domain | column | volume; empty: none
    int coarsen = 1;                ///< how many cells in x and y become one
    std::string statistic = "mean"; ///< of these: mean | sum | min | max | variance | standard_deviation
    std::map<std::string, std::string> quantiles; ///< made instead of it, by field: see quantiles_in()
    std::string weight = "none";                  ///< of these: none | area | mass
    std::string mask = "none";                    ///< which cells count in these: none (all) | land | sea
    std::string reduce;                           ///< who makes it: ranks | servers | gather; empty: ranks
    std::int64_t line = 0;                        ///< where the stream is declared, for messages

    /// Whether fields that never change are stored once a file: where that saves something, unless said.
    bool constants_once() const {
        return leaves_grid() || (constants.empty() ? frames_per_file > 1 : constants == "once");
    }
    /// Whether something is made of the fields, other than leaving out points.
    bool makes() const { return leaves_grid() || on_levels() || averages_layers() || !over_time.empty(); }
    bool at_places() const { return !stations.empty() || !trajectories.empty(); }
    /// Whether that has other rows and columns, or none; then nothing that never changes is written.
    bool leaves_grid() const {
        return at_places() || (!average.empty() && average != "column") || coarsen > 1;
    }
    /// Whether of its fields on layers nothing but an average over these is left.
    bool averages_layers() const { return average == "column" || average == "volume"; }
    /// Whether it is of one part of the ground, or of several times: a domain that moves has no such stream.
    bool needs_ground() const { return leaves_grid() || !over_time.empty() || !lonlatbox.empty(); }
    /// Whether an average leaves out cells of the domain.
    bool averages_a_part() const { return !average.empty() && (!lonlatbox.empty() || !region.empty()); }
    bool on_levels() const {
        return !pressure_levels.empty() || !height_levels.empty() || !ground_levels.empty() ||
               !theta_levels.empty();
    }
};

/// [output]: who writes, for all streams.
struct OutputConfig {
    int servers = 0, servers_per_node = 0; ///< ranks set aside to write
    int groups = 1;
    std::string assignment = "consecutive";
    double watchdog = 60, timeout = 0; ///< [s]; timeout 0: never
};

/// [prepare]: what `squall prepare` makes initial.file and boundary.file from; the model does not look
/// at it, but its keys are checked with the others. The defaults are those of the Python package.
struct PrepareConfig {
    std::vector<std::string> analysis;   ///< files, with wildcards
    std::string member;                  ///< of an ensemble; empty: there is one
    std::string terrain;                 ///< a file of heights
    int terrain_smoothing = 1;           ///< passes
    std::string geography;               ///< a folder of geogrid's data sets
    std::string sea_surface_temperature; ///< a file of monthly means, for analyses without
    std::string projection;              ///< empty: by the latitude of the middle
    double center_latitude = 0, center_longitude = 0, standard_longitude = 0; ///< [degrees]
    double true_latitude_1 = 0, true_latitude_2 = 0;                          ///< [degrees]
    double top = 5000;                                                        ///< [Pa]
    double lowest_layer = 50;                                                 ///< [m]
    double stretch = 1.2;
    std::vector<double> eta;
    double etac = 0.2;
    bool use_surface = true;
    bool remove_divergence = true;
};

/// [parallel]
struct ParallelConfig {
    int ranks_x = 0, ranks_y = 0; ///< 0: chosen
    int threads = 0;              ///< 0: OMP_NUM_THREADS or 1 per rank's share of cores
    int tile_x = 0, tile_y = 0;   ///< cells per tile; 0: sized for the L2 cache
};

struct Config {
    std::string file; ///< the run file
    std::string text; ///< what is in it, without overrides
    SmallFiles files; ///< that it names
    RunConfig run;
    DomainConfig domain;
    VerticalConfig vertical;
    DynamicsConfig dynamics;
    PhysicsConfig physics;
    BoundaryConfig boundary;
    NudgingConfig nudging;
    DigitalFilterConfig digital_filter;
    DiffusionConfig diffusion;
    DampingConfig damping;
    InitialConfig initial;
    std::vector<TracerConfig> tracers;
    std::vector<NestConfig> nests; ///< of the whole run, parents before their nests
    DomainIdentity identity;
    OutputConfig output;
    std::vector<StreamConfig> streams;
    std::vector<StreamConfig> nest_streams; ///< those of nests that a table of their own tells, history_d02
    ParallelConfig parallel;
    PrepareConfig prepare;
};

/// The file that says where on Earth a domain lies, of `config.initial.file`; empty: it lies on a plane.
inline const std::string &projection_file(const Config &config) {
    return config.identity.id == 1 ? config.initial.file : config.identity.outermost_file;
}

/// A run file that cannot be used; what() is one complete message with file, line, the
/// offending text and what would work.
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace squall
