// Surface layer, land and boundary layer, one after the other as in a step.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/surface_layer_scheme.hpp"
#include "score.hpp"

namespace squall::columns {
namespace {

/// The scheme that made the file, by its layers of soil.
std::string land_of(const WrfColumns &file) {
    const auto layers = file.read("TSLB", 0, 0).size() / static_cast<std::size_t>(file.columns());
    return layers == land_scheme("noah").thickness.size() ? "noah" : "slab";
}

/// Soil moisture, snow and plants of a pair, where land keeps account of them.
struct LandWater {
    Field vegetation, soil, green, least_green, most_green, deep, snow_albedo, ice, sunlight, precipitation,
        frozen;
    Field canopy, snow_water, snow_depth, snow_cover, snow_age, ground_heat, runoff, drainage, moisture,
        liquid;

    /// Rain is that of the step before; the age of snow is not in the file: none has just fallen.
    LandWater(const WrfColumns &file, int pair) {
        const auto read = [&](const char *name, int frame = 0, real factor = 1) {
            Field values = file.read(name, pair, frame);
            for (real &x : values) x *= factor;
            return values;
        };
        vegetation = read("IVGTYP");
        for (real &x : vegetation) x -= 1; // USGS's rows come first
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
};

/// What is under the columns of a pair, and what becomes of it.
struct Ground {
    std::optional<LandWater> water;
    Field albedo;
    Field land, availability, inertia, snow;
    Field emissivity, shortwave, longwave, height, skin, heat, vapour, ust, roughness, scale, surface_vapour,
        soil;
    Field heat_exchange, vapour_exchange, heat_2m, vapour_2m, speed, richardson, profile_m, profile_h, u10,
        v10, t2, q2, latent, conductance;

    Ground(const WrfColumns &file, int pair) {
        const auto read = [&](const char *name, int frame = 0) { return file.read(name, pair, frame); };
        land = read("XLAND");
        for (real &x : land) x = 2 - x;
        availability = read("MAVAIL");
        inertia = read("THC");
        snow = read("SNOWC");
        emissivity = read("EMISS");
        albedo = read("ALBEDO");
        if (land_of(file) == "noah") water.emplace(file, pair);
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
        for (Field *f : {&heat_exchange, &vapour_exchange, &heat_2m, &vapour_2m, &speed, &richardson,
                         &profile_m, &profile_h, &u10, &v10, &t2, &q2, &latent, &conductance})
            f->resize(land.size());
    }
};

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
            .vapour_2m = g.q2.data() + c};
}

/// Calls f(first column, columns) on batches.
template <class F> void for_each_batch(int columns, F f) {
    for (int c = 0; c < columns; c += columns_at_a_time) f(c, std::min(columns_at_a_time, columns - c));
}

/// Where a score counts, and its name.
struct Place {
    const char *name;
    std::function<bool(int)> has;
};

class Pair {
  public:
    Pair(const WrfColumns &file, int pair, Results &results)
        : file_(file), pair_(pair), results_(results), air_(file.air(pair)), ground_(file, pair),
          before_(ground_), places_{{"sea", [this](int c) { return before_.land[at(c)] < real(0.5); }},
                                    {"land",
                                     [this](int c) { return before_.land[at(c)] > real(0.5) && !snowy(c); }},
                                    {"snow",
                                     [this](int c) { return before_.land[at(c)] > real(0.5) && snowy(c); }}} {
    }

    void run() {
        exchange();
        advance_land();
        take_fluxes_of_land();
        mix();
    }

  private:
    static std::size_t at(int c) { return static_cast<std::size_t>(c); }
    bool snowy(int c) const { return before_.snow[at(c)] > real(0.5); }

    void score(const char *scheme, const char *field, const Field &ours, std::vector<Place> places) {
        const Field wrf = file_.read(field, pair_, 1);
        for (const Place &place : places)
            score_of(results_, scheme, field, place.name).add(wrf, ours, air_.columns, place.has);
    }

    void exchange() {
        const auto scheme = surface_layer_scheme("revised-mm5").make();
        for_each_batch(air_.columns, [&](int c, int n) {
            scheme->exchange(surface_columns(air_, ground_, c, n, file_.time_step()));
        });
        for (const auto &[field, ours] : {std::pair("UST", &ground_.ust),
                                          {"FLHC", &ground_.heat_exchange},
                                          {"FLQC", &ground_.vapour_exchange},
                                          {"U10", &ground_.u10},
                                          {"V10", &ground_.v10}})
            score("revised-mm5", field, *ours, places_);
        for (const auto &[field, ours] : {std::pair("HFX", &ground_.heat), {"QFX", &ground_.vapour}})
            score("revised-mm5", field, *ours, {places_[0]});
    }

    Field change(const Field &after, const Field &before) const {
        Field out(after.size());
        std::ranges::transform(after, before, out.begin(), std::minus<>());
        return out;
    }

    void advance_land() {
        const std::string name = land_of(file_);
        const auto scheme = land_scheme(name).make();
        for_each_batch(air_.columns, [&](int c, int n) {
            const SurfaceColumns s = surface_columns(air_, ground_, c, n, file_.time_step());
            scheme->advance(s);
            set_2m_values(s);
        });
        const std::vector<Place> land{places_[1], places_[2]};
        score(name.c_str(), "HFX", ground_.heat, land);
        score(name.c_str(), "QFX", ground_.vapour, land);
        score(name.c_str(), "T2", ground_.t2, places_);
        score(name.c_str(), "Q2", ground_.q2, places_);
        const auto score_change = [&](const char *field, const Field &ours, const Field &before) {
            for (const Place &place : land)
                score_of(results_, name, std::string("change of ") + field, place.name)
                    .add(change(file_.read(field, pair_, 1), before), change(ours, before), air_.columns,
                         place.has);
        };
        score_change("TSK", ground_.skin, before_.skin);
        score_change("TSLB", ground_.soil, before_.soil);
        if (!ground_.water) return;
        score(name.c_str(), "LH", ground_.latent, land);
        score(name.c_str(), "GRDFLX", ground_.water->ground_heat, land);
        score_change("SMOIS", ground_.water->moisture, before_.water->moisture);
        score_change("CANWAT", ground_.water->canopy, before_.water->canopy);
    }

    /// The boundary layer is given WRF's, so that it is judged by itself.
    void take_fluxes_of_land() {
        const Field heat = file_.read("HFX", pair_, 1), vapour = file_.read("QFX", pair_, 1);
        for (int c = 0; c < air_.columns; ++c)
            if (ground_.land[at(c)] > real(0.5)) {
                ground_.heat[at(c)] = heat[at(c)];
                ground_.vapour[at(c)] = vapour[at(c)];
            }
    }

    void mix() {
        const auto scheme = boundary_layer_scheme("ysu").make(air_.nz);
        const Field heating = file_.read("RTHRATEN", pair_, 1);
        Field du(air_.u.size()), dv(du), dtheta(du), dvapour(du), dcloud(du), dice(du),
            height(ground_.height);
        const auto dt = real(file_.time_step());
        for_each_batch(air_.columns, [&](int c, int n) {
            const SurfaceColumns s = surface_columns(air_, ground_, c, n, dt);
            scheme->mix({.n = n,
                         .nz = air_.nz,
                         .dt = dt,
                         .pressure = air_.at(air_.pressure, c),
                         .density = air_.at(air_.density, c),
                         .depth = air_.at(air_.depth, c),
                         .u = air_.at(air_.u, c),
                         .v = air_.at(air_.v, c),
                         .theta = air_.at(air_.theta, c),
                         .vapour = air_.at(air_.vapour, c),
                         .surface_temperature = s.skin_temperature,
                         .wetness = s.availability,
                         .du = air_.at(du, c),
                         .dv = air_.at(dv, c),
                         .dtheta = air_.at(dtheta, c),
                         .dvapour = air_.at(dvapour, c),
                         .as_wrf = true,
                         .surface = &s,
                         .exner = air_.at(air_.exner, c),
                         .weight = air_.at(air_.weight, c),
                         .cloud = air_.at(air_.cloud, c),
                         .ice = air_.at(air_.ice, c),
                         .dcloud = air_.at(dcloud, c),
                         .dice = air_.at(dice, c),
                         .radiative_heating = air_.at(heating, c),
                         .height = height.data() + c});
        });
        for (Field *f : {&du, &dv, &dtheta, &dvapour, &dcloud})
            for (real &x : *f) x /= dt;
        const std::vector<Place> everywhere{{"all", [](int) { return true; }}};
        for (const auto &[field, ours] : {std::pair("RUBLTEN", &du),
                                          {"RVBLTEN", &dv},
                                          {"RTHBLTEN", &dtheta},
                                          {"RQVBLTEN", &dvapour},
                                          {"RQCBLTEN", &dcloud},
                                          {"PBLH", &height}})
            score("ysu", field, *ours, everywhere);
    }

    const WrfColumns &file_;
    int pair_;
    Results &results_;
    Air air_;
    Ground ground_, before_;
    std::vector<Place> places_;
};

} // namespace

void score_surface(const WrfColumns &file, Results &results) {
    for (int pair = 0; pair < file.pairs(); ++pair) Pair(file, pair, results).run();
}

} // namespace squall::columns
