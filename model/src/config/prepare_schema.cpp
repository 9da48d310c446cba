#include "config/prepare_schema.hpp"

namespace squall {
namespace {

template <class T> std::function<Slot(Config &)> of_prepare(T PrepareConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.prepare.*member); };
}

using P = PrepareConfig;

std::vector<Key> source_keys() {
    return {
        {"analysis",
         of_prepare(&P::analysis),
         "GRIB, netCDF or met_em files, of one time or many, relative to this file; `*` and `?` match any "
         "characters. `westerly-jet` is built in: an idealised jet around the Earth",
         {.example = R"(["gfs/*.grib2"])"},
         {},
         "none; `squall prepare` needs it"},
        {"member",
         of_prepare(&P::member),
         "ensemble member to use if the files hold several: its number as a string, or its name in the file; "
         "`mean` for the ensemble mean",
         {.example = R"("3")"},
         {},
         "none: files with several members are refused"},
        {"terrain",
         of_prepare(&P::terrain),
         "GRIB or netCDF file of terrain heights, or a folder of geogrid tiles, finer than the analysis; "
         "land is what lies above sea level",
         {},
         {},
         "the analysis's own terrain"},
        {"terrain_smoothing",
         of_prepare(&P::terrain_smoothing),
         "passes of a smoother-desmoother (Shapiro 1970) over the heights of `terrain`",
         {.min = 0, .max = 100}},
        {"geography",
         of_prepare(&P::geography),
         "folder of WPS geogrid data sets, each in a folder with WPS's name: land use and land mask, soil, "
         "greenness, albedo, deep soil temperature and, without `terrain`, heights; \"none\": use no such "
         "folder, even if one was fetched",
         {},
         {},
         "the land of `met_em` files or of a run; otherwise what `squall fetch land` downloaded; otherwise "
         "grassland on loam"},
        {"sea_surface_temperature",
         of_prepare(&P::sea_surface_temperature),
         "netCDF file with twelve monthly means of sea-surface temperature, for analyses without one",
         {},
         {},
         "none: that of the analysis, otherwise the air temperature at 2 m"},
    };
}

std::vector<Key> map_keys() {
    const Rule latitude{.unit = "degrees", .min = -90, .max = 90};
    const Rule longitude{.unit = "degrees", .min = -180, .max = 360};
    return {
        {"projection",
         of_prepare(&P::projection),
         "map projection of the domain",
         {.choices = {"lambert", "polar-stereographic", "mercator", "lat-lon"}},
         {},
         "chosen by the latitude of the centre"},
        {"center_latitude",
         of_prepare(&P::center_latitude),
         "latitude of the domain's centre, north positive",
         latitude,
         {},
         "that of a regional analysis, to which the domain is fitted"},
        {"center_longitude",
         of_prepare(&P::center_longitude),
         "longitude of the domain's centre, east positive",
         longitude,
         {},
         "that of a regional analysis"},
        {"true_latitude_1",
         of_prepare(&P::true_latitude_1),
         "latitude at which the map is true to scale",
         latitude,
         {},
         "chosen by the latitude of the centre"},
        {"true_latitude_2",
         of_prepare(&P::true_latitude_2),
         "second true latitude of lambert",
         latitude,
         {},
         "chosen by the latitude of the centre"},
        {"standard_longitude",
         of_prepare(&P::standard_longitude),
         "meridian parallel to the map's y axis",
         longitude,
         {},
         "`center_longitude`"},
    };
}

std::vector<Key> level_keys() {
    return {
        {"top",
         of_prepare(&P::top),
         "pressure at the model top",
         {.unit = "Pa", .min = 0, .above = true},
         {},
         "`\"50 hPa\"`, or the highest level of the analysis if that is lower"},
        {"lowest_layer",
         of_prepare(&P::lowest_layer),
         "thickness of the lowest layer",
         {.unit = "m", .min = 0, .above = true}},
        {"stretch",
         of_prepare(&P::stretch),
         "ratio of the thickness of a layer to that of the layer below, near the ground; aloft the ratio "
         "approaches 1",
         {.min = 1, .max = 1.5}},
        {"eta",
         of_prepare(&P::eta),
         "nz + 1 interfaces, strictly decreasing from 1 at the surface to 0 at the top, in place of "
         "`lowest_layer` and `stretch`",
         {.min = 0, .max = 1},
         {},
         "from top, lowest_layer and stretch"},
        {"etac",
         of_prepare(&P::etac),
         "eta above which hybrid levels are pressure levels; 0 for sigma levels",
         {.min = 0, .max = 1, .below = true}},
        {"use_surface",
         of_prepare(&P::use_surface),
         "extend the profiles to the ground with temperature and humidity at 2 m and wind at 10 m",
         {}},
        {"remove_divergence",
         of_prepare(&P::remove_divergence),
         "remove the divergence of the column's mass flux from the initial wind, so that surface pressure "
         "starts without noise",
         {}},
    };
}

} // namespace

TableSchema prepare_table() {
    TableSchema table{"prepare",
                      "Input of `squall prepare` for `initial.file` and `boundary.file`; a run ignores it. "
                      "nx, ny, nz, dx and dy come from `[domain]`; nests with an `initial_file` get one too.",
                      source_keys()};
    for (const std::vector<Key> &keys : {map_keys(), level_keys()})
        table.keys.insert(table.keys.end(), keys.begin(), keys.end());
    return table;
}

} // namespace squall
