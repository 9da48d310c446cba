#include "ground.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/constants.hpp"
#include "physics/noah/classes.hpp"
#include "settings/calendar.hpp"

namespace squall::columns {
namespace {

LandWaterColumns land_water_columns(const Air &a, Ground &g, int c) {
    if (!g.water) return {};
    LandWater &w = *g.water;
    return {.vegetation = w.vegetation.data() + c,
            .soil = w.soil.data() + c,
            .green = w.green.data() + c,
            .least_green = w.least_green.data() + c,
            .most_green = w.most_green.data() + c,
            .deep_temperature = w.deep.data() + c,
            .snow_albedo = w.snow_albedo.data() + c,
            .ice = w.ice.data() + c,
            .shortwave_down = w.sunlight.data() + c,
            .precipitation = w.precipitation.data() + c,
            .frozen_precipitation = w.frozen.data() + c,
            .albedo = g.albedo.data() + c,
            .emissivity = g.emissivity.data() + c,
            .canopy_water = w.canopy.data() + c,
            .snow_water = w.snow_water.data() + c,
            .snow_depth = w.snow_depth.data() + c,
            .snow_cover = w.snow_cover.data() + c,
            .snow_age = w.snow_age.data() + c,
            .ground_heat = w.ground_heat.data() + c,
            .surface_runoff = w.runoff.data() + c,
            .drainage = w.drainage.data() + c,
            .moisture = a.at(w.moisture, c),
            .liquid = a.at(w.liquid, c)};
}

} // namespace

Schemes schemes_of(const WrfColumns &file) {
    const auto named = [&](const char *attribute, const std::map<int, std::string> &names) {
        const auto found = names.find(static_cast<int>(file.number(attribute)));
        return found == names.end() ? std::string() : found->second;
    };
    return {named("SF_SFCLAY_PHYSICS", {{1, "revised-mm5"}, {2, "eta"}, {5, "mynn"}}),
            named("BL_PBL_PHYSICS", {{1, "ysu"}, {2, "myj"}, {5, "mynn-edmf"}}),
            named("SF_SURFACE_PHYSICS", {{1, "slab"}, {2, "noah"}, {4, "noah-mp"}})};
}

LandWater::LandWater(const WrfColumns &file, int pair) {
    const auto read = [&](const char *name, int frame = 0, real factor = 1) {
        Field values = file.read(name, pair, frame);
        for (real &x : values) x *= factor;
        return values;
    };
    vegetation = read("IVGTYP");
    const bool usgs = file.text("MMINLU") == "USGS";
    for (real &x : vegetation) x += real(usgs ? 0 : noah::usgs_classes) - 1; // USGS's rows come first
    soil = read("ISLTYP");
    green = read("VEGFRA", 0, real(0.01));
    least_green = read("SHDMIN", 0, real(0.01));
    most_green = read("SHDMAX", 0, real(0.01));
    deep = read("TMN");
    snow_albedo = read("SNOALB");
    sunlight = read("SWDOWN", 1);
    precipitation = read("RAINCV");
    const Field resolved = read("RAINNCV"), share = read("SR");
    frozen.resize(share.size());
    for (std::size_t c = 0; c < share.size(); ++c) {
        precipitation[c] = std::max(precipitation[c] + resolved[c], real(0));
        frozen[c] = share[c] * precipitation[c];
    }
    canopy = read("CANWAT");
    snow_water = read("SNOW");
    snow_depth = read("SNOWH");
    snow_cover = read("SNOWC");
    moisture = read("SMOIS");
    liquid = read("SH2O");
    for (Field *f : {&ice, &snow_age, &ground_heat, &runoff, &drainage}) f->resize(soil.size());
}

Canopy::Canopy(const WrfColumns &file, int pair) {
    const auto read = [&](const char *name, int frame = 0) { return file.read(name, pair, frame); };
    latitude = read("XLAT");
    sun = read("COSZEN", 1); // as radiation told it in this step
    snow_count = read("ISNOW");
    leaf = read("TV"), ground = read("TG"), vapour = read("EAH");
    liquid = read("CANLIQ"), ice = read("CANICE");
    snow_albedo = read("ALBOLD"), snowfall = read("QSNOWXY");
    snow_temperature = read("TSNO"), snow_ice = read("SNICE"), snow_liquid = read("SNLIQ");
    snow_thickness = read("ZSNSO"); // depths of the bases, negative, of soil too
    const std::size_t columns = leaf.size();
    snow_thickness.resize(snow_ice.size());
    for (std::size_t n = snow_thickness.size(); n-- > columns;)
        snow_thickness[n] -= snow_thickness[n - columns];
    for (real &x : snow_thickness) x = -x;
    year = real(share_of_year(
        add_seconds(parse_time(file.text("SIMULATION_START_DATE")), 60 * double(read("XTIME").front()))));
}

CanopyColumns Canopy::at(const Air &a, int c) {
    CanopyColumns v;
    v.latitude = latitude.data() + c, v.sun = sun.data() + c;
    v.year = year;
    v.snow_count = snow_count.data() + c;
    v.leaf_temperature = leaf.data() + c, v.ground_temperature = ground.data() + c;
    v.vapour_pressure = vapour.data() + c;
    v.liquid = liquid.data() + c, v.ice = ice.data() + c;
    v.snow_albedo = snow_albedo.data() + c, v.snowfall = snowfall.data() + c;
    v.snow_temperature = a.at(snow_temperature, c), v.snow_ice = a.at(snow_ice, c);
    v.snow_liquid = a.at(snow_liquid, c), v.snow_thickness = a.at(snow_thickness, c);
    return v;
}

Sublayer::Sublayer(const WrfColumns &file, int pair)
    : heat(file.read("AKHS", pair, 0)), momentum(file.read("AKMS", pair, 0)), u(heat.size()), v(heat.size()),
      theta(file.read("TSK", pair, 0)), humidity(file.read("QSFC", pair, 0)), bare(file.read("Z0", pair, 0)) {
    const Field pressure = file.read("PSFC", pair, 0);
    for (std::size_t c = 0; c < theta.size(); ++c)
        theta[c] *= std::pow(constants::p0 / pressure[c], constants::kappa);
    told = file.has("THZ0");
    if (!told) return;
    u = file.read("UZ0", pair, 0), v = file.read("VZ0", pair, 0);
    theta = file.read("THZ0", pair, 0), humidity = file.read("QZ0", pair, 0);
}

Ocean::Ocean(const WrfColumns &file, int pair)
    : first(file.read("T0ML", pair, 0)), coriolis(file.read("F", pair, 0)), depth(file.read("HML", pair, 0)),
      u(file.read("HUML", pair, 0)), v(file.read("HVML", pair, 0)) {}

Ground::Ground(const WrfColumns &file, int pair) {
    const auto read = [&](const char *name, int frame = 0) { return file.read(name, pair, frame); };
    land = read("XLAND");
    for (real &x : land) x = 2 - x;
    availability = read("MAVAIL");
    inertia = read("THC");
    snow = read("SNOWC");
    emissivity = read("EMISS");
    albedo = read("ALBEDO");
    if (schemes_of(file).land != "slab") water.emplace(file, pair);
    if (schemes_of(file).land == "noah-mp") canopy.emplace(file, pair);
    shortwave = read("GSW", 1); // radiation is the first to be called in the step
    longwave = read("GLW", 1);
    height = read("PBLH");
    skin = read("TSK");
    heat = read("HFX");
    vapour = read("QFX");
    ust = read("UST");
    roughness = read("ZNT");
    scale = read("MOL");
    surface_vapour = read("QSFC");
    soil = read("TSLB");
    if (file.has("HML")) ocean.emplace(file, pair);
    if (schemes_of(file).surface_layer == "eta") {
        sublayer.emplace(file, pair);
        for (real &q : surface_vapour) q /= 1 - q; // of MYJ it is specific humidity
    }
    for (Field *f : {&heat_exchange, &vapour_exchange, &heat_2m, &vapour_2m, &speed, &richardson, &profile_m,
                     &profile_h, &u10, &v10, &t2, &q2, &latent, &conductance, &saturation})
        f->resize(land.size());
}

SurfaceColumns surface_columns(const Air &a, Ground &g, int c, int n, double dt) {
    return {.n = n,
            .dt = real(dt),
            .u = a.u.data() + c,
            .v = a.v.data() + c,
            .temperature = a.temperature.data() + c,
            .vapour = a.vapour.data() + c,
            .pressure = a.middle.data() + c,
            .depth = a.depth.data() + c,
            .surface_pressure = a.weight.data() + c,
            .spacing = a.spacing.data() + c,
            .land = g.land.data() + c,
            .availability = g.availability.data() + c,
            .thermal_inertia = g.inertia.data() + c,
            .snow_cover = g.snow.data() + c,
            .emissivity = g.emissivity.data() + c,
            .shortwave_net = g.shortwave.data() + c,
            .longwave_down = g.longwave.data() + c,
            .boundary_layer_height = g.height.data() + c,
            .skin_temperature = g.skin.data() + c,
            .sensible_heat = g.heat.data() + c,
            .vapour_flux = g.vapour.data() + c,
            .latent_heat = g.latent.data() + c,
            .friction_velocity = g.ust.data() + c,
            .roughness = g.roughness.data() + c,
            .temperature_scale = g.scale.data() + c,
            .surface_vapour = g.surface_vapour.data() + c,
            .soil_temperature = a.at(g.soil, c),
            .land_water = land_water_columns(a, g, c),
            .canopy = g.canopy ? g.canopy->at(a, c) : CanopyColumns{},
            .conductance = g.conductance.data() + c,
            .heat_exchange = g.heat_exchange.data() + c,
            .vapour_exchange = g.vapour_exchange.data() + c,
            .heat_exchange_2m = g.heat_2m.data() + c,
            .vapour_exchange_2m = g.vapour_2m.data() + c,
            .wind_speed = g.speed.data() + c,
            .richardson = g.richardson.data() + c,
            .momentum_profile = g.profile_m.data() + c,
            .heat_profile = g.profile_h.data() + c,
            .wind_u_10m = g.u10.data() + c,
            .wind_v_10m = g.v10.data() + c,
            .temperature_2m = g.t2.data() + c,
            .vapour_2m = g.q2.data() + c,
            .ocean = g.ocean ? g.ocean->at(c) : OceanColumns{},
            .sublayer = g.sublayer ? g.sublayer->at(c) : SublayerColumns{},
            .air_saturation = g.saturation.data() + c,
            .theta = a.theta.data() + c,
            .cloud = a.cloud.data() + c,
            .as_wrf = true};
}

} // namespace squall::columns
