#include "initial/wrfinput_ground.hpp"

#include <algorithm>

namespace squall {
namespace {

void read_temperature(const InputFile &file, const Patch &patch, Array2 &temperature) {
    const char *name = file.has("TSK") ? "TSK" : "SST";
    if (!file.has(name))
        file.fail(
            "holds no surface temperature (TSK or SST) for physics.boundary_layer or physics.radiation; set "
            "physics.surface_temperature");
    file.plane(name, Points::cells, patch, temperature, {150, 400});
}

/// LANDMASK is 1 on land and 0 on water, XLAND 1 on land and 2 on water.
void read_wetness(const InputFile &file, const Patch &patch, real of_land, Array2 &wetness) {
    const bool mask = file.has("LANDMASK");
    if (!mask && !file.has("XLAND")) return;
    file.plane(mask ? "LANDMASK" : "XLAND", Points::cells, patch, wetness, {0, 2});
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const real x = wetness(i, j);
            const bool land = mask ? x > real(0.5) : x < real(1.5);
            wetness(i, j) = land ? of_land : real(1);
        }
}

/// Of sunlight: the file's background albedo with its snow, where it has them; else typical of land, water
/// and ice.
void read_albedo(const InputFile &file, const Patch &patch, Ground &ground) {
    constexpr real of_water = real(0.08), of_land = real(0.2), of_ice = real(0.65);
    const auto plane = [&](const char *name, real otherwise) {
        Array2 values(patch.shape);
        values.fill(otherwise);
        if (file.has(name)) file.plane(name, Points::cells, patch, values, {0, 100});
        return values;
    };
    const Array2 background = plane("ALBBCK", 0), snow = plane("SNOWC", 0), of_snow = plane("SNOALB", 0);
    const Array2 sea_ice = plane("SEAICE", 0);
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const bool water = ground.wetness(i, j) == real(1);
            const real bare = background(i, j) > 0 && background(i, j) < 1 ? background(i, j)
                              : water                                      ? of_water
                                                                           : of_land;
            const real bright = of_snow(i, j) > bare && of_snow(i, j) < 1 ? of_snow(i, j) : of_ice;
            const real ice = water ? std::min(sea_ice(i, j), real(1)) : real(0);
            const real white = water ? real(0) : std::min(snow(i, j), real(1));
            ground.albedo(i, j) = bare + ice * (of_ice - bare) + white * (bright - bare);
        }
}

} // namespace

void read_ground(const InputFile &file, const Config &config, const Patch &patch, Ground &ground) {
    if (config.physics.surface_temperature == 0) read_temperature(file, patch, ground.temperature);
    read_wetness(file, patch, real(config.physics.land_wetness), ground.wetness);
    read_albedo(file, patch, ground);
}

} // namespace squall
