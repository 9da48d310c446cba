/// What streams of a globe have in common: dimensions, coordinates, how they are opened.
#pragma once

#include <string>

#include "runfile/settings.hpp"
#include "squall/io.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

/// Names of the dimensions.
inline constexpr auto lon_dimension = "lon", lat_dimension = "lat", level_dimension = "lev";

/// A declaration with the settings of its stream, the time axis, and no fields.
io::StreamSpec globe_spec(const StreamConfig &stream, const Settings &settings);

/// Adds the dimensions of the grid and CF's coordinates for those that are wanted; where there are rows and
/// no columns, one longitude for the means over all, with its bounds.
struct Axes {
    bool lon = true, lat = true;
};
void declare_grid(io::StreamSpec &spec, const Settings &settings, const GlobeGrid &globe, Axes axes);
/// Levels of a stream without surface pressure, which their formula would need, have none.
void forget_surface(io::StreamSpec &spec);
/// Puts the coordinates, on the rank of the first patch.
void put_grid(io::Stream &stream, const Settings &settings, const PatchOfGlobe &where, Axes axes);

/// The part of a field over the grid that a patch has, and its strides in a block or in values (j, k, i).
io::Box box_of(const Patch &patch, bool layers);
io::Strides strides_of(const Patch &patch, bool layers);

/// Opens it; of a run that goes on, behind the frames from before in the file that it writes first. Throws
/// ConfigError with the line of the run file.
io::Stream open_globe_stream(io::Session &session, const StreamConfig &stream, const Settings &settings,
                             const io::StreamSpec &spec);

} // namespace squall::transport
