#include "initial/wrfinput_orography.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/loop.hpp"

namespace squall {
namespace {

struct Statistic {
    std::string name;
    Array2 *plane;
    Limits possible;
};

std::vector<Statistic> statistics_of(SubgridOrography &o) {
    constexpr real one = real(1.001); // tiles of WPS hold whole multiples of 0.0001
    std::vector<Statistic> all{{"VAR", &o.deviation, {0, 5000}}, {"CON", &o.convexity, {0, 1e6}}};
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n)
        all.push_back({fmt::format("OA{}", n + 1), &o.asymmetry[n], {-one, one}});
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n)
        all.push_back({fmt::format("OL{}", n + 1), &o.length[n], {0, one}});
    return all;
}

} // namespace

void read_orography(const InputFile &file, const Patch &patch, const Grid &grid,
                    SubgridOrography &orography) {
    std::vector<std::string> missing;
    const auto all = statistics_of(orography);
    for (const Statistic &s : all)
        if (!file.has(s.name)) missing.push_back(s.name);
    if (!missing.empty())
        file.fail(fmt::format("does not hold {}, the subgrid orography that physics.gravity_wave_drag needs; "
                              "write one with `squall prepare`, or with real.exe of WRF (gwd_opt = 1) from "
                              "geogrid's files, or set gravity_wave_drag = \"none\"",
                              fmt::join(missing, ", ")));
    for (const Statistic &s : all) file.plane(s.name, Points::cells, patch, *s.plane, s.possible);
    for_each_column({0, patch.shape.nx, 0, patch.shape.ny, 0, 1}, [&](int i, int j) {
        orography.spacing(i, j) = std::sqrt(grid.dx * grid.dy / (grid.msftx(i, j) * grid.msfty(i, j)));
    });
}

void read_hills(const InputFile &file, const std::string &scheme, const Patch &patch, Array2 &hills) {
    const bool variance = scheme == "jimenez-dudhia";
    const std::string name = variance ? "VAR_SSO" : "VAR";
    if (!file.has(name))
        file.fail(
            fmt::format("does not hold {}, the subgrid orography that physics.terrain_wind = \"{}\" needs; "
                        "write one with `squall prepare`, or with real.exe of WRF ({}) from geogrid's "
                        "files, or set terrain_wind = \"none\"",
                        name, scheme, variance ? "topo_wind = 1" : "gwd_opt = 1"));
    file.plane(name, Points::cells, patch, hills, {0, variance ? real(2.5e7) : real(5000)});
}

} // namespace squall
