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
         "GRIB, netCDF or met_em files of one time or many, from the directory of this file; `*` and `?` "
         "stand for any characters. `westerly-jet` is built in: an idealised jet round the Earth",
         {.example = R"(["gfs/*.grib2"])"},
         {},
         "none; `squall prepare` needs it"},
        {"member",
         of_prepare(&P::member),
         "the member of an ensemble to take, where the files hold several: its number as text, or its name "
         "as "
         "the file has it; `mean` for the ensemble's mean",
         {.example = R"("3")"},
         {},
         "none: files of one member alone are taken, of several refused"},
        {"terrain",
         of_prepare(&P::terrain),
         "a GRIB or netCDF file of heights of the ground, or a folder of geogrid's tiles, finer than the "
         "analysis; land is what is above sea level",
         {},
         {},
         "the analysis's own ground"},
        {"terrain_smoothing",
         of_prepare(&P::terrain_smoothing),
         "passes of a smoother-desmoother (Shapiro 1970) over the heights of `terrain`",
         {.min = 0, .max = 100}},
        {"geography",
         of_prepare(&P::geography),
         "a folder of data sets of WPS's geogrid, each in a folder as WPS names it: land use and land mask, "
         "soil, greenness, albedo, deep soil and, without `terrain`, heights; \"none\": no such folder, "
         "whatever was fetched",
         {},
         {},
         "the land of `met_em` files or of a run; else what `squall fetch land` brought; else grassland on "
         "loam"},
        {"sea_surface_temperature",
         of_prepare(&P::sea_surface_temperature),
         "a netCDF file of twelve monthly means of the sea-surface temperature, for analyses that have none",
         {},
         {},
         "none: the analysis's, else that of the air at 2 m"},
    };
}

std::vector<Key> map_keys() {
    const Rule latitude{.unit = "degrees", .min = -90, .max = 90};
    const Rule longitude{.unit = "degrees", .min = -180, .max = 360};
    return {
        {"projection",
         of_prepare(&P::projection),
         "map that the domain is rectangular on",
         {.choices = {"lambert", "polar-stereographic", "mercator", "lat-lon"}},
         {},
         "by the latitude of the middle"},
        {"center_latitude",
         of_prepare(&P::center_latitude),
         "middle of the domain, north positive",
         latitude,
         {},
         "that of a regional analysis, which the domain is fitted to"},
        {"center_longitude",
         of_prepare(&P::center_longitude),
         "middle of the domain, east positive",
         longitude,
         {},
         "that of a regional analysis"},
        {"true_latitude_1",
         of_prepare(&P::true_latitude_1),
         "latitude at which the map is true to scale",
         latitude,
         {},
         "by the latitude of the middle"},
        {"true_latitude_2",
         of_prepare(&P::true_latitude_2),
         "the second one of lambert",
         latitude,
         {},
         "by the latitude of the middle"},
        {"standard_longitude",
         of_prepare(&P::standard_longitude),
         "meridian that runs straight up the map",
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
         "`\"50 hPa\"`, or the highest level of the analysis where that is lower"},
        {"lowest_layer",
         of_prepare(&P::lowest_layer),
         "thickness of the lowest layer",
         {.unit = "m", .min = 0, .above = true}},
        {"stretch",
         of_prepare(&P::stretch),
         "thickness of a layer over that of the layer below, near the ground; aloft they even out",
         {.min = 1, .max = 1.5}},
        {"eta",
         of_prepare(&P::eta),
         "nz + 1 interfaces, from 1 at the surface strictly down to 0 at the top, in place of `lowest_layer` "
         "and `stretch`",
         {.min = 0, .max = 1},
         {},
         "from top, lowest_layer and stretch"},
        {"etac",
         of_prepare(&P::etac),
         "eta above which hybrid levels are pressure levels; 0 for sigma levels",
         {.min = 0, .max = 1, .below = true}},
        {"use_surface",
         of_prepare(&P::use_surface),
         "temperature and humidity at 2 m and wind at 10 m close the profiles at the ground",
         {}},
        {"remove_divergence",
         of_prepare(&P::remove_divergence),
         "take the divergence of the whole column's mass flux out of the first wind: surface pressure starts "
         "quietly",
         {}},
    };
}

} // namespace

TableSchema prepare_table() {
    TableSchema table{
        "prepare",
        "What `squall prepare` makes `initial.file` and `boundary.file` from; a run does not look at it. The "
        "domain's nx, ny, nz, dx and dy are those of `[domain]`; nests with an `initial_file` get theirs.",
        source_keys()};
    for (const std::vector<Key> &keys : {map_keys(), level_keys()})
        table.keys.insert(table.keys.end(), keys.begin(), keys.end());
    return table;
}

} // namespace squall
