#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "initial/land_use.hpp"
#include "initial/soil_profile.hpp"
#include "initial/wrfinput_ground.hpp"
#include "initial/wrfinput_land_water.hpp"
#include "physics/land_scheme.hpp"
#include "physics/sea_ice.hpp"

namespace squall {
namespace {

/// Where the file says it, else `otherwise` everywhere.
Array2 optional_plane(const InputFile &file, const char *name, const Patch &patch, real otherwise) {
    Array2 plane(patch.shape);
    plane.fill(otherwise);
    if (file.has(name)) file.plane(name, Points::cells, patch, plane, {0, 1e4});
    return plane;
}

Array2 read_snow_cover(const InputFile &file, const Patch &patch) {
    if (file.has("SNOWC")) return optional_plane(file, "SNOWC", patch, 0);
    Array2 snow = optional_plane(file, "SNOW", patch, 0);
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) snow(i, j) = snow(i, j) >= 10 ? real(1) : real(0);
    return snow;
}

/// Of one cell: what the file says of it, and whether it is under ice.
class ClassOfCell {
  public:
    ClassOfCell(const InputFile &file, const Config &config, const Patch &patch)
        : file_(file), patch_(patch), classes_(classes_of(file)),
          enough_(sea_ice::threshold(config.physics.fractional_sea_ice)), use_(patch.shape),
          ice_(optional_plane(file, file.has("SEAICE") ? "SEAICE" : "XICE", patch, 0)) {
        if (file.has_attribute("ISLAKE")) lake_ = static_cast<int>(file.number("ISLAKE"));
        const int most = std::max(land_use_count(classes_), lake_);
        file.plane("LU_INDEX", Points::cells, patch, use_, {0, real(most)});
    }

    real ice(int i, int j) const { return ice_(i, j); }
    bool is_frozen(int i, int j) const { return ice_(i, j) >= enough_; }

    /// Lakes and what has no class are water; ice is on water, or where land use is ice as WRF has it.
    int operator()(int i, int j) const {
        const int given = static_cast<int>(use_(i, j) + real(0.5)), water = water_of(classes_);
        const int number = given == 0 || given == lake_ ? water : given;
        if (number > land_use_count(classes_)) refuse_class(i, j, number);
        if (!is_frozen(i, j)) return number;
        if (number != water && number != ice_of(classes_)) refuse_ice(i, j, number);
        return ice_of(classes_);
    }

  private:
    [[noreturn]] void refuse_class(int i, int j, int number) const {
        file_.refuse(fmt::format("LU_INDEX is {}", number), patch_.y0 + j, patch_.x0 + i,
                     fmt::format("it must be from 0 to {}", land_use_count(classes_)));
    }
    [[noreturn]] void refuse_ice(int i, int j, int number) const {
        file_.refuse(
            fmt::format("the sea ice SEAICE is {} where LU_INDEX is {}, land", ice_(i, j), number),
            patch_.y0 + j, patch_.x0 + i,
            fmt::format("{} of a cell or more is allowed only over water, {}, and where land use is ice, {}",
                        enough_, water_of(classes_), ice_of(classes_)));
    }

    const InputFile &file_;
    const Patch &patch_;
    LandClasses classes_;
    real enough_; ///< ice to count as such
    Array2 use_, ice_;
    int lake_ = -1;
};

/// Open water is as warm as water can be.
void check_water(const InputFile &file, const Patch &patch, int i, int j, real temperature) {
    constexpr real coldest = 220, warmest = 330;
    if (temperature >= coldest && temperature <= warmest) return;
    file.refuse(fmt::format("the surface temperature {} is {} K over water", file.has("TSK") ? "TSK" : "SST",
                            temperature),
                patch.y0 + j, patch.x0 + i, fmt::format("it must be from {} to {}", coldest, warmest));
}

void set_land_use(const InputFile &file, const Config &config, const Patch &patch, InitialState &s) {
    const LandClasses classes = classes_of(file);
    const int day = day_of_year(config.run.start);
    const ClassOfCell class_of(file, config, patch);
    const bool told = config.physics.surface_temperature == 0; // by the file
    s.ground.snow_cover = read_snow_cover(file, patch);
    SurfaceState &surface = s.physics.surface;
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const bool frozen = class_of.is_frozen(i, j);
            const int number = class_of(i, j);
            if (told && number == water_of(classes))
                check_water(file, patch, i, j, surface.skin_temperature(i, j));
            const LandUse as = land_use(classes, number, is_summer(day, s.grid.lat(i, j)));
            const bool snow = s.ground.snow_cover(i, j) > real(0.5) && !frozen;
            s.ground.land(i, j) = number == water_of(classes) ? real(0) : real(1);
            s.ground.wetness(i, j) = as.availability;
            s.ground.thermal_inertia(i, j) = as.thermal_inertia;
            surface.albedo(i, j) = snow ? as.albedo * (1 + as.snow_effect) : as.albedo;
            surface.emissivity(i, j) = as.emissivity;
            surface.roughness(i, j) = as.roughness;
            if (surface.has_sea())
                surface.sea.ice(i, j) = frozen ? std::min(class_of.ice(i, j), real(1)) : real(0);
        }
}

/// Cells partly under ice: the skin that the file has is the mean of ice and water.
void set_fractional_ice(const InputFile &file, const Patch &patch, SurfaceState &surface) {
    const Array2 water = optional_plane(file, "SST", patch, 0);
    SeaState &sea = surface.sea;
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const real share = sea.ice(i, j);
            if (share < sea_ice::least) continue;
            IceState &ice = sea.ice_alone;
            real &skin = surface.skin_temperature(i, j);
            sea.temperature(i, j) = sea_ice::beside_ice(share, water(i, j));
            ice.temperature(i, j) = sea_ice::ice_temperature(share, skin, sea.temperature(i, j));
            skin = sea_ice::mean(share, ice.temperature(i, j), sea.temperature(i, j));
            ice.albedo(i, j) = surface.albedo(i, j), ice.emissivity(i, j) = surface.emissivity(i, j);
            surface.albedo(i, j) = sea_ice::mean(share, ice.albedo(i, j), sea_ice::water_albedo);
            surface.emissivity(i, j) = sea_ice::mean(share, ice.emissivity(i, j), sea_ice::water_emissivity);
        }
}

Array2 copy_of(const Array2 &plane, const Patch &patch) {
    Array2 copy(patch.shape);
    copy.copy_from(plane);
    return copy;
}

/// Below the layers of TSLB TMN, where the file lacks that the skin's temperature.
void set_soil(const InputFile &file, const Config &config, const Patch &patch, InitialState &s) {
    SurfaceState &surface = s.physics.surface;
    if (surface.soil_layers == 0) return;
    constexpr Limits possible{150, 400};
    Array2 deep = copy_of(surface.skin_temperature, patch);
    if (file.has("TMN")) file.plane("TMN", Points::cells, patch, deep, {0, 400});
    SoilProfile soil;
    soil.add(0, copy_of(surface.skin_temperature, patch));
    add_layers(file, "TSLB", patch, {0, 400}, soil);
    if (soil.deepest() == 0)
        file.fail(
            fmt::format("holds no soil temperature (TSLB at ZS), which physics.land = \"{}\" needs; write "
                        "one with `squall prepare` or real.exe of WRF, or set land = \"none\"",
                        config.physics.land));
    soil.add(std::max(real(3), soil.deepest() + 1), std::move(deep));
    real top = 0;
    const std::vector<double> &thickness = land_scheme(config.physics.land).thickness;
    for (int k = 0; k < surface.soil_layers; ++k) {
        const real middle = top + real(thickness[static_cast<std::size_t>(k)]) / 2;
        top += real(thickness[static_cast<std::size_t>(k)]);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) {
                const bool land = s.ground.land(i, j) > real(0.5);
                const real t = land ? soil.at(middle, i, j) : surface.skin_temperature(i, j);
                if (!(t >= possible.low && t <= possible.high))
                    file.refuse(
                        fmt::format("the soil's temperature (TSLB, TMN) is {} K at a depth of {:.3g} m on "
                                    "land",
                                    t, middle),
                        patch.y0 + j, patch.x0 + i,
                        fmt::format("it must be from {} to {}", possible.low, possible.high));
                surface.soil_temperature(i, k, j) = t;
            }
    }
}

} // namespace

LandClasses classes_of(const InputFile &file) {
    LandClasses classes{};
    const std::string name = file.has_attribute("MMINLU") ? file.text("MMINLU") : "";
    if (!land_classes(name, classes))
        file.fail(fmt::format("has the land-use classes MMINLU = \"{}\"; physics.surface_layer knows USGS "
                              "and MODIFIED_IGBP_MODIS_NOAH",
                              name));
    return classes;
}

void read_surface(const InputFile &file, const Config &config, const Patch &patch, InitialState &s) {
    s.physics.surface.skin_temperature.copy_from(s.ground.temperature);
    if (!file.has("LU_INDEX"))
        file.fail("holds no land use (LU_INDEX) for physics.surface_layer; write one with real.exe of WRF or "
                  "squall prepare, or use boundary_layer = \"bulk\" without a surface layer");
    set_land_use(file, config, patch, s);
    if (config.physics.fractional_sea_ice) set_fractional_ice(file, patch, s.physics.surface);
    set_soil(file, config, patch, s);
    if (s.physics.surface.has_land_water()) read_land_water(file, classes_of(file), config, patch, s);
}

} // namespace squall
