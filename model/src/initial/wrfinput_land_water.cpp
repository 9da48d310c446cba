#include "initial/wrfinput_land_water.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "initial/soil_profile.hpp"
#include "physics/canopy_columns.hpp"
#include "physics/land_scheme.hpp"
#include "physics/noah/land.hpp"
#include "physics/noah/soil_heat.hpp"
#include "physics/noah_mp/start.hpp"
#include "physics/sea_ice.hpp"

namespace squall {
namespace {

constexpr real percent = real(0.01);
constexpr double most_leaf_area = 20;
constexpr real least_leaf_area = real(0.05); ///< that plants begin with

/// The planes of the file that a column of land is made of.
struct Planes {
    Array2 use, soil, green, least_green, most_green, deep, snow_albedo, canopy, snow, snow_depth, ice;
    Array2 leaf_area; ///< null where no file is asked for it

    Planes(const InputFile &file, const LandConfig &land, const Patch &patch) {
        const auto read = [&](const char *name, Limits limits) {
            Array2 plane(patch.shape);
            file.plane(name, Points::cells, patch, plane, limits);
            return plane;
        };
        const auto optional = [&](const char *name, real otherwise, Limits limits) {
            if (file.has(name)) return read(name, limits);
            Array2 plane(patch.shape);
            plane.fill(otherwise);
            return plane;
        };
        use = read(file.has("IVGTYP") ? "IVGTYP" : "LU_INDEX", {0, 100});
        soil = read("ISLTYP", {-1, 100});
        green = read("VEGFRA", {0, 100});
        least_green = read("SHDMIN", {0, 100});
        most_green = read("SHDMAX", {0, 100});
        deep = read("TMN", {0, 400});
        snow_albedo = optional("SNOALB", 0, {0, 100});
        canopy = optional("CANWAT", 0, {0, 100});
        snow = optional("SNOW", 0, {0, 1e6});
        snow_depth = optional("SNOWH", 0, {0, 1e4});
        if (land.reads_leaf_area()) leaf_area = read("LAI", {0, most_leaf_area});
        ice = optional(file.has("SEAICE") ? "SEAICE" : "XICE", 0, {0, 1});
    }
};

/// What is put into a column.
class Reading {
  public:
    Reading(const InputFile &file, LandClasses classes, const Config &config, const Patch &patch,
            InitialState &s)
        : file_(file), classes_(classes), patch_(patch), s_(s), surface_(s.physics.surface),
          planes_(file, config.land, patch), enough_(sea_ice::threshold(config.physics.fractional_sea_ice)),
          own_ice_(config.physics.fractional_sea_ice && !config.run.as_wrf()),
          thickness_(land_scheme(config.physics.land).thickness) {
        add_layers(file, "SMOIS", patch, {0, 1e3}, moisture_);
        if (moisture_.empty())
            file.fail(fmt::format("holds no soil moisture (SMOIS at ZS), which physics.land = \"{}\" needs; "
                                  "write one with real.exe of WRF or squall prepare, or use land = \"slab\"",
                                  config.physics.land));
    }

    /// Shares in place of per cent would be a land without plants, and nothing would tell: in no year's best
    /// month is a forest less than a hundredth green, nor ever where its least is several per cent.
    void check_units() const {
        check_forests("SHDMAX", planes_.most_green, [](int, int) { return true; });
        check_forests("VEGFRA", planes_.green, [&](int i, int j) { return planes_.least_green(i, j) > 5; });
    }

    void set(int i, int j) const {
        const bool land = s_.ground.land(i, j) > real(0.5);
        const bool sea_ice = planes_.ice(i, j) >= enough_;
        const int use = land ? class_at(i, j, sea_ice) : water_of(classes_);
        const int row = row_of(use);
        const auto vegetation = noah::vegetation(row);
        LandCover &cover = s_.ground.cover;
        cover.vegetation(i, j) = static_cast<real>(row);
        cover.ice(i, j) = static_cast<real>(!land                                  ? noah::Ice::none
                                            : sea_ice                              ? noah::Ice::sea
                                            : vegetation.cover == noah::Cover::ice ? noah::Ice::glacier
                                                                                   : noah::Ice::none);
        if (land && !sea_ice) check_leaves(i, j);
        cover.soil(i, j) = static_cast<real>(soil_class_at(i, j, land, cover.ice(i, j) > 0));
        cover.green(i, j) = percent * planes_.green(i, j);
        cover.least_green(i, j) = percent * planes_.least_green(i, j);
        cover.most_green(i, j) = percent * planes_.most_green(i, j);
        cover.deep_temperature(i, j) = deep_temperature_at(i, j, land && !sea_ice);
        const real white = planes_.snow_albedo(i, j);
        cover.snow_albedo(i, j) = white > 0 && white <= 1 ? white : vegetation.snow_albedo;
        set_snow(i, j, land);
        set_layers(i, j, land, sea_ice);
        if (surface_.has_canopy() && land && !sea_ice) begin_canopy(i, j, vegetation.cover);
    }

  private:
    [[noreturn]] void refuse(int i, int j, const std::string &what, const std::string &possible) const {
        file_.refuse(what, patch_.y0 + j, patch_.x0 + i, possible);
    }

    /// Refuses a field that is nowhere above 1 in this patch's forests, if one of them `tells`.
    template <class Tells> void check_forests(const char *name, const Array2 &field, Tells tells) const {
        constexpr int roots_of_trees = 4;
        std::optional<std::pair<int, int>> first;
        for (int j = 0; j < patch_.shape.ny; ++j)
            for (int i = 0; i < patch_.shape.nx; ++i) {
                const bool land = s_.ground.land(i, j) > real(0.5), ice = planes_.ice(i, j) >= enough_;
                if (!land || ice || noah::vegetation(row_of(class_at(i, j, false))).roots < roots_of_trees)
                    continue;
                if (field(i, j) > 1) return;
                if (!first && field(i, j) > 0 && tells(i, j)) first = {i, j};
            }
        if (!first) return;
        const auto [i, j] = *first;
        refuse(i, j,
               fmt::format("{} is {} % in a forest, and as small in all other forests", name, field(i, j)),
               "it must be the percentage, not the fraction, of a cell with green plants");
    }

    int row_of(int use) const { return (classes_ == LandClasses::usgs ? 0 : noah::usgs_classes) + use - 1; }

    int class_at(int i, int j, bool sea_ice) const {
        if (sea_ice) return ice_of(classes_);
        const int use = static_cast<int>(planes_.use(i, j) + real(0.5));
        if (use < 1 || use > land_use_count(classes_) || use == water_of(classes_))
            refuse(i, j, fmt::format("IVGTYP is {} on land", use),
                   fmt::format("it must be from 1 to {}, except {}, water", land_use_count(classes_),
                               water_of(classes_)));
        return use;
    }

    int soil_class_at(int i, int j, bool land, bool ice) const {
        const int soil = static_cast<int>(planes_.soil(i, j) + real(0.5));
        if (!land || ice) return noah::water_soil;
        if (soil < 1 || soil > noah::soil_classes)
            refuse(i, j, fmt::format("ISLTYP is {} on land", soil),
                   fmt::format("it must be from 1 to {}", noah::soil_classes));
        return soil;
    }

    real deep_temperature_at(int i, int j, bool needed) const {
        const real t = planes_.deep(i, j);
        if (needed && !(t > 150))
            refuse(i, j, fmt::format("the deep temperature TMN is {} K on land", t),
                   "it must be from 150 to 400");
        return t;
    }

    void check_leaves(int i, int j) const {
        const real least = planes_.least_green(i, j), most = planes_.most_green(i, j);
        if (least > most)
            refuse(i, j,
                   fmt::format("the annual minimum of greenness SHDMIN is {} % and the maximum SHDMAX {} %",
                               least, most),
                   "SHDMIN to SHDMAX must be the range of VEGFRA over the year");
    }

    void set_snow(int i, int j, bool land) const {
        LandWaterState &water = surface_.land_water;
        const real snow = land ? planes_.snow(i, j) : real(0);
        water.snow_water(i, j) = snow;
        water.snow_depth(i, j) = snow > 0 ? planes_.snow_depth(i, j) : real(0);
        water.snow_cover(i, j) = land ? s_.ground.snow_cover(i, j) : real(0);
        water.canopy_water(i, j) = land ? std::min(planes_.canopy(i, j), real(0.5)) : real(0);
    }

    /// Water of the soil, by Noah's curve for what stays liquid below the freezing point; the warmth of ice.
    void set_layers(int i, int j, bool land, bool sea_ice) const {
        constexpr real least = real(0.02), sea = real(271.36);
        LandWaterState &water = surface_.land_water;
        const bool soil = land && s_.ground.cover.ice(i, j) == 0;
        const int given = static_cast<int>(s_.ground.cover.soil(i, j) + real(0.5));
        const auto parameters = noah::soil(given == noah::water_soil ? noah::clay_loam_for_water : given);
        real top = 0;
        for (int k = 0; k < surface_.soil_layers; ++k) {
            const real thick = real(thickness_[static_cast<std::size_t>(k)]);
            real &t = surface_.soil_temperature(i, k, j);
            if (sea_ice && land) {
                const real share = (real(k) + real(0.5)) / real(surface_.soil_layers);
                const real top_of_ice =
                    own_ice_ ? surface_.sea.ice_alone.temperature(i, j) : surface_.skin_temperature(i, j);
                t = top_of_ice * (1 - share) + sea * share;
            }
            const real moisture = soil ? moisture_.at(top + thick / 2, i, j) : real(1);
            if (!(moisture > 0 && moisture <= 1))
                refuse(i, j, fmt::format("the soil moisture SMOIS is {} m3 m-3 on land", moisture),
                       "it must be above 0 and at most 1");
            water.moisture(i, k, j) = std::max(moisture, least);
            water.liquid(i, k, j) =
                soil ? noah::supercooled(parameters, t, std::max(moisture, least), 0) : real(1);
            top += thick;
        }
    }

    /// Leaves, and layers of snow and water below the soil, which no initial file has.
    void begin_canopy(int i, int j, noah::Cover cover) const {
        LandWaterState &water = surface_.land_water;
        const int given = static_cast<int>(s_.ground.cover.soil(i, j) + real(0.5));
        noah_mp::Column c{};
        for (int k = 0; k < surface_.soil_layers; ++k) {
            c.temperature[static_cast<std::size_t>(k)] = surface_.soil_temperature(i, k, j);
            c.moisture[static_cast<std::size_t>(k)] = water.moisture(i, k, j);
        }
        c.snow.water = water.snow_water(i, j);
        c.snow.depth = water.snow_depth(i, j);
        noah_mp::begin(noah::soil(given == noah::water_soil ? noah::clay_loam_for_water : given),
                       cover == noah::Cover::ice, surface_.skin_temperature(i, j), c);
        noah_mp::put(columns_of(surface_.canopy, i, j), 0, c);
        if (surface_.canopy.leaf_area.bytes() > 0)
            surface_.canopy.leaf_area(i, j) = std::max(planes_.leaf_area(i, j), least_leaf_area);
        for (int k = 0; k < surface_.soil_layers; ++k) {
            surface_.soil_temperature(i, k, j) = c.temperature[static_cast<std::size_t>(k)];
            water.moisture(i, k, j) = c.moisture[static_cast<std::size_t>(k)];
            water.liquid(i, k, j) = c.liquid[static_cast<std::size_t>(k)];
        }
        water.snow_water(i, j) = c.snow.water;
        water.snow_depth(i, j) = c.snow.depth;
        water.canopy_water(i, j) = 0;
    }

    const InputFile &file_;
    LandClasses classes_;
    const Patch &patch_;
    InitialState &s_;
    SurfaceState &surface_;
    Planes planes_;
    real enough_;  ///< ice to count as such
    bool own_ice_; ///< layers of ice begin with its own temperature, not with the cell's
    const std::vector<double> &thickness_;
    SoilProfile moisture_;
};

} // namespace

void read_land_water(const InputFile &file, LandClasses classes, const Config &config, const Patch &patch,
                     InitialState &s) {
    const Reading reading(file, classes, config, patch, s);
    reading.check_units();
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) reading.set(i, j);
}

} // namespace squall
