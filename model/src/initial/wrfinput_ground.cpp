#include "initial/wrfinput_ground.hpp"

namespace squall {
namespace {

void read_temperature(const InputFile &file, const Patch &patch, Array2 &temperature) {
    const char *name = file.has("TSK") ? "TSK" : "SST";
    if (!file.has(name))
        file.fail("holds no surface temperature (TSK or SST) for physics.boundary_layer; set "
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

} // namespace

void read_ground(const InputFile &file, const Config &config, const Patch &patch, Ground &ground) {
    if (config.physics.surface_temperature == 0) read_temperature(file, patch, ground.temperature);
    read_wetness(file, patch, real(config.physics.land_wetness), ground.wetness);
}

} // namespace squall
