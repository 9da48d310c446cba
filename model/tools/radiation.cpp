// squall-radiation: fluxes of columns of air from a file, as the model's radiation makes them.
#include <algorithm>
#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "physics/radiation/cloud_mask.hpp"
#include "physics/radiation/column_file.hpp"
#include "physics/radiation/longwave.hpp"
#include "physics/radiation/shortwave.hpp"
#include "physics/radiation/tables.hpp"

namespace {

using namespace squall::radiation;

/// Neighbours are solved together.
constexpr std::size_t at_a_time = 8;

void print(int column, const Column &air, const Fluxes &longwave, const Fluxes &shortwave) {
    for (std::size_t k = 0; k < air.pressure.size(); ++k)
        fmt::print("{} {} {:.8g} {:.8g} {:.8g} {:.8g} {:.8g} {:.8g}\n", column, k, air.pressure[k],
                   longwave.up[k], longwave.down[k], shortwave.up[k], shortwave.down[k], shortwave.direct[k]);
}

void run(const std::string &file, const std::string &folder, bool fine, bool timing) {
    const Tables tables = Tables::read(folder, fine ? Resolution::fine : Resolution::coarse);
    Longwave longwave(tables.longwave, tables.clouds_longwave);
    Shortwave shortwave(tables.shortwave, tables.clouds_shortwave);
    const std::vector<Column> columns = read_columns(file);
    std::vector<CloudMask> masks(2 * at_a_time);
    std::vector<Fluxes> fluxes(2 * at_a_time);
    std::vector<Request> requests[2];
    std::chrono::steady_clock::duration spent[2]{};
    fmt::print("# column interface pressure longwave_up longwave_down shortwave_up shortwave_down "
               "shortwave_direct [Pa, W m-2]\n");
    for (std::size_t first = 0; first < columns.size(); first += at_a_time) {
        const std::size_t count = std::min(at_a_time, columns.size() - first);
        const auto time = [&](int part, int points, auto &solver) {
            const auto begin = std::chrono::steady_clock::now();
            requests[part].clear();
            for (std::size_t n = 0; n < count; ++n) {
                const std::size_t of = static_cast<std::size_t>(part) * at_a_time + n;
                set_cloud_mask(columns[first + n], points, {first + n, 0, static_cast<std::uint64_t>(part)},
                               masks[of]);
                requests[part].push_back({&columns[first + n], &masks[of], &fluxes[of]});
            }
            solver.solve(requests[part]);
            spent[part] += std::chrono::steady_clock::now() - begin;
        };
        time(0, tables.longwave.points, longwave);
        time(1, tables.shortwave.points, shortwave);
        for (std::size_t n = 0; n < count; ++n)
            print(static_cast<int>(first + n), columns[first + n], fluxes[n], fluxes[at_a_time + n]);
    }
    const auto per_column = [&](int part) {
        return std::chrono::duration<double, std::micro>(spent[part]).count() / double(columns.size());
    };
    if (timing)
        fmt::print(stderr, "longwave {:.1f} us a column, shortwave {:.1f} us\n", per_column(0),
                   per_column(1));
}

} // namespace

int main(int argc, char **argv) {
    std::string file, tables;
    bool fine = false, timing = false;
    CLI::App app("Fluxes of columns of air, as the model's radiation makes them");
    app.add_option(
           "columns", file,
           "netCDF with the dimensions column, level, layer (ground first) and the variables pressure, "
           "temperature (column, level), layer_pressure, layer_temperature, h2o, o3, ... (column, layer), "
           "surface_temperature, emissivity, albedo, cosine, irradiance (column); perhaps cover, "
           "liquid_path, liquid_radius, ice_..., snow_... (column, layer), and latitude, longitude, day, "
           "year (column) for gases by climatology and air above the top")
        ->required();
    app.add_option("--tables", tables, "Folder of the tables (default: that of squall fetch radiation)");
    app.add_flag("--fine", fine, "256 and 224 g-points in place of 128 and 112");
    app.add_flag("--timing", timing, "Say how long a column took");
    CLI11_PARSE(app, argc, argv);
    try {
        run(file, tables, fine, timing);
        return 0;
    } catch (const std::exception &e) {
        std::cerr << "squall-radiation: " << e.what() << std::endl;
        return 1;
    }
}
