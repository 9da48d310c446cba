/// What a run file says of column schemes and of what the air carries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace squall {

/// [physics]: column schemes.
struct PhysicsConfig {
    std::string suite = "none";              ///< names the schemes that are not given; see config/suites.hpp
    std::string microphysics = "none";       ///< none | vapour, or a scheme of physics/schemes.cpp
    double condensation_nuclei = 1e8;        ///< of air of which no file tells them [kg-1] (WRF ccn_conc)
    std::string surface_layer = "none";      ///< none, or a scheme of physics/schemes.cpp
    std::string boundary_layer = "none";     ///< likewise
    std::string eddy_variance = "predicted"; ///< of water, by schemes with plumes: predicted | balanced
    bool plume_turbulence = false;           ///< plumes carry it
    std::string land = "none";               ///< none | noah | noah-mp | slab
    std::string sea_skin = "none";           ///< none | zeng-beljaars
    bool fractional_sea_ice =
        false;                    ///< a cell is partly under ice (WRF fractional_seaice), not wholly or not
    std::string cumulus = "none"; ///< none | the name of a scheme
    double cumulus_interval = 0;  ///< from call to call [s]; 0: every time step
    std::string gravity_wave_drag = "none"; ///< none | kim-arakawa
    std::string terrain_wind = "none";      ///< none | jimenez-dudhia | mass-ovens
    std::string ocean = "none";             ///< none | mixed-layer
    double ocean_layer_depth = 50;          ///< of its mixed layer at the start [m] (WRF oml_hml0)
    double ocean_lapse_rate = 0.14;         ///< below that [K m-1] (WRF oml_gamma)
    double ocean_relaxation_time = 0;       ///< to what it was at the start [s]; 0: never
    bool heat_fluxes = true;                ///< of heat and vapour, under a surface layer (WRF isfflx)
    bool newtonian_cooling = false;         ///< to the base profile, in place of radiation (WRF rad_nudge)
    double surface_temperature = 0;         ///< under surface or boundary layer [K]; 0: that of initial.file
    double land_wetness =
        0.3; ///< evaporation of land under the boundary layer "bulk" over that of open water
    std::string radiation = "none"; ///< none, or a scheme of physics/radiation/schemes.cpp
    double radiation_interval =
        0;                        ///< from call to call [s]; 0: a minute for each km of domain.dx, at most 30
    bool cloud_radiation = true;  ///< clouds act on radiation (WRF icloud)
    bool longwave_ice = true;     ///< its longwave sees crystals of cloud too
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
    double smoke = 0;                ///< what the fire gives off, per mass of fuel that burns
    bool convective_mixing = false;  ///< by updraughts that the grid does not resolve
    std::int64_t line = 0;           ///< where the tracer is declared, for messages
};

} // namespace squall
