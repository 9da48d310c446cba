// Convection that the grid does not resolve, where none went on before.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/cumulus_scheme.hpp"
#include "score.hpp"

namespace squall::columns {
namespace {

/// WRF's cu_physics.
constexpr int kain_fritsch = 1, grell_freitas = 3, old_tiedtke = 6;

/// Of rows along the sides, in which WRF calls no Grell-Freitas.
constexpr int rim = 4;

/// Of convection that counts [K s-1]: a few units in the last place of WRF's temperature over a step, whose
/// difference some of its schemes write.
constexpr real least_heating = real(1e-6);

/// What a scheme makes of a pair's columns.
struct Convection {
    Field heating, vapour, cloud, rain, ice, snow, remaining, rate;

    explicit Convection(const Air &air)
        : heating(air.theta.size()), vapour(heating), cloud(heating), rain(heating), ice(heating),
          snow(heating), remaining(static_cast<std::size_t>(air.columns)), rate(remaining) {}

    bool in(int c, int columns) const {
        for (std::size_t m = static_cast<std::size_t>(c); m < heating.size();
             m += static_cast<std::size_t>(columns))
            if (std::abs(heating[m]) > least_heating) return true;
        return false;
    }
};

/// What else a scheme is told.
struct Forcing {
    Field theta, vapour, heat_flux, vapour_flux, land, w, ground, boundary_layer;

    Forcing(const WrfColumns &file, int pair)
        : theta(file.read("RTHBLTEN", pair, 1)), vapour(file.read("RQVBLTEN", pair, 1)),
          heat_flux(file.read("HFX", pair, 1)), vapour_flux(file.read("QFX", pair, 1)),
          land(file.read("XLAND", pair, 1)), w(file.read("W", pair, 0)), ground(file.read("HGT", pair, 1)),
          boundary_layer(file.read("PBLH", pair, 1)) {
        add(file.read("RTHRATEN", pair, 1), theta);
        // Advection is the step's before, which WRF keeps for those of its schemes that ask for it.
        if (file.has("RTHFTEN")) add(file.read("RTHFTEN", pair, 0), theta);
        if (file.has("RQVFTEN")) add(file.read("RQVFTEN", pair, 0), vapour);
        for (real &x : ground) x *= constants::g;
        for (real &x : land) x = 2 - x;
    }

  private:
    static void add(const Field &more, Field &sum) {
        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += more[m];
    }
};

/// Of values at interfaces, those at the middle of layers.
Field middle(const Field &w, const Air &air) {
    const auto n = static_cast<std::size_t>(air.columns);
    Field mean(air.theta.size());
    for (std::size_t m = 0; m < mean.size(); ++m) mean[m] = real(0.5) * (w[m] + w[m + n]);
    return mean;
}

/// How many of some columns have something.
struct Share {
    std::size_t some = 0, all = 0;
    void count(bool has) { some += has, ++all; }
    double share() const { return double(some) / double(all); }
};

void convect(const std::string &name, const Air &a, const Field &density, const Field &updraught,
             const Field &spacing, const Forcing &forcing, real dt, Convection &out) {
    const auto scheme = cumulus_scheme(name).make(a.nz);
    for (int c = 0; c < a.columns; c += columns_at_a_time) {
        const auto at = [&](Field &f) { return a.at(f, c); };
        scheme->convect({.n = std::min(columns_at_a_time, a.columns - c),
                         .nz = a.nz,
                         .dt = dt,
                         .interval = dt,
                         .as_wrf = true,
                         .has_ice = true,
                         .has_snow = true,
                         .pressure = a.at(a.middle, c),
                         .temperature = a.at(a.temperature, c),
                         .exner = a.at(a.exner, c),
                         .vapour = a.at(a.vapour, c),
                         .density = a.at(density, c),
                         .depth = a.at(a.depth, c),
                         .u = a.at(a.u, c),
                         .v = a.at(a.v, c),
                         .updraught = a.at(updraught, c),
                         .spacing = spacing.data() + c,
                         .heating = at(out.heating),
                         .dvapour = at(out.vapour),
                         .dcloud = at(out.cloud),
                         .drain = at(out.rain),
                         .dice = at(out.ice),
                         .dsnow = at(out.snow),
                         .remaining = out.remaining.data() + c,
                         .rate = out.rate.data() + c,
                         .forced_theta = a.at(forcing.theta, c),
                         .forced_vapour = a.at(forcing.vapour, c),
                         .heat_flux = forcing.heat_flux.data() + c,
                         .vapour_flux = forcing.vapour_flux.data() + c,
                         .land = forcing.land.data() + c,
                         .w = a.at(forcing.w, c),
                         .ground = forcing.ground.data() + c,
                         .boundary_layer = forcing.boundary_layer.data() + c});
    }
}

/// What a scheme makes of a pair's columns. The mean of w is the step's own, where WRF writes one, and the
/// spacing WRF's one for all columns.
Convection made_by(const std::string &name, const WrfColumns &file, int pair, const Air &air) {
    Field density = air.density;
    for (std::size_t m = 0; m < density.size(); ++m) density[m] *= 1 + air.vapour[m];
    const Field updraught =
        file.has("W0AVG") ? file.read("W0AVG", pair, 1) : middle(file.read("W", pair, 0), air);
    const Field spacing(static_cast<std::size_t>(air.columns), real(file.spacing()));
    Convection made(air);
    convect(name, air, density, updraught, spacing, Forcing(file, pair), real(file.time_step()), made);
    return made;
}

/// Of WRF's own scheme: where there is convection, and its tendencies. Where WRF has none in a whole file,
/// all its columns count.
void score_scheme(const std::string &name, const WrfColumns &file, Results &results) {
    std::size_t quiet = 0, convecting = 0;
    const auto whereabouts = [&]() -> Score & {
        return score_of(results, name, "columns with convection in only one of the two", "all");
    };
    for (int pair = 0; pair < file.pairs(); ++pair) {
        const Air air = file.air(pair);
        const Convection ours = made_by(name, file, pair, air);
        Convection theirs(air);
        theirs.heating = file.read("RTHCUTEN", pair, 1);
        const Field went_on = file.read("NCA", pair, 0); // Kain-Fritsch alone has such
        const bool not_in_rim = file.cumulus_scheme() == grell_freitas;
        const std::function<bool(int)> free = [&](int c) {
            return went_on[static_cast<std::size_t>(c)] <= 0 && !(not_in_rim && file.in_rim(c, rim));
        };
        std::size_t either = 0, one = 0, wrfs = 0;
        for (int c = 0; c < air.columns; ++c) {
            if (!free(c)) continue;
            const bool here = ours.in(c, air.columns), there = theirs.in(c, air.columns);
            either += here || there;
            one += here != there;
            wrfs += there;
            quiet += !here && !there;
        }
        convecting += either;
        if (either > 0) whereabouts().add_share(one, either);
        if (wrfs == 0) continue;
        for (const auto &[field, mine] : {std::pair("RTHCUTEN", &ours.heating),
                                          {"RQVCUTEN", &ours.vapour},
                                          {"RQCCUTEN", &ours.cloud},
                                          {"RQICUTEN", &ours.ice}})
            score_of(results, name, field, "all").add(file.read(field, pair, 1), *mine, air.columns, free);
    }
    if (convecting == 0) whereabouts().add_share(0, quiet);
}

/// Of another scheme no more is to be expected than that it knows where there is rain.
void score_whereabouts(const std::string &name, const WrfColumns &file, Results &results) {
    Share there_too, elsewhere;
    for (int pair = 0; pair < file.pairs(); ++pair) {
        const Air air = file.air(pair);
        const Convection ours = made_by(name, file, pair, air);
        const Field rain = file.read("RAINCV", pair, 1);
        for (std::size_t c = 0; c < rain.size(); ++c)
            (rain[c] > 0 ? there_too : elsewhere).count(ours.rate[c] > 0);
    }
    score_of(results, name, "share of columns with rain: outside of WRF's convective rain over inside", "all")
        .set(there_too.some > 0 ? elsewhere.share() / there_too.share() : 1, elsewhere.all + there_too.all);
}

} // namespace

void score_cumulus(const WrfColumns &file, Results &results) {
    if (!file.has("RTHCUTEN")) return;
    if (file.cumulus_scheme() == kain_fritsch) {
        score_scheme("kain-fritsch", file, results);
        score_whereabouts("tiedtke", file, results);
    } else if (file.cumulus_scheme() == grell_freitas)
        score_scheme("grell-freitas", file, results);
    else if (file.cumulus_scheme() == old_tiedtke)
        score_scheme("tiedtke-1989", file, results);
}

} // namespace squall::columns
