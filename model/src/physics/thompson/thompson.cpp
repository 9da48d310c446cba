#include "physics/thompson/thompson.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/loop.hpp"
#include "physics/thompson/aerosol.hpp"
#include "physics/thompson/fall_speeds.hpp"
#include "physics/thompson/growth.hpp"
#include "physics/thompson/sedimentation.hpp"
#include "physics/thompson/vapour.hpp"

namespace squall {
namespace thompson {
namespace {

constexpr double least_vapour = 1e-10;

class Scheme final : public MicrophysicsScheme {
  public:
    Scheme(int nz, Counted counted)
        : counted_(counted), tables_(Tables::shared()), points_(static_cast<std::size_t>(nz)), falling_(nz),
          below_melting_point_(points_.size()), melting_(points_.size()), melting_graupel_(points_.size()),
          speed_up_(points_.size()), rain_speed_(points_.size()), density_(points_.size()),
          thinness_(points_.size()) {
        if (counts()) Freezing::shared();
    }

    void advance(const MoistColumns &c) override {
        find_tops(c);
        for (int i = 0; i < c.n; ++i) {
            layers_ = falling_.layers = counts() ? c.nz : tops_[static_cast<std::size_t>(i)] + 1;
            load(c, i);
            advance_column(c, i);
            store(c, i);
            if (counts()) emit(c, i);
        }
    }

  private:
    void load(const MoistColumns &c, int i);
    void load_aerosol(const MoistColumns &c, int i);
    void store(const MoistColumns &c, int i) const;
    void emit(const MoistColumns &c, int i) const;
    bool counts() const { return counted_ == Counted::yes; }
    void advance_column(const MoistColumns &c, int i);
    bool react(const MoistColumns &c, int i);
    void react_at(const MoistColumns &c, int i, int k, const Contents &contents);
    void fall(const MoistColumns &c, int i);
    void fall_rain(const MoistColumns &c, int i);
    void fall_cloud(const MoistColumns &c, int i);
    void fall_ice(const MoistColumns &c, int i);
    void fall_snow(const MoistColumns &c, int i);
    void fall_graupel(const MoistColumns &c, int i);
    using SpeedsOf = void (*)(const Falling &, Speeds &);
    template <class Adjusted>
    bool find_speeds(double Point::*q, double Point::*number, SpeedsOf speeds, Adjusted adjusted);
    template <class Adjusted>
    double fall_of(double Point::*q, double Point::*number, double dt, SpeedsOf speeds, Adjusted adjusted);
    int levels() const { return layers_; }
    void find_tops(const MoistColumns &c);

    Counted counted_;
    const Tables &tables_;
    int layers_ = 0; ///< of the column, those that are looked at; above them nothing happens
    std::array<int, columns_at_a_time> tops_{};
    std::vector<Point> points_; ///< of a column, from the ground up
    FallingColumn falling_;
    std::vector<char> below_melting_point_, melting_, melting_graupel_;
    std::vector<double> speed_up_, rain_speed_, density_, thinness_;
};

double temperature_of(const MoistColumns &c, int i, int k) { return double(c.theta(i, k)) * c.exner(i, k); }

/// Uppermost layers with water that is not vapour, or nearly enough vapour for it; -1: there is none.
void Scheme::find_tops(const MoistColumns &c) {
    constexpr double nearly = 1 - 1e-6;
    std::fill_n(tops_.begin(), c.n, -1);
    for (int k = 0; k < c.nz; ++k)
        for_each_i(0, c.n,
                   [k, top = tops_.data(), th = c.theta.row(k), pi = c.exner.row(k), p = c.pressure.row(k),
                    v = c.vapour.row(k), cloud = c.cloud.row(k), rain = c.rain.row(k), ice = c.ice.row(k),
                    snow = c.snow.row(k), graupel = c.graupel.row(k), drops = c.rain_number.row(k),
                    crystals = c.ice_number.row(k)](int i) {
                       const double t = double(th[i]) * pi[i];
                       const double qs =
                           std::min(saturation_over_water(t, p[i]), saturation_over_ice(t, p[i]));
                       const double room = std::min(v[i] - least_vapour, nearly * qs - v[i]);
                       const real water = std::max({std::abs(cloud[i]), std::abs(rain[i]), std::abs(ice[i]),
                                                    std::abs(snow[i]), std::abs(graupel[i]),
                                                    std::abs(drops[i]), std::abs(crystals[i])});
                       const double full = water > 0 ? -1.0 : room;
                       top[i] = full < 0 ? k : top[i];
                   });
}

/// Traces count as nothing, and are vapour; so are debts of transport.
void clear(double &q, double &vapour) {
    if (q > least) return;
    vapour += q;
    q = 0;
}

void Scheme::load(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        Point &x = points_[k];
        x.temperature = temperature_of(c, i, k);
        x.pressure = c.pressure(i, k);
        x.vapour = c.vapour(i, k);
        x.cloud = c.cloud(i, k);
        x.rain = c.rain(i, k);
        x.ice = c.ice(i, k);
        x.snow = c.snow(i, k);
        x.graupel = c.graupel(i, k);
        for (double *q : {&x.cloud, &x.rain, &x.ice, &x.snow, &x.graupel}) clear(*q, x.vapour);
        x.vapour = std::max(x.vapour, least_vapour);
        x.rain_number = x.rain == 0 ? 0.0 : double(c.rain_number(i, k));
        x.ice_number = x.ice == 0 ? 0.0 : double(c.ice_number(i, k));
        x.droplet_number = x.cloud > 0 ? droplets / density_of(x.temperature, x.pressure, x.vapour) : 0;
    }
    if (counts()) load_aerosol(c, i);
}

void Scheme::load_aerosol(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        Point &x = points_[k];
        x.water_friendly = c.water_friendly(i, k);
        x.ice_friendly = c.ice_friendly(i, k);
        if (!(x.cloud > 0)) continue;
        const double density = density_of(x.temperature, x.pressure, x.vapour);
        const double number = std::clamp(c.droplet_number(i, k) * density, no_droplets, most_droplets);
        x.droplet_number = bounded_droplets(x.cloud * density, number) / density;
    }
}

/// Where nothing happens, the bits stay, also of a zero with a sign.
void set(real &to, double now) { to = to == real(now) ? to : real(now); }

/// theta changes by what the temperature does.
void Scheme::store(const MoistColumns &c, int i) const {
    for (int k = 0; k < levels(); ++k) {
        const Point &x = points_[k];
        const double before = temperature_of(c, i, k);
        if (x.temperature != before) c.theta(i, k) += real((x.temperature - before) / c.exner(i, k));
        set(c.vapour(i, k), x.vapour);
        set(c.cloud(i, k), x.cloud);
        set(c.rain(i, k), x.rain);
        set(c.ice(i, k), x.ice);
        set(c.snow(i, k), x.snow);
        set(c.graupel(i, k), x.graupel);
        set(c.rain_number(i, k), x.rain_number);
        set(c.ice_number(i, k), x.ice_number);
        if (!counts()) continue;
        set(c.droplet_number(i, k), x.droplet_number);
        set(c.water_friendly(i, k), x.water_friendly);
        set(c.ice_friendly(i, k), x.ice_friendly);
    }
}

void Scheme::emit(const MoistColumns &c, int i) const {
    const double depth = c.depth(i, 0), ground = c.height(i, 0) - depth / 2;
    const double given = c.aerosol_source ? double(c.aerosol_source[i]) : -1;
    const double rate = given >= 0 ? given : usual_source(usual_water_friendly(depth, ground), depth);
    c.water_friendly(i, 0) += real(rate * double(c.dt));
}

void Scheme::advance_column(const MoistColumns &c, int i) {
    if (!react(c, i)) return;
    fall(c, i);
    for (int k = 0; k < levels(); ++k) {
        Point &x = points_[k];
        settle_phase(x);
        for (double *q : {&x.cloud, &x.rain, &x.ice, &x.snow, &x.graupel}) clear(*q, x.vapour);
        if (x.cloud + x.rain + x.ice + x.snow + x.graupel > 0)
            balance(x, density_of(x.temperature, x.pressure, x.vapour));
        else
            x.droplet_number = x.ice_number = x.rain_number = 0;
        if (!counts()) continue;
        x.water_friendly = bounded_aerosol(x.water_friendly, least_water_friendly);
        x.ice_friendly = bounded_aerosol(x.ice_friendly, least_ice_friendly);
    }
}

/// Points where something happens are looked at together. False: there are none.
bool Scheme::react(const MoistColumns &c, int i) {
    bool below_melting_point = false; // some layer above, or this one, is warmer
    std::array<const Point *, points_at_once> together{};
    std::array<Contents, points_at_once> contents;
    std::array<int, points_at_once> at{};
    int n = 0;
    bool any = false;
    const auto react_together = [&] {
        find_contents(together, n, counted_, contents);
        for (int m = 0; m < n; ++m) react_at(c, i, at[m], contents[m]);
        n = 0;
    };
    for (int k = levels() - 1; k >= 0; --k) {
        below_melting_point |= points_[k].celsius() > 0;
        below_melting_point_[k] = below_melting_point;
        melting_[k] = melting_graupel_[k] = 0;
        speed_up_[k] = 1;
        if (!reacts(points_[k])) continue;
        any = true;
        together[n] = &points_[k];
        at[n++] = k;
        if (n == points_at_once) react_together();
    }
    if (n > 0) react_together();
    return any;
}

void Scheme::react_at(const MoistColumns &columns, int i, int k, const Contents &c) {
    Point &x = points_[k];
    const double dt = columns.dt;
    const bool dry = below_melting_point_[k] && c.excess_water < -0.001 && (c.has_snow || c.has_graupel);
    const double bulb = dry ? wet_bulb(x.temperature, x.pressure, x.vapour) : x.temperature;
    const Step step{bulb, dt, columns.as_wrf, counted_};
    const double before = x.cloud, warmth = x.temperature;
    Growth g = growth_of(x, c, step, tables_);
    bound(g, x, c, step);
    apply(g, x, c, step);
    balance(x, c.density);
    x.vapour = std::max(x.vapour, least_vapour);
    melting_[k] = g.snow_melting > 0;
    melting_graupel_[k] = g.graupel_melting > 0;
    speed_up_[k] = g.snow_speed_up;
    const double left = x.cloud, droplets_left = x.droplet_number;
    const double condensed = far_from_cloud(x, c.over_water, warmth) ? 0
                             : counts() ? condense_on_aerosol(x, columns.updraught(i, k), dt)
                                        : condense(x);
    if (columns.as_wrf && !counts() && left > 0 && x.cloud == 0)
        leave_trace(x, before, left, droplets_left, c.density, dt);
    if (condensed <= 0) evaporate_rain(x, melting_graupel_[k], dt);
}

void Scheme::fall(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        falling_.mass[k] = c.mass(i, k);
        falling_.depth[k] = c.depth(i, k);
        density_[k] = density_of(points_[k].temperature, points_[k].pressure, points_[k].vapour);
    }
    for (int k = 0; k < levels(); ++k) thinness_[k] = thinness_of(density_[k]);
    fall_rain(c, i);
    fall_cloud(c, i);
    fall_ice(c, i);
    fall_snow(c, i);
    fall_graupel(c, i);
}

/// Sets speeds of a species; where there is none of it, those above. adjusted(speed, k): as it is in layer k.
/// False: there is none anywhere.
template <class Adjusted>
bool Scheme::find_speeds(double Point::*q, double Point::*number, SpeedsOf speeds, Adjusted adjusted) {
    constexpr double unknown = -1;
    Falling f;
    std::array<int, points_at_once> at{};
    int n = 0, found = 0;
    const auto together = [&] {
        for (int m = n; m < points_at_once; ++m) {
            f.thinness[m] = f.thinness[0];
            f.celsius[m] = f.celsius[0];
            f.content[m] = f.content[0];
            f.number[m] = f.number[0];
        }
        Speeds s;
        speeds(f, s);
        for (int m = 0; m < n; ++m) {
            falling_.speed[at[m]] = adjusted(s.mass[m], at[m]);
            falling_.number_speed[at[m]] = s.number[m];
        }
        found += n;
        n = 0;
    };
    for (int k = levels() - 1; k >= 0; --k) {
        const Point &x = points_[k];
        const double content = x.*q * density_[k];
        falling_.speed[k] = unknown;
        if (!(content > least)) continue;
        f.thinness[n] = thinness_[k];
        f.celsius[n] = x.celsius();
        f.content[n] = content;
        f.number[n] = number ? std::max(least_number, x.*number * density_[k]) : least_number;
        at[n++] = k;
        if (n == points_at_once) together();
    }
    if (n > 0) together();
    double above = 0, number_above = 0;
    for (int k = levels() - 1; k >= 0; --k) {
        const bool here = falling_.speed[k] != unknown;
        falling_.speed[k] = above = here ? falling_.speed[k] : above;
        falling_.number_speed[k] = number_above = here ? falling_.number_speed[k] : number_above;
    }
    return found > 0;
}

/// Lets a species fall; what reached the ground [kg m-2].
template <class Adjusted>
double Scheme::fall_of(double Point::*q, double Point::*number, double dt, SpeedsOf speeds,
                       Adjusted adjusted) {
    if (!find_speeds(q, number, speeds, adjusted)) return 0;
    for (int k = 0; k < levels(); ++k) {
        falling_.q[k] = points_[k].*q;
        falling_.number[k] = number ? points_[k].*number : 0.0;
    }
    const double ground = falling_.fall(dt);
    for (int k = 0; k < levels(); ++k) {
        points_[k].*q = falling_.q[k];
        if (number) points_[k].*number = falling_.number[k];
    }
    return ground;
}

double as_it_is(double speed, int) { return speed; }

void Scheme::fall_rain(const MoistColumns &c, int i) {
    c.rain_sum[i] += real(fall_of(&Point::rain, &Point::rain_number, c.dt, rain_speeds, as_it_is));
    std::copy(falling_.speed.begin(), falling_.speed.end(), rain_speed_.begin());
}

/// Fog and low cloud where the air does not rise: droplets fall in the lowest 500 m.
void Scheme::fall_cloud(const MoistColumns &c, int i) {
    int top = 0;
    double height = 0;
    for (int k = 0; k < std::min(levels(), c.nz - 1) && height <= 500; ++k) {
        const Point &x = points_[k];
        if (x.cloud * density_[k] > least_number) top = k;
        height += falling_.depth[k];
    }
    double from_above = 0, drops_from_above = 0;
    for (int k = top; k >= 0; --k) {
        Point &x = points_[k];
        const double density = density_[k], content = x.cloud * density;
        double leaving = 0, drops = 0;
        if (content > least && c.updraught(i, k) < real(0.1)) {
            const double number =
                counts() ? std::clamp(x.droplet_number * density, no_droplets, most_droplets) : droplets;
            const Droplets d = droplets_of(content, number);
            const double speed = thinness_[k] * droplet_a / (d.lambda * d.lambda);
            const double share = c.dt / falling_.depth[k] * falling_.mass[k];
            leaving = std::min(speed * (d.nu + 5) * (d.nu + 4) * share, falling_.mass[k]) * x.cloud;
            drops = std::min(speed * (d.nu + 2) * (d.nu + 1) * share, falling_.mass[k]) * x.droplet_number;
        }
        x.cloud += (from_above - leaving) / falling_.mass[k];
        x.droplet_number += (drops_from_above - drops) / falling_.mass[k];
        from_above = leaving;
        drops_from_above = drops;
    }
    c.rain_sum[i] += real(from_above);
}

void Scheme::fall_ice(const MoistColumns &c, int i) {
    const double ground = fall_of(&Point::ice, &Point::ice_number, c.dt, ice_speeds, as_it_is);
    c.rain_sum[i] += real(ground);
    c.snow_sum[i] += real(ground);
}

/// Faster where snow rimes, nearer to rain's where it melts.
void Scheme::fall_snow(const MoistColumns &c, int i) {
    const double ground = fall_of(&Point::snow, nullptr, c.dt, snow_speeds, [this](double speed, int k) {
        const double solid = points_[k].snow / (points_[k].snow + points_[k].rain);
        return melting_[k] ? speed * solid + (1 - solid) * rain_speed_[k] : speed * speed_up_[k];
    });
    c.rain_sum[i] += real(ground);
    c.snow_sum[i] += real(ground);
}

void Scheme::fall_graupel(const MoistColumns &c, int i) {
    const double ground = fall_of(&Point::graupel, nullptr, c.dt, graupel_speeds, as_it_is);
    c.rain_sum[i] += real(ground);
    c.graupel_sum[i] += real(ground);
}

} // namespace
} // namespace thompson

MicrophysicsEntry thompson_scheme() {
    MicrophysicsEntry entry{
        "ice and rain with number concentrations, Thompson et al. (2008)",
        {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
        [](int nz) { return std::make_unique<thompson::Scheme>(nz, thompson::Counted::no); },
        {Number::rain, Number::ice}};
    entry.sizes = SizesOf::thompson;
    return entry;
}

MicrophysicsEntry thompson_aerosol_scheme() {
    MicrophysicsEntry entry = thompson_scheme();
    entry.title = "ice, rain and cloud with numbers, on aerosols, Thompson and Eidhammer (2014)";
    entry.make = [](int nz) { return std::make_unique<thompson::Scheme>(nz, thompson::Counted::yes); };
    entry.numbers = {Number::rain, Number::ice, Number::droplets, Number::water_friendly,
                     Number::ice_friendly};
    return entry;
}

} // namespace squall
