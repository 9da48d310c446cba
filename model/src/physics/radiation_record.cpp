#include "physics/radiation_record.hpp"

namespace squall {

void RadiationRecord::take(const RadiatedPatch &from, const Patch &patch, int i, int j, real *record) const {
    const Grid &g = from.grid;
    const SurfaceState &surface = from.physics.surface;
    const bool told = surface.skin_temperature.view().origin != nullptr; // of the ground as land has it
    const Array2 &depths = from.ground.aerosol;
    record[x] = real(patch.x0 + i), record[y] = real(patch.y0 + j);
    record[latitude] = g.lat(i, j), record[longitude] = g.lon(i, j);
    record[base_mass] = g.mub(i, j), record[mass] = from.state.mu(i, j);
    record[skin] = (told ? surface.skin_temperature : from.ground.temperature)(i, j);
    record[emissivity] = (told ? surface.emissivity : from.ground.emissivity)(i, j);
    record[albedo] = (told ? surface.albedo : from.ground.albedo)(i, j);
    record[wetness] = from.ground.wetness(i, j);
    const Array2 &on_ground = surface.land_water.snow_water;
    record[ground_snow] = on_ground.bytes() > 0 ? on_ground(i, j) : real(0);
    record[haze] = depths.bytes() > 0 ? depths(i, j) : real(-1);
    record[covered] = subgrid_ && surface.eddies.variance(i, 0, j) > 0 ? real(1) : real(0); // 0 at first
    real *next = record + singles;
    const auto copy = [&](ConstField3 field) {
        for (int k = 0; k < layers_; ++k) *next++ = field(i, k, j);
    };
    copy(from.state.theta.view());
    copy(from.p);
    copy(g.pb.view());
    for (int s = 0; s < waters_; ++s) copy(from.state.scalars[static_cast<std::size_t>(s)].view());
    if (!subgrid_) return;
    const EddyState &eddies = surface.eddies;
    for (const Array3 *field : {&eddies.cover, &eddies.cloud_water, &eddies.cloud_ice}) copy(field->view());
}

} // namespace squall
