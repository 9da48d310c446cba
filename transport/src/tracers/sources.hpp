/// What a run file says of a tracer's sources and sinks.
#pragma once

#include <string>
#include <vector>

namespace squall::transport {

/// [tracer.<name>.release.<name>]: mass that comes into the air at a point, along a line or over an area.
struct ReleaseSettings {
    std::string name;
    double mass = 0;                         ///< [kg], all of it
    std::vector<double> longitude, latitude; ///< [degrees]: of a point, or of the corners of a line
    std::vector<double> region;              ///< west, east, south, north [degrees]: of an area
    double bottom = 0, top = 0;              ///< [m] above the sea; of a height alone: where top = bottom
    std::vector<double> profile;    ///< weights of parts of equal thickness, from the bottom; empty: 1
    double start = 0, duration = 0; ///< [s], since the start
};

/// Of one tracer; what is 0 or empty does nothing.
struct SourceSettings {
    double lifetime = 0;                              ///< e-folding time of decay [s]
    double emission = 0;                              ///< at the ground [kg m-2 s-1]
    double emission_south = -90, emission_north = 90; ///< between these latitudes [degrees]
    std::string emission_surface = "all";             ///< all | land | unfrozen-land | sea
    std::string emission_file, emission_variable;     ///< a map of emissions, and its variable
    double deposition_velocity = 0;                   ///< [m s-1], out of the lowest layer
    double deposition_velocity_land = -1, deposition_velocity_sea = -1; ///< -1: as the one of both
    double washout = 0, rainout = 0; ///< [s-1], at 1 mm of rain in an hour, below clouds and in them
    double washout_exponent = 1;     ///< of the rain, both
    double particle_diameter = 0;    ///< [m]: particles sink
    double particle_density = 1000;  ///< [kg m-3]
    std::string linoz;               ///< a file of linearised ozone chemistry
    bool clock = false;              ///< the tracer is the time [s] since its air was in the lowest layer
    double eruption_mass = 0;        ///< [kg]; these are a release of their own
    double eruption_longitude = 0, eruption_latitude = 0; ///< [degrees]
    double eruption_bottom = 0, eruption_top = 0;         ///< heights between which it is spread evenly [m]
    double eruption_start = 0, eruption_duration = 0;     ///< [s], since the start
    std::vector<ReleaseSettings> releases;

    /// Whether anything brings mass.
    bool any_source() const {
        return emission > 0 || !emission_file.empty() || eruption_mass > 0 || !releases.empty() || clock ||
               !linoz.empty();
    }
    bool any_rain() const { return washout > 0 || rainout > 0; }
};

} // namespace squall::transport
