#include "initial/turbine_tables.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "initial/number_table.hpp"
#include "physics/nearest_cell.hpp"

namespace squall {
namespace {

using Names = std::vector<std::string>;

[[noreturn]] void refuse(const std::string &file, const std::string &what) {
    throw std::runtime_error(fmt::format("{}: {}", file, what));
}

void check_curve(const std::string &file, const NumberTable &curve) {
    if (curve.names != Names{"wind_speed", "thrust", "power"})
        refuse(file, "its columns must be \"wind_speed,thrust,power\"");
    if (curve.column("wind_speed").size() < 2) refuse(file, "a curve needs two wind speeds at least");
    if (!(curve.column("wind_speed").front() > 0)) refuse(file, "the first wind speed must be above 0");
    for (const double thrust : curve.column("thrust"))
        if (thrust < 0 || thrust > 2)
            refuse(file, fmt::format("a thrust coefficient of {} is impossible", thrust));
    for (const double power : curve.column("power"))
        if (power < 0) refuse(file, fmt::format("a power of {} kW is impossible", power));
}

/// A whole number from 0 to below `count`.
int index(const std::string &file, double value, std::size_t count, const char *what) {
    if (value != std::floor(value) || value < 0 || value >= double(count))
        refuse(file, fmt::format("there is no {} {}: they go from 0 to {}", what, value, count - 1));
    return static_cast<int>(value);
}

} // namespace

std::vector<TurbineType> read_turbine_types(const Config &config) {
    const WindFarmConfig &farm = config.wind_farm;
    std::vector<TurbineType> types;
    for (std::size_t n = 0; n < farm.curves.size(); ++n) {
        const NumberTable curve = read_number_table(config.files, farm.curves[n]);
        check_curve(farm.curves[n], curve);
        types.emplace_back(farm.hub_heights[n], farm.diameters[n], farm.standing_thrusts[n],
                           curve.column("wind_speed"), curve.column("thrust"), curve.column("power"));
    }
    return types;
}

std::vector<StandingTurbine> find_turbines(const Config &config, const Patch &patch, MPI_Comm comm,
                                           const Grid &grid) {
    const std::string &file = config.wind_farm.turbines;
    const NumberTable table = read_number_table(config.files, file, FirstColumn::any);
    const bool geographic = table.names == Names{"latitude", "longitude", "type"};
    if (!geographic && table.names != Names{"i", "j", "type"})
        refuse(file, "its columns must be \"latitude,longitude,type\" or \"i,j,type\"");
    if (geographic && projection_file(config).empty())
        refuse(file, "latitude and longitude need a domain with a projection: use i and j");
    const bool nest = config.identity.id > 1;
    std::vector<StandingTurbine> turbines;
    const std::vector<double> &first = table.columns[0], &second = table.columns[1],
                              &types = table.columns[2];
    for (std::size_t n = 0; n < types.size(); ++n) {
        const int type = index(file, types[n], config.wind_farm.curves.size(), "type");
        if (!geographic) {
            if (!nest)
                turbines.push_back({index(file, first[n], std::size_t(config.domain.nx), "column i"),
                                    index(file, second[n], std::size_t(config.domain.ny), "row j"), type});
            continue;
        }
        const NearestCell cell = nearest_cell(first[n], second[n], patch, comm, grid);
        if (cell.holds)
            turbines.push_back({cell.i, cell.j, type});
        else if (!nest)
            refuse(file,
                   fmt::format("the turbine at latitude {}, longitude {} is outside the domain, {:.0f} km "
                               "from the centre of the nearest cell",
                               first[n], second[n], cell.distance / 1000));
    }
    return turbines;
}

} // namespace squall
