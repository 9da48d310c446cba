// squall-radiation: fluxes of columns of air from a file, as the model's radiation makes them.
#include <algorithm>
#include <ctime>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "physics/radiation/column_file.hpp"
#include "physics/radiation/scheme.hpp"

namespace {

using namespace squall::radiation;

/// Neighbours are solved together.
constexpr std::size_t at_a_time = 8;

void print(int column, const Column &air, const Fluxes &longwave, const Fluxes &shortwave) {
    for (std::size_t k = 0; k < air.pressure.size(); ++k)
        fmt::print("{} {} {:.8g} {:.8g} {:.8g} {:.8g} {:.8g} {:.8g}\n", column, k, air.pressure[k],
                   longwave.up[k], longwave.down[k], shortwave.up[k], shortwave.down[k], shortwave.direct[k]);
}

void run(const std::string &file, const std::string &folder, const std::string &name, bool timing) {
    const auto scheme = scheme_named(name).prepare(folder)();
    const std::vector<Column> columns = read_columns(file);
    std::vector<Fluxes> longwave(at_a_time), shortwave(at_a_time);
    std::vector<Task> tasks;
    std::clock_t spent[2]{}; // of the processor
    fmt::print("# column interface pressure longwave_up longwave_down shortwave_up shortwave_down "
               "shortwave_direct [Pa, W m-2]\n");
    for (std::size_t first = 0; first < columns.size(); first += at_a_time) {
        const std::size_t count = std::min(at_a_time, columns.size() - first);
        tasks.clear();
        for (std::size_t n = 0; n < count; ++n)
            tasks.push_back({&columns[first + n], {first + n, 0}, &longwave[n], &shortwave[n]});
        const auto begin = std::clock();
        scheme->solve_longwave(tasks);
        const auto between = std::clock();
        scheme->solve_shortwave(tasks);
        spent[0] += between - begin;
        spent[1] += std::clock() - between;
        for (std::size_t n = 0; n < count; ++n)
            print(static_cast<int>(first + n), columns[first + n], longwave[n], shortwave[n]);
    }
    const auto per_column = [&](int part) {
        return 1e6 * double(spent[part]) / CLOCKS_PER_SEC / double(columns.size());
    };
    if (timing)
        fmt::print(stderr, "longwave {:.1f} us a column, shortwave {:.1f} us\n", per_column(0),
                   per_column(1));
}

} // namespace

int main(int argc, char **argv) {
    std::string file, tables, scheme = "rrtmgp";
    bool timing = false;
    CLI::App app("Fluxes of columns of air, as the model's radiation makes them");
    app.add_option(
           "columns", file,
           "netCDF with the dimensions column, level, layer (ground first) and the variables pressure, "
           "temperature (column, level), layer_pressure, layer_temperature, h2o, o3, ... (column, layer), "
           "surface_temperature, emissivity, albedo, cosine, irradiance (column); perhaps cover, "
           "liquid_path, liquid_radius, ice_..., snow_..., rain_path, graupel_path (column, layer), and "
           "latitude, longitude, day, "
           "year (column) for gases by climatology and air above the top")
        ->required();
    app.add_option("--tables", tables, "Folder of the tables (default: that of squall fetch radiation)");
    app.add_option("--scheme", scheme, "As physics.radiation names it (default: rrtmgp)");
    app.add_flag("--timing", timing, "Say how much of the processor's time a column took");
    CLI11_PARSE(app, argc, argv);
    try {
        run(file, tables, scheme, timing);
        return 0;
    } catch (const std::exception &e) {
        std::cerr << "squall-radiation: " << e.what() << std::endl;
        return 1;
    }
}
