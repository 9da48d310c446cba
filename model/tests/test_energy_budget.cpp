// The energy of a column: each scheme changes it by what it is given at the column's edge, to 0.1 W m-2. What
// counts as energy is each scheme's own statement, below: they differ in their latent heats and capacities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "kain_fritsch_case.hpp"
#include "mixed_heat.hpp"
#include "moist_column.hpp"
#include "mountains_case.hpp"
#include "noah_mp_case.hpp"
#include "physics/saturation.hpp"
#include "physics/thompson/air.hpp"
#include "physics/wsm6/air.hpp"
#include "radiated_column.hpp"
#include "tiedtke_case.hpp"

namespace squall {
namespace {

using test::MoistCase;
using test::NoahCase;
using test::SurfaceCase;
using test::Turbulent;
using F = SurfaceCase::Field;

/// Of a column [W m-2].
struct Budget {
    double gained = 0, given = 0;
    double turned_over = 0; ///< what was moved or changed its form: the size of what has to cancel
};

/// Heats that a scheme counts with, of air at the beginning of a step: capacity [J kg-1 K-1], heats of
/// vaporisation and fusion [J kg-1].
struct Heats {
    double capacity, vaporisation, fusion;
};

/// c_p and l_v are constants, and l_f in lin; the wsm and wdm schemes and thompson let both follow the air,
/// sublimation's being a constant; thompson melts with the heat of fusion at 0 degrees.
Heats heats_of(const std::string &scheme, double temperature, double vapour) {
    if (scheme == "condensation") return {double(constants::c_p), 2.5e6, 0};
    if (scheme == "kessler") return {1004, 2.5e6, 0};
    if (scheme == "lin") return {double(constants::c_p), 2.5e6, 3.5e5};
    if (scheme.starts_with("morrison"))
        return {double(constants::c_p) * (1 + 0.887 * vapour), 3.1484e6 - 2370 * temperature, 0.3353e6};
    if (scheme.starts_with("wsm") || scheme.starts_with("wdm")) {
        const double l_v = double(wsm6::vaporisation(real(temperature)));
        return {double(wsm6::heat_capacity_of(real(vapour))), l_v, double(wsm6::l_s) - l_v};
    }
    const double l_v = thompson::vaporisation(temperature - thompson::t0);
    const double l_f = temperature > thompson::t0 ? thompson::l_fus : thompson::l_sub - l_v;
    return {1 / thompson::per_heat_capacity(vapour), l_v, l_f};
}

/// What a storm begins from. All its layers are as warm, so that it does not matter to a budget in which of
/// them water that fell had frozen or melted.
struct Weather {
    double temperature;        ///< [K]
    double cloud, rain, solid; ///< most of each in a layer [kg kg-1]
    bool over_ice = false;     ///< vapour is near saturation over ice, else over water
};

constexpr Weather warm{290, 5e-4, 5e-4, 0}, cold{255, 5e-5, 0, 2e-4, true}, melting{273.5, 0, 2e-4, 3e-4};
/// Thompson's snow and graupel collect the cloud as ice, though they melt; those of WSM6 as rain.
constexpr Weather melting_in_cloud{273.5, 2e-4, 2e-4, 3e-4};

/// Columns whose water differs, so that rounding averages out.
struct Storm {
    static constexpr double dt = 10; ///< [s]
    MoistCase air{columns_at_a_time, 40, 250};
    ColumnStorage more{9, 41};

    Storm(const Weather &w, int variant) {
        const MoistColumns c = columns();
        for (int k = 0; k < air.nz; ++k)
            for (int i = 0; i < air.n; ++i) {
                air.set_air(i, k, w.temperature / double(c.exner(i, k)));
                const auto saturation = w.over_ice ? saturation_over_ice : saturation_over_water;
                const double saturated = double(saturation(real(w.temperature), c.pressure(i, k)));
                const double some = 0.5 + 0.5 * std::sin(1.7 * k + 0.9 * i + 2.3 * variant), less = 1 - some;
                c.vapour(i, k) = real(saturated * (0.995 + 0.01 * some));
                c.cloud(i, k) = real(w.cloud * some);
                c.rain(i, k) = real(w.rain * less);
                c.rain_number(i, k) = real(1e3);
                c.droplet_number(i, k) = real(2e8), c.nuclei(i, k) = real(3e8);
                c.ice(i, k) = w.over_ice ? real(0.1 * w.solid * some) : real(0);
                c.ice_number(i, k) = w.over_ice ? real(1e5) : real(0);
                c.snow_number(i, k) = c.graupel_number(i, k) = real(1e4);
                c.water_friendly(i, k) = real(1e8);
                c.ice_friendly(i, k) = real(1e6);
                c.snow(i, k) = real(w.solid * less);
                c.graupel(i, k) = real(w.solid * some);
            }
    }

    MoistColumns columns() {
        MoistColumns c = air.columns(dt);
        c.rain_number = more.field(0);
        c.ice_number = more.field(1);
        c.updraught = more.field(2);
        c.snow_number = more.field(3), c.graupel_number = more.field(4);
        c.droplet_number = more.field(5), c.nuclei = more.field(6);
        c.water_friendly = more.field(7), c.ice_friendly = more.field(8);
        return c;
    }
};

/// Without what a scheme does not know.
MoistColumns declared(const MicrophysicsEntry &scheme, MoistColumns c) {
    const auto knows = [&](Water water) { return std::ranges::count(scheme.waters, water) > 0; };
    if (!knows(Water::ice)) c.ice = {};
    if (!knows(Water::snow)) c.snow = {};
    if (!knows(Water::graupel)) c.graupel = {};
    return c;
}

double frozen(const MoistColumns &c, int i, int k) {
    return double(c.ice(i, k)) + double(c.snow(i, k)) + double(c.graupel(i, k));
}

/// capacity T + l_v q_v - l_f q_frozen over the mass of dry air; water that falls out takes -l_f of what is
/// frozen of it with it.
Budget of_microphysics(const std::string &name, const Weather &weather) {
    const MicrophysicsEntry &entry = microphysics_scheme(name);
    const auto scheme = entry.make(40);
    Budget sum;
    const int variants = 60;
    for (int variant = 0; variant < variants; ++variant) {
        Storm before(weather, variant), after = before;
        scheme->advance(declared(entry, after.columns()));
        const MoistColumns a = before.columns(), b = after.columns();
        for (int i = 0; i < a.n; ++i) {
            for (int k = 0; k < a.nz; ++k) {
                const Heats h = heats_of(name, weather.temperature, double(a.vapour(i, k)));
                const double mass = double(a.mass(i, k)) / Storm::dt;
                const double warming =
                    h.capacity * double(a.exner(i, k)) * (double(b.theta(i, k)) - double(a.theta(i, k)));
                sum.gained +=
                    mass * (warming + h.vaporisation * (double(b.vapour(i, k)) - double(a.vapour(i, k))) -
                            h.fusion * (frozen(b, i, k) - frozen(a, i, k)));
                sum.turned_over += mass * std::abs(warming);
            }
            const double l_f = heats_of(name, weather.temperature, 0).fusion;
            const auto n = static_cast<std::size_t>(i);
            sum.given += l_f * (double(after.air.snow[n]) + double(after.air.graupel[n])) / Storm::dt;
        }
    }
    const double columns = columns_at_a_time * variants;
    return {sum.gained / columns, sum.given / columns, sum.turned_over / columns};
}

/// Of a sheared layer over a ground without evaporation, once turbulence is there.
Budget of_boundary_layer(const std::string &name, double skin) {
    SurfaceCase made(1, 60, 50, 60);
    made.set(SurfaceCase::skin, skin);
    made.set(SurfaceCase::availability, 0);
    made.set(SurfaceCase::surface_vapour, 1e-12);
    test::make_hydrostatic(made, 0.004);
    for (int k = 0; k < made.nz; ++k) made.set_all(F::u, k, 10 + 8 * std::tanh(k / 10.0));
    Turbulent t(std::move(made), name);
    t.find_fluxes();
    t.c.set(SurfaceCase::vapour, 0);
    for (int n = 0; n < 40; ++n) t.take_step();
    t.mix();
    const test::MixedHeat heat = test::mixed_heat(name);
    Budget b;
    for (int k = 0; k < t.c.nz; ++k) {
        const double layer = heat.mass(t, k) * heat.change(t, k) / double(t.c.dt);
        b.gained += layer;
        b.turned_over += std::abs(layer);
    }
    b.given = heat.given(t.c);
    return b;
}

/// The soil's heat over 15 minutes, in which the deepest layer that changes does not feel the ground:
/// radiation less what goes into the air, at the skin's temperature of the beginning of each step.
Budget of_slab() {
    SurfaceCase c(1, 40, 50, 30);
    c.set(SurfaceCase::skin, 290);
    const auto above = surface_layer_scheme("revised-mm5").make();
    const auto below = land_scheme("slab").make();
    const auto stored = [&c] {
        double sum = 0, thickness = 0.01;
        for (int k = 0; k < 4; ++k, thickness *= 2)
            sum += 5.9114e7 * double(c.at(SurfaceCase::inertia)) * thickness * double(c.soil.field(0)(0, k));
        return sum;
    };
    const int steps = 30;
    const double before = stored();
    Budget b;
    for (int n = 0; n < steps; ++n) {
        const double skin = c.at(SurfaceCase::skin), emissivity = c.at(SurfaceCase::emissivity);
        above->exchange(c.surface());
        below->advance(c.surface());
        const double radiation =
            double(c.at(SurfaceCase::shortwave)) +
            emissivity * (double(c.at(SurfaceCase::longwave)) - 5.67051e-8 * std::pow(skin, 4));
        const double up = double(c.at(SurfaceCase::heat)) + 2.5e6 * double(c.at(SurfaceCase::vapour));
        b.given += (radiation - up) / steps;
        b.turned_over += (std::abs(radiation) + std::abs(up)) / steps;
    }
    b.gained = (stored() - before) / (steps * double(c.dt));
    return b;
}

/// The skin, which holds no heat: what it takes up of radiation, and what it gives to air and soil. Its own
/// thermal radiation is linear around the air's temperature, as Penman's equation has it.
Budget of_noah(double sunlight) {
    NoahCase c;
    c.set_land(NoahCase::sunlight, sunlight);
    c.set(SurfaceCase::skin, 300);
    c.advance(20);
    const double air = c.at(SurfaceCase::temperature), vapour = c.air.field(F::q)(0, 0);
    const double emissivity = c.of_land(NoahCase::emissivity_now);
    const double off = (double(c.at(SurfaceCase::skin)) - air) / air / (1 + 0.61 * vapour / (1 + vapour));
    const double heat = c.at(SurfaceCase::heat), latent = c.at(SurfaceCase::latent);
    const double ground = c.of_land(NoahCase::ground_heat);
    Budget b;
    b.gained = sunlight * (1 - double(c.of_land(NoahCase::albedo))) +
               emissivity * double(c.at(SurfaceCase::longwave));
    b.given = heat + latent - ground + emissivity * 5.67e-8 * std::pow(air, 4) * (1 + 4 * off);
    b.turned_over = std::abs(heat) + std::abs(latent) + std::abs(ground);
    return b;
}

Budget of_noah_mp(double sunlight) {
    const test::LeafBudget b = test::leaf_budget(sunlight);
    return {b.gained, b.given, b.turned_over};
}

/// What a run's radiation warms its air by, and what goes in and out at the ground and at the run's top.
Budget of_radiation(const std::string &scheme) {
    const test::RadiatedColumn c(scheme);
    Budget b;
    for (const double layer : c.warming) {
        b.gained += layer;
        b.turned_over += std::abs(layer);
    }
    b.given = c.net_down(c.nz) - c.net_down(0);
    return b;
}

/// Enthalpy with the latent heat of vapour and ice and the wind's energy; rain has none, and nothing comes
/// in.
Budget of_tiedtke(double humidity) {
    test::Tropics c(1, humidity);
    c.convect();
    return {c.energy(), 0, c.integral([&](int k) { return std::abs(c.warming_of(k)); })};
}

Budget of_tiedtke_1989(double humidity) {
    test::SuppliedTropics c(humidity);
    c.convect();
    return {c.energy(), 0, c.integral([&](int k) { return std::abs(c.warming_of(k)); })};
}

Budget of_grell_freitas(const std::string &scheme, double humidity) {
    test::ForcedTropics c(humidity);
    c.scheme = scheme;
    c.convect();
    return {c.energy(), 0, c.integral([&](int k) { return std::abs(c.warming_of(k)); })};
}

/// Enthalpy with the latent heat of vapour and of all that is frozen; rain has none, and nothing comes in.
/// Without snow in the run all water is liquid.
Budget of_kain_fritsch(test::PlumeCase c, bool has_snow = true) {
    c.has_snow = has_snow;
    c.convect();
    return {c.energy(), 0, c.turned_over()};
}

/// What wind loses of its energy is heat; of the column in which it loses most.
Budget of_drag() {
    test::WindyMountains m(32);
    m.drag();
    Budget b;
    for (int i = 0; i < m.n; ++i)
        if (m.warmed(i) > b.turned_over) b = {m.warmed(i), m.slowed(i), m.warmed(i)};
    return b;
}

/// The schemes of radiation whose tables are here, or that need none.
std::vector<std::string> radiations_here() {
    std::vector<std::string> all;
    for (const auto &[name, entry] : radiation::schemes()) try {
            entry.check("");
            all.push_back(name);
        } catch (const std::runtime_error &) {
        }
    return all;
}

struct Case {
    std::string scheme, when;
    std::function<Budget()> budget;
    double within = 0.1; ///< [W m-2]
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.scheme << ", " << c.when; }

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto storm = [&all](const std::string &scheme, const std::string &when, const Weather &w) {
        all.push_back({scheme, when, [=] { return of_microphysics(scheme, w); }});
    };
    for (const std::string scheme : {"condensation", "kessler", "lin", "morrison", "morrison-graupel", "wsm3",
                                     "wsm5", "wsm6", "wdm5", "wdm6", "thompson", "thompson-aerosol"})
        storm(scheme, "warm", warm);
    for (const std::string scheme : {"lin", "morrison", "morrison-graupel", "wsm5", "wsm6", "wdm5", "wdm6",
                                     "thompson", "thompson-aerosol"}) { // wsm3 keeps none where it freezes
        storm(scheme, "cold", cold);
        storm(scheme, "melting", melting);
    }
    // Single precision rounds theta by 3e-5 K, some thousand times.
    for (Case &c : all)
        if ((c.scheme == "wsm5" && c.when == "melting") || (c.scheme == "lin" && c.when == "warm") ||
            (c.scheme.starts_with("morrison") && c.when != "warm"))
            c.within = sizeof(real) == 4 ? 0.3 : 1e-6;
    for (Case &c : all) // of 1e4 W m-2 turned over
        if (c.scheme.starts_with("wdm")) c.within = sizeof(real) == 4 ? 1 : 0.01;
    storm("thompson", "melting_in_cloud", melting_in_cloud);
    for (const std::string scheme :
         {"bulk", "ysu", "myj", "mynn", "mynn-edmf", "mynn-edmf-advected", "mynn-edmf-blended", "resolved"})
        for (const auto &[when, skin] : {std::pair("day", 312.0), {"morning", 304.0}, {"night", 290.0}})
            all.push_back({scheme, when, [=, t = skin] { return of_boundary_layer(scheme, t); }});
    all.push_back({"slab", "day", of_slab});
    all.push_back({"noah", "day", [] { return of_noah(500); }});
    all.push_back({"noah", "night", [] { return of_noah(0); }});
    all.push_back({"noah-mp", "day", [] { return of_noah_mp(500); }});
    all.push_back({"noah-mp", "night", [] { return of_noah_mp(0); }});
    all.push_back({"tiedtke", "humid", [] { return of_tiedtke(0.85); }});
    all.push_back({"tiedtke", "wet", [] { return of_tiedtke(0.95); }});
    all.push_back({"tiedtke-1989", "humid", [] { return of_tiedtke_1989(0.85); }});
    all.push_back({"tiedtke-1989", "wet", [] { return of_tiedtke_1989(0.95); }});
    for (const std::string scheme : {"grell-freitas", "grell-freitas-shallow"}) {
        all.push_back({scheme, "humid", [=] { return of_grell_freitas(scheme, 0.92); }});
        all.push_back({scheme, "wet", [=] { return of_grell_freitas(scheme, 0.95); }});
    }
    for (const auto &[when, humidity] : {std::pair("humid", 0.85), {"wet", 0.95}})
        all.push_back(
            {"kain-fritsch", when, [h = humidity] { return of_kain_fritsch(test::UnstableAir(1, h)); }});
    all.push_back(
        {"kain-fritsch", "without_snow", [] { return of_kain_fritsch(test::UnstableAir(), false); }});
    all.push_back({"kain-fritsch", "shallow", [] { return of_kain_fritsch(test::TradeWinds()); }});
    all.push_back({"kim-arakawa", "windy", of_drag});
    for (const std::string &scheme : radiations_here())
        all.push_back({scheme, "noon", [=] { return of_radiation(scheme); }});
    return all;
}

class EnergyBudget : public testing::TestWithParam<Case> {};

TEST_P(EnergyBudget, Closes) {
    const Budget b = GetParam().budget();
    EXPECT_NEAR(b.gained, b.given, GetParam().within) << "of " << b.turned_over << " W m-2 turned over";
    EXPECT_GT(b.turned_over, 10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, EnergyBudget, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &c) {
                             return std::regex_replace(c.param.scheme, std::regex("-"), "_") + "_" +
                                    c.param.when;
                         });

TEST(EnergyBudgets, NoSchemeIsLeftOut) {
    std::set<std::string> held, there;
    for (const Case &c : cases()) held.insert(c.scheme);
    const auto add = [&there](const auto &schemes) {
        for (const auto &[name, entry] : schemes) there.insert(name);
    };
    add(microphysics_schemes());
    add(boundary_layer_schemes());
    add(land_schemes());
    add(cumulus_schemes());
    add(gravity_wave_drag_schemes());
    for (const std::string &scheme : radiations_here()) there.insert(scheme);
    EXPECT_TRUE(there.contains("broadband")); // on any machine
    EXPECT_EQ(held, there);
}

} // namespace
} // namespace squall
