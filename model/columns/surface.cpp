// Surface layer, land and boundary layer, one after the other as in a step.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "ground.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/ocean_layer.hpp"
#include "physics/surface_layer_scheme.hpp"
#include "score.hpp"

namespace squall::columns {
namespace {

constexpr real latent_heat = real(2.5e6); // [J kg-1]

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
        : file_(file), pair_(pair), results_(results), schemes_(schemes_of(file)), air_(file.air(pair)),
          ground_(file, pair),
          before_(ground_), places_{{"sea", [this](int c) { return before_.land[at(c)] < real(0.5); }},
                                    {"land",
                                     [this](int c) { return before_.land[at(c)] > real(0.5) && !snowy(c); }},
                                    {"snow",
                                     [this](int c) { return before_.land[at(c)] > real(0.5) && snowy(c); }}} {
    }

    void run() {
        if (schemes_.surface_layer.empty()) return;
        exchange();
        if (!schemes_.land.empty()) advance_land();
        if (ground_.ocean) advance_ocean();
        take_fluxes();
        if (!schemes_.boundary_layer.empty()) mix();
    }

  private:
    static std::size_t at(int c) { return static_cast<std::size_t>(c); }
    bool snowy(int c) const { return before_.snow[at(c)] > real(0.5); }

    void score(const char *scheme, const char *field, const Field &ours, std::vector<Place> places) {
        const Field wrf = file_.read(field, pair_, 1);
        for (const Place &place : places)
            score_of(results_, scheme, field, place.name).add(wrf, ours, air_.columns, place.has);
    }

    /// Whether the file holds all that the surface layer carries over water.
    bool knows_the_sea() const { return !ground_.sublayer || ground_.sublayer->told; }
    std::vector<Place> known_places() const {
        return knows_the_sea() ? places_ : std::vector<Place>{places_[1], places_[2]};
    }

    void exchange() {
        const char *name = schemes_.surface_layer.c_str();
        const auto scheme = surface_layer_scheme(name).make();
        for_each_batch(air_.columns, [&](int c, int n) {
            scheme->exchange(surface_columns(air_, ground_, c, n, file_.time_step()));
        });
        const auto places = known_places();
        for (const auto &[field, ours] : {std::pair("UST", &ground_.ust),
                                          {"FLHC", &ground_.heat_exchange},
                                          {"FLQC", &ground_.vapour_exchange}})
            score(name, field, *ours, places);
        if (!knows_terrain()) score_10m_wind(name, places);
        if (!knows_the_sea()) return;
        for (const auto &[field, ours] : {std::pair("HFX", &ground_.heat), {"QFX", &ground_.vapour}})
            score(name, field, *ours, {places_[0]});
    }

    /// Whether the boundary layer changes the wind at 10 m.
    bool knows_terrain() const { return file_.has("CTOPO"); }
    void score_10m_wind(const char *scheme, const std::vector<Place> &places) {
        score(scheme, "U10", ground_.u10, places);
        score(scheme, "V10", ground_.v10, places);
    }

    Field change(const Field &after, const Field &before) const {
        Field out(after.size());
        std::ranges::transform(after, before, out.begin(), std::minus<>());
        return out;
    }

    void advance_land() {
        const std::string &name = schemes_.land;
        const auto scheme = land_scheme(name).make();
        for_each_batch(air_.columns, [&](int c, int n) {
            const SurfaceColumns s = surface_columns(air_, ground_, c, n, file_.time_step());
            scheme->advance(s);
            set_2m_values(s);
        });
        const std::vector<Place> land{places_[1], places_[2]};
        score(name.c_str(), "HFX", ground_.heat, land);
        score(name.c_str(), "QFX", ground_.vapour, land);
        score(name.c_str(), "T2", ground_.t2, known_places());
        score(name.c_str(), "Q2", ground_.q2, known_places());
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

    /// With WRF's numbers, which are its defaults.
    void advance_ocean() {
        const OceanLayer ocean{PhysicsConfig()};
        for (int c = 0; c < air_.columns; ++c) ground_.latent[at(c)] = latent_heat * ground_.vapour[at(c)];
        for_each_batch(air_.columns, [&](int c, int n) {
            ocean.advance(surface_columns(air_, ground_, c, n, file_.time_step()));
        });
        const Ocean &now = *ground_.ocean, &was = *before_.ocean;
        const auto score_change = [&](const char *field, const Field &ours, const Field &before) {
            score_of(results_, "ocean", std::string("change of ") + field, "sea")
                .add(change(file_.read(field, pair_, 1), before), change(ours, before), air_.columns,
                     places_[0].has);
        };
        score_change("TSK", ground_.skin, before_.skin);
        score_change("HML", now.depth, was.depth);
        score_change("HUML", now.u, was.u);
        score_change("HVML", now.v, was.v);
    }

    /// The boundary layer is given WRF's, so that it is judged by itself.
    void take_fluxes() {
        const Field heat = file_.read("HFX", pair_, 1), vapour = file_.read("QFX", pair_, 1),
                    latent = file_.read("LH", pair_, 1), skin = file_.read("TSK", pair_, 1);
        for (int c = 0; c < air_.columns; ++c)
            if (ground_.land[at(c)] > real(0.5)) {
                ground_.heat[at(c)] = heat[at(c)];
                ground_.vapour[at(c)] = vapour[at(c)];
                ground_.latent[at(c)] = latent[at(c)];
                ground_.skin[at(c)] = skin[at(c)];
            }
        if (ground_.sublayer && !ground_.sublayer->told) take_sublayer(heat, vapour);
    }

    /// Over water: what the fluxes mean that WRF's conductance gave.
    void take_sublayer(const Field &heat, const Field &vapour) {
        Sublayer &s = *ground_.sublayer;
        s.heat = file_.read("AKHS", pair_, 1), s.momentum = file_.read("AKMS", pair_, 1);
        for (int c = 0; c < air_.columns; ++c) {
            if (ground_.land[at(c)] > real(0.5)) continue;
            const real density = air_.pressure[at(c)] / (constants::r_d * air_.temperature[at(c)]);
            const real vapour_above = air_.vapour[at(c)], exchange = density * s.heat[at(c)];
            s.theta[at(c)] = air_.theta[at(c)] + heat[at(c)] / (constants::c_p * exchange);
            s.humidity[at(c)] = vapour_above / (1 + vapour_above) + vapour[at(c)] / exchange;
        }
    }

    /// As much of it as there are layers.
    static Field twice(Field energy, std::size_t points) {
        energy.resize(points);
        for (real &x : energy) x *= 2;
        return energy;
    }

    void mix() {
        const char *name = schemes_.boundary_layer.c_str();
        const auto scheme = boundary_layer_scheme(name).make(air_.nz);
        const Field heating = file_.read("RTHRATEN", pair_, 1);
        Field du(air_.u.size()), dv(du), dtheta(du), dvapour(du), dcloud(du), dice(du),
            height(ground_.height), qke(du.size()), dqke(du.size());
        if (file_.has("TKE_PBL")) qke = twice(file_.read("TKE_PBL", pair_, 0), du.size());
        Field drag, shelter;
        if (knows_terrain()) drag = file_.read("CTOPO", pair_, 0), shelter = file_.read("CTOPO2", pair_, 0);
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
                         .height = height.data() + c,
                         .terrain_drag = drag.empty() ? nullptr : drag.data() + c,
                         .shelter = shelter.empty() ? nullptr : shelter.data() + c,
                         .qke = air_.at(std::as_const(qke), c),
                         .dqke = air_.at(dqke, c)});
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
            score(name, field, *ours, everywhere);
        if (knows_terrain()) score_10m_wind(name, everywhere);
        if (!boundary_layer_scheme(name).keeps_turbulence) return;
        for (std::size_t m = 0; m < qke.size(); ++m) qke[m] += dqke[m];
        score_of(results_, name, "TKE_PBL", "all")
            .add(twice(file_.read("TKE_PBL", pair_, 1), qke.size()), qke, air_.columns,
                 [](int) { return true; });
    }

    const WrfColumns &file_;
    int pair_;
    Results &results_;
    Schemes schemes_;
    Air air_;
    Ground ground_, before_;
    std::vector<Place> places_;
};

} // namespace

void score_surface(const WrfColumns &file, Results &results) {
    for (int pair = 0; pair < file.pairs(); ++pair) Pair(file, pair, results).run();
}

} // namespace squall::columns
