// Surface layer, land and boundary layer, one after the other as in a step.
#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// What a scheme with plumes reads besides, and what it carries. WRF's files lack the variance of water: the
/// scheme has it no less than some share of water.
struct Eddies {
    Field w, snow, ice_number, dice_number, variance, length, cover, cloud_water, cloud_ice;

    Eddies(std::size_t points, const WrfColumns &file, int pair) {
        const auto read = [&](const char *name) {
            Field field = file.has(name) ? file.read(name, pair, 0) : Field(points);
            field.resize(points); // what is at interfaces has one more
            return field;
        };
        w = read("W"), snow = read("QSNOW"), ice_number = read("QNICE");
        variance = read("QSQ"), length = read("EL_PBL");
        for (Field *f : {&dice_number, &cover, &cloud_water, &cloud_ice}) f->resize(points);
    }
    EddyColumns at(int c, int columns) {
        const auto of = [&](Field &f) { return Columns{f.data() + c, columns}; };
        return {of(variance), of(length), of(cover), of(cloud_water), of(cloud_ice)};
    }
};

/// What a boundary layer scheme sets: increments, height and turbulence.
struct Mixed {
    Field du, dv, dtheta, dvapour, dcloud, dice, height, qke, dqke;
    Eddies eddies;

    Mixed(const Air &air, const Field &height_before, const WrfColumns &file, int pair)
        : du(air.u.size()), dv(du), dtheta(du), dvapour(du), dcloud(du), dice(du), height(height_before),
          qke(du.size()), dqke(du.size()), eddies(du.size(), file, pair) {}
};

/// 1 or -1, as drawn for a layer.
real sign(std::uint32_t k, std::uint32_t pattern) {
    std::uint32_t x = k * 2654435761u + pattern * 40503u * 65536u + 12345u;
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    return ((x ^ x >> 12) & 1) != 0 ? real(1) : real(-1);
}

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
        Field into = ground_.water->ground_heat;
        if (ground_.canopy) // whose heat WRF counts downward
            for (real &x : into) x = -x;
        score(name.c_str(), "GRDFLX", into, land);
        score_change("SMOIS", ground_.water->moisture, before_.water->moisture);
        score_change("CANWAT", ground_.water->canopy, before_.water->canopy);
        if (!ground_.canopy) return;
        score(name.c_str(), "ALBEDO", ground_.albedo, land);
        score(name.c_str(), "EMISS", ground_.emissivity, land);
        score_change("TV", ground_.canopy->leaf, before_.canopy->leaf);
        score_change("TG", ground_.canopy->ground, before_.canopy->ground);
        const auto none = [](real mass) { return mass == 0; };
        if (std::ranges::all_of(ground_.water->snow_water, none)) return;
        score_change("SNOW", ground_.water->snow_water, before_.water->snow_water);
        score_change("SNOWH", ground_.water->snow_depth, before_.water->snow_depth);
        score_change("TSNO", ground_.canopy->snow_temperature, before_.canopy->snow_temperature);
        score_change("SNLIQ", ground_.canopy->snow_liquid, before_.canopy->snow_liquid);
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
        if (keeps_eddies()) take_all_fluxes();
    }

    bool keeps_eddies() const {
        return !schemes_.boundary_layer.empty() &&
               boundary_layer_scheme(schemes_.boundary_layer).keeps_eddies;
    }

    /// Over water too, and drag: whether there are plumes hangs on a threshold.
    void take_all_fluxes() {
        for (const auto &[field, name] : {std::pair(&ground_.heat, "HFX"),
                                          {&ground_.vapour, "QFX"},
                                          {&ground_.ust, "UST"},
                                          {&ground_.speed, "WSPD"}})
            *field = file_.read(name, pair_, 1);
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

    /// What the boundary layer makes of `air`.
    Mixed mixed(const Air &air) {
        const auto scheme = boundary_layer_scheme(schemes_.boundary_layer).make(air.nz);
        const Field heating = file_.read("RTHRATEN", pair_, 1);
        Mixed m(air, ground_.height, file_, pair_);
        if (file_.has("QKE"))
            m.qke = file_.read("QKE", pair_, 0);
        else if (file_.has("TKE_PBL"))
            m.qke = twice(file_.read("TKE_PBL", pair_, 0), m.du.size());
        Field drag, shelter;
        if (knows_terrain()) drag = file_.read("CTOPO", pair_, 0), shelter = file_.read("CTOPO2", pair_, 0);
        const auto dt = real(file_.time_step());
        for_each_batch(air.columns, [&](int c, int n) {
            const SurfaceColumns s = surface_columns(air, ground_, c, n, dt);
            scheme->mix({.n = n,
                         .nz = air.nz,
                         .dt = dt,
                         .pressure = air.at(air.pressure, c),
                         .density = air.at(air.density, c),
                         .depth = air.at(air.depth, c),
                         .u = air.at(air.u, c),
                         .v = air.at(air.v, c),
                         .theta = air.at(air.theta, c),
                         .vapour = air.at(air.vapour, c),
                         .surface_temperature = s.skin_temperature,
                         .wetness = s.availability,
                         .du = at(m.du, c),
                         .dv = at(m.dv, c),
                         .dtheta = at(m.dtheta, c),
                         .dvapour = at(m.dvapour, c),
                         .as_wrf = true,
                         .surface = &s,
                         .exner = air.at(air.exner, c),
                         .weight = air.at(air.weight, c),
                         .cloud = air.at(air.cloud, c),
                         .ice = air.at(air.ice, c),
                         .dcloud = at(m.dcloud, c),
                         .dice = at(m.dice, c),
                         .radiative_heating = air.at(heating, c),
                         .height = m.height.data() + c,
                         .terrain_drag = drag.empty() ? nullptr : drag.data() + c,
                         .shelter = shelter.empty() ? nullptr : shelter.data() + c,
                         .qke = air.at(std::as_const(m.qke), c),
                         .dqke = at(m.dqke, c),
                         .w = air.at(std::as_const(m.eddies.w), c),
                         .snow = air.at(std::as_const(m.eddies.snow), c),
                         .ice_number = air.at(std::as_const(m.eddies.ice_number), c),
                         .dice_number = at(m.eddies.dice_number, c),
                         .eddies = m.eddies.at(c, air.columns)});
        });
        return m;
    }
    Columns at(Field &f, int c) const { return {f.data() + c, air_.columns}; }

    void mix() {
        const char *name = schemes_.boundary_layer.c_str();
        Mixed m = mixed(air_);
        std::vector<Place> where{{"all", [](int) { return true; }}};
        std::vector<bool> beyond;
        if (keeps_eddies()) {
            beyond = beyond_a_threshold(m);
            where = {{"others", [&](int c) { return !beyond[at(c)]; }}};
            score_of(results_, name, "columns at a threshold", "all")
                .add_share(static_cast<std::size_t>(std::ranges::count(beyond, true)), beyond.size());
        }
        const auto dt = real(file_.time_step());
        for (Field *f : {&m.du, &m.dv, &m.dtheta, &m.dvapour, &m.dcloud, &m.dice})
            for (real &x : *f) x /= dt;
        for (const auto &[field, ours] : {std::pair("RUBLTEN", &m.du),
                                          {"RVBLTEN", &m.dv},
                                          {"RTHBLTEN", &m.dtheta},
                                          {"RQVBLTEN", &m.dvapour},
                                          {"RQCBLTEN", &m.dcloud},
                                          {"PBLH", &m.height}})
            score(name, field, *ours, where);
        if (knows_terrain()) score_10m_wind(name, where);
        if (!boundary_layer_scheme(name).keeps_turbulence) return;
        for (std::size_t n = 0; n < m.qke.size(); ++n) m.qke[n] += m.dqke[n];
        if (!keeps_eddies()) {
            score_of(results_, name, "TKE_PBL", "all")
                .add(twice(file_.read("TKE_PBL", pair_, 1), m.qke.size()), m.qke, air_.columns, where[0].has);
            return;
        }
        score(name, "RQIBLTEN", m.dice, where);
        score(name, "QKE", m.qke, where);
    }

    /// Whether a column is on a threshold of the scheme, and WRF's on its other side: what a scheme makes of
    /// it differs much from WRF's, and as much from what it makes with a millionth more or less of theta in
    /// its layers. Then a plume reaches a layer more, or there is none.
    std::vector<bool> beyond_a_threshold(const Mixed &as_it_is) {
        constexpr std::pair<const char *, Field Mixed::*> watched[] = {
            {"RTHBLTEN", &Mixed::dtheta}, {"RQVBLTEN", &Mixed::dvapour}, {"RQCBLTEN", &Mixed::dcloud}};
        std::vector<bool> flips(at(air_.columns)), beyond(flips);
        for (std::uint32_t pattern = 0; pattern < 8; ++pattern) {
            Air air = air_;
            for (int k = 0; k < air.nz; ++k)
                for (int c = 0; c < air.columns; ++c)
                    air.theta[at(k * air.columns + c)] *= 1 + real(1e-6) * sign(std::uint32_t(k), pattern);
            const Mixed other = mixed(air);
            for (const auto &[name, member] : watched)
                for (int c = 0; c < air.columns; ++c)
                    if (differ(as_it_is.*member, other.*member, c)) flips[at(c)] = true;
        }
        for (const auto &[name, member] : watched) {
            Field wrf = file_.read(name, pair_, 1);
            for (real &x : wrf) x *= real(file_.time_step());
            for (int c = 0; c < air_.columns; ++c)
                if (flips[at(c)] && differ(wrf, as_it_is.*member, c)) beyond[at(c)] = true;
        }
        return beyond;
    }

    /// By more than a fifth of the largest in the column.
    bool differ(const Field &a, const Field &b, int c) const {
        real most = 0, apart = 0;
        for (int k = 0; k < air_.nz; ++k) {
            const std::size_t n = at(k * air_.columns + c);
            most = std::max(most, std::abs(a[n]));
            apart = std::max(apart, std::abs(a[n] - b[n]));
        }
        return apart > real(0.2) * most + real(1e-12);
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
