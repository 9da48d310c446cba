#include "config/fire_schema.hpp"

namespace squall {
namespace {

/// The slot of a member of the ignition that is being read.
template <class T> std::function<Slot(Config &)> of_ignition(T IgnitionConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.ignitions.back().*member); };
}

/// Of schemes for the slope of the level set.
std::vector<std::string> differences(bool all) {
    std::vector<std::string> names{"weno3", "weno5", "weno3-front", "weno5-front"};
    if (all) names.insert(names.begin(), {"upwind", "godunov", "eno", "central"});
    return names;
}

std::vector<Key> front_keys() {
    using F = FireConfig;
    const auto in = [](auto member) { return slot_of(&Config::fire, member); };
    return {
        {"upwinding",
         in(&F::upwinding),
         "slope of the level set (WRF's fire_upwinding): upwind, godunov and eno are of first order, "
         "`-front` "
         "uses WENO near the front alone",
         {.choices = differences(true)}},
        {"front_cells",
         in(&F::front_cells),
         "fire cells around the front in which `-front` uses WENO (WRF's fire_lsm_band_ngp)",
         {.min = 1, .max = 1000}},
        {"reinitialisation",
         in(&F::reinitialisation),
         "slope of the level set while it is drawn towards the distance from the front (WRF's "
         "fire_upwinding_reinit)",
         {.choices = differences(false)}},
        {"reinitialisation_steps",
         in(&F::reinitialisation_steps),
         "how often it is drawn in a time step (WRF's fire_lsm_reinit_iter); 0: never",
         {.min = 0, .max = 100}},
        {"viscosity",
         in(&F::viscosity),
         "artificial viscosity far from the front, times rate of spread and fire cell",
         {.min = 0, .max = 1}},
        {"front_viscosity",
         in(&F::front_viscosity),
         "the same near the front (WRF's fire_viscosity_bg)",
         {.min = 0, .max = 1}},
        {"front_viscosity_cells",
         in(&F::front_viscosity_cells),
         "fire cells that are near (WRF's fire_viscosity_ngp)",
         {.min = 1, .max = 1000}},
        {"viscosity_transition",
         in(&F::viscosity_transition),
         "width of the transition to `viscosity`, in front_viscosity_cells (WRF's fire_viscosity_band)",
         {.min = 0, .max = 1000, .above = true}},
        {"edge_bias",
         in(&F::edge_bias),
         "level set beyond the domain: 0 continues it linearly, 1 never downwards (WRF's fire_lfn_ext_up)",
         {.min = 0, .max = 1}},
    };
}

} // namespace

TableSchema fire_table() {
    using F = FireConfig;
    const auto in = [](auto member) { return slot_of(&Config::fire, member); };
    TableSchema table{
        "fire",
        "A fire on the ground that spreads with wind and slope and heats the air (WRF's ifire = 2). Its grid "
        "divides the cells of the domain. The table turns it on; `[ignition.<name>]` says where it begins.",
        {
            {"nest", in(&F::nest), "name of the nest on which it burns", {}, {}, "the outermost domain"},
            {"refinement_x",
             in(&F::refinement_x),
             "fire cells in a cell of the domain, west to east (WRF's sr_x)",
             {.min = 1, .max = 1000}},
            {"refinement_y",
             in(&F::refinement_y),
             "the same south to north (WRF's sr_y)",
             {.min = 1, .max = 1000},
             {},
             "refinement_x"},
            {"fuel",
             in(&F::fuel),
             "where the categories of fuel come from: fuel_category everywhere, by altitude as WRF has it "
             "for "
             "the Rocky Mountains, or NFUEL_CAT of `initial.file`",
             {.choices = {"category", "altitude", "file"}}},
            {"fuel_category",
             in(&F::fuel_category),
             "Anderson's (1982) category of fuel, 1 to 13; 14: nothing burns",
             {.min = 1, .max = 14}},
            {"terrain",
             in(&F::terrain),
             "height and slope of the ground: of `initial.file` where it has ZSF, DZDXF and DZDYF, or "
             "interpolated from the domain's terrain, as without them",
             {.choices = {"file", "domain"}}},
            {"moisture",
             in(&F::moisture),
             "moisture of the fuel: fuel_moisture, FMC_G of `initial.file`, or a model of it from weather "
             "near the ground, which needs physics.surface_layer",
             {.choices = {"constant", "file", "model"}}},
            {"fuel_moisture",
             in(&F::fuel_moisture),
             "mass of water per dry mass of fuel",
             {.min = 0, .max = 3}},
            {"moisture_interval",
             in(&F::moisture_interval),
             "time between steps of the model of moisture",
             {.unit = "s", .min = 0, .above = true}},
            {"wind_height",
             in(&F::wind_height),
             "height above the ground of the wind that drives the fire",
             {.unit = "m", .min = 0, .above = true}},
            {"roughness",
             in(&F::roughness),
             "roughness length of the ground under that wind",
             {.unit = "m", .min = 0, .above = true},
             {},
             "that of physics.surface_layer; needed without"},
            {"wind_projection",
             in(&F::wind_projection),
             "what is projected on the normal of the front: the `rate` that wind and slope make, or the "
             "`wind` and slope themselves (WRF's fire_advection 1 and 0)",
             {.choices = {"rate", "wind"}}},
            {"slope_factor",
             in(&F::slope_factor),
             "factor of what the slope adds to the rate of spread",
             {.min = 0, .max = 100}},
            {"extinction_depth",
             in(&F::extinction_depth),
             "height over which the heat that enters the air falls to 1/e (WRF's fire_ext_grnd)",
             {.unit = "m", .min = 0, .above = true}},
            {"feedback",
             in(&F::feedback),
             "factor of the heat that the air gets; 0: the fire does not act on the air",
             {.min = 0, .max = 100}},
            {"boundary_guard",
             in(&F::boundary_guard),
             "fire cells from the sides of the domain at which fire ends the run; 0: never",
             {.min = 0, .max = 1e6}},
        }};
    for (Key &key : front_keys()) table.keys.push_back(std::move(key));
    return table;
}

TableSchema ignition_table() {
    using I = IgnitionConfig;
    return {
        "ignition.<name>",
        "A line along which the ground is lit, from its start to its end; a point without `end`.",
        {
            {"start",
             of_ignition(&I::start),
             "first point: distance from the western and from the southern side of the domain on which the "
             "fire burns; with `initial.file` of a real case also latitude and longitude",
             {.example = R"(["1000 m", "500 m"])"},
             Presence::required},
            {"end", of_ignition(&I::end), "last point", {.example = R"(["1000 m", "1900 m"])"}, {}, "start"},
            {"start_time",
             of_ignition(&I::start_time),
             "when the first point is lit, after run.start",
             {.unit = "s", .min = 0}},
            {"end_time",
             of_ignition(&I::end_time),
             "when the last point is lit",
             {.unit = "s", .min = 0},
             {},
             "start_time"},
            {"radius",
             of_ignition(&I::radius),
             "distance from the line that is lit",
             {.unit = "m", .min = 0, .above = true},
             Presence::required},
            {"rate",
             of_ignition(&I::rate),
             "rate at which fire spreads to that radius",
             {.unit = "m/s", .min = 0, .above = true}},
        }};
}

} // namespace squall
