#include "solver/sea_surface.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "initial/wrfinput_ground.hpp"
#include "physics/noah/classes.hpp"
#include "physics/noah/land.hpp"

namespace squall {
namespace {

constexpr real freezing = real(271.36); ///< of sea water [K]
constexpr const char *remedy =
    "write it with `squall prepare` (boundary.lower_file), or with real.exe of WRF (sst_update = 1)";

/// Whose classes the ground is of; built-in cases are of USGS's.
LandClasses classes_of(const Config &config) {
    const std::string &file = config.initial.file.empty() ? projection_file(config) : config.initial.file;
    return file.empty() ? LandClasses::usgs : classes_of(InputFile(file, remedy));
}

} // namespace

SeaSurface::SeaSurface(const Config &config, const Patch &patch, InitialState &initial)
    : patch_(patch), classes_(classes_of(config)), steps_(config.run.as_wrf()),
      has_skin_(config.physics.sea_skin != "none" || config.physics.ocean != "none"),
      fractional_(config.physics.fractional_sea_ice) {
    SurfaceState &surface = initial.physics.surface;
    const int day = day_of_year(config.run.start);
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            sea_.push_back(initial.ground.land(i, j) < real(0.5) || is_frozen(surface.sea.ice(i, j)));
            summer_.push_back(is_summer(day, initial.grid.lat(i, j)));
            if (surface.sea.temperature(i, j) <= 0)
                surface.sea.temperature(i, j) = surface.skin_temperature(i, j);
        }
    if (config.boundary.lower_file.empty()) return;
    file_ = std::make_unique<AnalysisFile>(config.boundary.lower_file, config, remedy);
    has_ice_ = file_->at(0).has("SEAICE");
    has_leaf_area_ = surface.canopy.leaf_area.bytes() > 0 && file_->at(0).has("LAI");
    has_green_ = surface.has_land_water() && file_->at(0).has("VEGFRA");
    const auto plane = [&](bool has) { return has ? Array2(patch.shape) : Array2(); };
    for (Analysis *a : {&before_, &after_})
        *a = {plane(true), plane(has_ice_), plane(has_leaf_area_), plane(has_green_)};
}

bool SeaSurface::reads_at(double seconds) const {
    return file_ && file_->around(seconds).before != held_.before;
}

void SeaSurface::read(double seconds) {
    if (!reads_at(seconds)) return;
    const Between now = file_->around(seconds);
    if (now.before == held_.after)
        std::swap(before_, after_);
    else
        read_record(now.before, before_);
    if (now.after != now.before) read_record(now.after, after_);
    held_ = now;
}

/// What a file says of land is of no use here, and need not make sense.
void SeaSurface::read_record(std::int64_t record, Analysis &into) {
    const InputFile &file = file_->at(record);
    const Limits any{.any = true};
    file.plane("SST", Points::cells, patch_, into.temperature, any);
    if (has_ice_) file.plane("SEAICE", Points::cells, patch_, into.ice, any);
    read_leaves(file, into);
    for (int j = 0; j < patch_.shape.ny; ++j)
        for (int i = 0; i < patch_.shape.nx; ++i) {
            if (!is_sea(i, j)) continue;
            const auto check = [&](const char *name, real value, real low, real high) {
                if (value >= low && value <= high) return;
                file.refuse(fmt::format("{} is {} over the sea in record {}", name, value, record),
                            patch_.y0 + j, patch_.x0 + i, fmt::format("it must be from {} to {}", low, high));
            };
            check("SST", into.temperature(i, j), 250, 330);
            if (has_ice_) check("SEAICE", into.ice(i, j), real(-0.01), real(1.01));
        }
}

void SeaSurface::read_leaves(const InputFile &file, Analysis &into) const {
    if (has_leaf_area_) file.plane("LAI", Points::cells, patch_, into.leaf_area, {0, 20});
    if (has_green_) file.plane("VEGFRA", Points::cells, patch_, into.green, {0, 100});
}

void SeaSurface::set_leaves(int i, int j, real share, Ground &ground, SurfaceState &surface) const {
    const auto now = [&](Array2 Analysis::*of) {
        const real before = (before_.*of)(i, j), after = (after_.*of)(i, j);
        return before + share * (after - before);
    };
    if (has_leaf_area_) surface.canopy.leaf_area(i, j) = now(&Analysis::leaf_area);
    if (has_green_) ground.cover.green(i, j) = now(&Analysis::green) / 100;
}

LandUse SeaSurface::use_of(int number, int i, int j) const {
    return land_use(classes_, number, summer_[static_cast<std::size_t>(j * patch_.shape.nx + i)]);
}

/// What was open is ice from now on, or the other way round.
void SeaSurface::turn(int i, int j, SurfaceState &s) const {
    const bool frozen = is_frozen(s.sea.ice(i, j));
    const LandUse as = use_of(frozen ? ice_of(classes_) : water_of(classes_), i, j);
    real &skin = s.skin_temperature(i, j);
    skin = frozen ? std::min(skin, freezing) : s.sea.temperature(i, j);
    s.albedo(i, j) = as.albedo, s.emissivity(i, j) = as.emissivity, s.roughness(i, j) = as.roughness;
    s.sea.warming(i, j) = 0;
    if (fractional_) {
        IceState &ice = s.sea.ice_alone;
        ice.temperature(i, j) = skin, ice.vapour(i, j) = 0;
        ice.albedo(i, j) = as.albedo, ice.emissivity(i, j) = as.emissivity;
    }
    for (int k = 0; k < s.soil_layers; ++k) {
        const real share = (real(k) + real(0.5)) / real(s.soil_layers);
        s.soil_temperature(i, k, j) = frozen ? skin + share * (freezing - skin) : skin;
    }
    if (!s.has_land_water()) return;
    LandWaterState &water = s.land_water;
    for (int k = 0; k < s.soil_layers; ++k) water.moisture(i, k, j) = water.liquid(i, k, j) = 1;
    for (Array2 *a :
         {&water.canopy_water, &water.snow_water, &water.snow_depth, &water.snow_cover, &water.snow_age})
        (*a)(i, j) = 0;
}

void SeaSurface::set_ground(int i, int j, Ground &ground, const SurfaceState &s) const {
    const bool frozen = is_frozen(s.sea.ice(i, j));
    if (ground.land(i, j) == real(frozen)) return;
    const int number = frozen ? ice_of(classes_) : water_of(classes_);
    const LandUse as = use_of(number, i, j);
    ground.land(i, j) = real(frozen);
    ground.wetness(i, j) = as.availability;
    ground.thermal_inertia(i, j) = as.thermal_inertia;
    ground.snow_cover(i, j) = 0;
    if (!s.has_land_water()) return;
    LandCover &cover = ground.cover;
    cover.vegetation(i, j) = real((classes_ == LandClasses::usgs ? 0 : noah::usgs_classes) + number - 1);
    cover.soil(i, j) = noah::water_soil;
    cover.ice(i, j) = real(frozen ? noah::Ice::sea : noah::Ice::none);
}

/// What a cell partly under ice has, where the water or the ice's share change.
void SeaSurface::blend(int i, int j, SurfaceState &s) {
    const real share = s.sea.ice(i, j);
    real &water = s.sea.temperature(i, j);
    water = sea_ice::beside_ice(share, water);
    const IceState &ice = s.sea.ice_alone;
    s.skin_temperature(i, j) = sea_ice::mean(share, ice.temperature(i, j), water);
    s.albedo(i, j) = sea_ice::mean(share, ice.albedo(i, j), sea_ice::water_albedo);
    s.emissivity(i, j) = sea_ice::mean(share, ice.emissivity(i, j), sea_ice::water_emissivity);
}

void SeaSurface::set(Range columns, double seconds, Ground &ground, SurfaceState &surface) const {
    const real share = file_ && !steps_ ? static_cast<real>(file_->around(seconds).share) : real(0);
    const auto between = [&](const Array2 &a, const Array2 &b, int i, int j) {
        return a(i, j) + share * (b(i, j) - a(i, j));
    };
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            if (!is_sea(i, j)) {
                set_leaves(i, j, share, ground, surface);
                continue;
            }
            if (file_) surface.sea.temperature(i, j) = between(before_.temperature, after_.temperature, i, j);
            if (has_ice_) {
                const real ice = between(before_.ice, after_.ice, i, j);
                const bool was_frozen = is_frozen(surface.sea.ice(i, j));
                surface.sea.ice(i, j) = std::clamp(ice, real(0), real(1));
                if (was_frozen != is_frozen(ice)) turn(i, j, surface);
            }
            set_ground(i, j, ground, surface);
            if (fractional_ && is_frozen(surface.sea.ice(i, j))) blend(i, j, surface);
            if (!has_skin_ && !is_frozen(surface.sea.ice(i, j)))
                surface.skin_temperature(i, j) = surface.sea.temperature(i, j);
        }
}

} // namespace squall
