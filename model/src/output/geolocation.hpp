/// Where on the Earth a domain lies, as far as only output needs to know: taken from the wrfinput
/// file that the run starts from; zero on an idealised plane.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// Latitude and longitude on faces [degrees].
struct Geolocation {
    Array2 lat_u, lon_u, lat_v, lon_v;

    /// From initial.file; of a nest without one from the cells of `grid`, whose halo is filled. Throws
    /// io::Error: the file, and what it lacks.
    static Geolocation make(const Config &config, const Patch &patch, const Grid &grid);
};

/// WRF's global attributes of the map projection, of land use, and whether the atmosphere is a real one.
std::vector<io::Attribute> projection_attributes(const Config &config);

} // namespace squall
