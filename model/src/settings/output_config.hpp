/// What a run file says of streams of output and of who writes them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "squall/io_declare.hpp"

namespace squall {

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
    std::string reduce;                           ///< who makes it: ranks | servers; empty: ranks
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

} // namespace squall
