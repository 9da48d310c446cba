/// What a core takes for the work that is not simulated: computing, copying, serialising, compressing.
#pragma once

#include <map>
#include <string>

namespace squall::planner {

/// How fast a core compresses [B/s], and how many bytes become one.
struct CodecRate {
    double rate = 0, ratio = 1;
};

/// What a frame takes of an engine beside its bytes [s]. A part is a variable of the file, or, where
/// variables are files, one of these.
struct FrameCost {
    double frame = 0;    ///< whatever is in it: the file is made, synced and shown
    double part = 0;     ///< of one rank
    double together = 0; ///< where several ranks have points of it
};

/// Measured on one machine, beside its memory bandwidth, with which it is carried over to others.
struct Calibration {
    std::string source;             ///< where it was measured
    double bytes_per_cell_step = 0; ///< memory bandwidth of a core over its cell-steps per second [B]
    double core_bandwidth = 0;      ///< of memory, where it was measured [B/s]
    double copy = 0;                ///< that a core copies into the stage [B/s]
    double crossing = 0;            ///< that a rank gets from others of its node, points in parts [B/s]
    double letter = 0;              ///< that a letter takes of a server [s]
    double term = 0;                ///< that a term of a reproducible sum takes [s]
    std::map<std::string, double> engines;   ///< what a core serialises by each engine's library [B/s]
    std::map<std::string, FrameCost> frames; ///< by engine; those that are not there take nothing
    std::map<std::string, CodecRate> codecs; ///< by name, without level

    double engine(const std::string &name) const; ///< throws std::runtime_error
    FrameCost frame(const std::string &engine) const;
    CodecRate codec(const std::string &name) const; ///< throws std::runtime_error
};

/// Reads a calibration: JSON, as machines/calibration.json, or the table [calibration] of a machine file
/// (TOML). Throws std::runtime_error.
Calibration read_calibration(const std::string &file);

} // namespace squall::planner
