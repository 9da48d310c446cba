/// Coordinates that CF wants of what a stream makes: of an average, over what of an axis it is; of levels on
/// a plane that is no map, where cells lie.
#pragma once

#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// The name of the axis over which a stream's averages are, or "": they are over areas.
std::string averaged_axis(const StreamConfig &stream);

/// Adds these coordinates to a declaration that is complete but for them.
void declare_axes(io::StreamSpec &spec, const StreamConfig &stream);

/// Where the cells of a grid that is `factor` times coarser are: means of the latitudes and longitudes in
/// each.
void declare_coarse_coordinates(io::StreamSpec &spec, const DomainConfig &domain, int factor);

/// Of levels on a map with fields on faces, which have axes of their own with the same standard names: says
/// in each field which are its own (CF-1.8, section 5.6, the longer form of grid_mapping). To a declaration
/// whose fields know their dimensions, as is the next.
void declare_faces(io::StreamSpec &spec, const StreamConfig &stream);

/// And those of columns along a track without heights, whose layers CF wants to have a coordinate: to a
/// declaration whose fields know their dimensions.
void declare_layers(io::StreamSpec &spec, const StreamConfig &stream);

/// Puts them, on the rank of the first patch. `spec`: what was declared.
void put_axes(io::Stream &stream, const io::StreamSpec &spec, const StreamConfig &settings,
              const DomainConfig &domain, const Grid &grid);

} // namespace squall
