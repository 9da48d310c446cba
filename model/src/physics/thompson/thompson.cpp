#include "physics/thompson/thompson.hpp"

#include <algorithm>
#include <cmath>

#include "physics/thompson/aerosol.hpp"
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
        : counted_(counted), tables_(Tables::shared()), points_(static_cast<std::size_t>(nz)),
          before_(points_), falling_(nz), melting_(points_.size()), melting_graupel_(points_.size()),
          speed_up_(points_.size()), rain_speed_(points_.size()) {
        if (counts()) Freezing::shared();
    }

    void advance(const MoistColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            load(c, i);
            if (!at_rest()) advance_column(c, i);
            store(c, i);
            if (counts()) emit(c, i);
        }
    }

  private:
    void load(const MoistColumns &c, int i);
    void load_aerosol(const MoistColumns &c, int i);
    void store(const MoistColumns &c, int i) const;
    void store_aerosol(const MoistColumns &c, int i) const;
    void emit(const MoistColumns &c, int i) const;
    bool counts() const { return counted_ == Counted::yes; }
    bool at_rest() const;
    void advance_column(const MoistColumns &c, int i);
    void react(const MoistColumns &c, int i);
    void fall(const MoistColumns &c, int i);
    void fall_rain(const MoistColumns &c, int i);
    void fall_cloud(const MoistColumns &c, int i);
    void fall_ice(const MoistColumns &c, int i);
    void fall_snow(const MoistColumns &c, int i);
    void fall_graupel(const MoistColumns &c, int i);
    template <class Speeds> double fall_of(double Point::*q, double Point::*number, double dt, Speeds speeds);
    int levels() const { return static_cast<int>(points_.size()); }

    Counted counted_;
    const Tables &tables_;
    std::vector<Point> points_, before_; ///< of a column, from the ground up
    FallingColumn falling_;
    std::vector<char> melting_, melting_graupel_;
    std::vector<double> speed_up_, rain_speed_;
};

/// Traces count as nothing, and are vapour; so are debts of transport.
void clear(double &q, double &vapour) {
    if (q > least) return;
    vapour += q;
    q = 0;
}

void Scheme::load(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        Point &x = points_[k];
        x = {double(c.theta(i, k)) * c.exner(i, k),
             c.pressure(i, k),
             c.vapour(i, k),
             c.cloud(i, k),
             c.rain(i, k),
             c.ice(i, k),
             c.snow(i, k),
             c.graupel(i, k),
             c.rain_number(i, k),
             c.ice_number(i, k),
             0};
        before_[k] = x;
        for (double *q : {&x.cloud, &x.rain, &x.ice, &x.snow, &x.graupel}) clear(*q, x.vapour);
        x.vapour = std::max(x.vapour, least_vapour);
        if (x.rain == 0) x.rain_number = 0;
        if (x.ice == 0) x.ice_number = 0;
        x.droplet_number = x.cloud > 0 ? droplets / density_of(x.temperature, x.pressure, x.vapour) : 0;
    }
    if (counts()) load_aerosol(c, i);
}

void Scheme::load_aerosol(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        Point &x = points_[k], &before = before_[k];
        before.droplet_number = c.droplet_number(i, k);
        x.water_friendly = before.water_friendly = c.water_friendly(i, k);
        x.ice_friendly = before.ice_friendly = c.ice_friendly(i, k);
        if (!(x.cloud > 0)) continue;
        const double density = density_of(x.temperature, x.pressure, x.vapour);
        const double number = std::clamp(before.droplet_number * density, no_droplets, most_droplets);
        x.droplet_number = bounded_droplets(x.cloud * density, number) / density;
    }
}

/// theta changes by what the temperature does, so that where nothing happens it keeps its bits.
void Scheme::store(const MoistColumns &c, int i) const {
    for (int k = 0; k < levels(); ++k) {
        const Point &x = points_[k], &before = before_[k];
        c.theta(i, k) += real((x.temperature - before.temperature) / c.exner(i, k));
        const auto set = [&](Columns q, double now, double then) {
            if (now != then) q(i, k) = real(now);
        };
        set(c.vapour, x.vapour, before.vapour);
        set(c.cloud, x.cloud, before.cloud);
        set(c.rain, x.rain, before.rain);
        set(c.ice, x.ice, before.ice);
        set(c.snow, x.snow, before.snow);
        set(c.graupel, x.graupel, before.graupel);
        set(c.rain_number, x.rain_number, before.rain_number);
        set(c.ice_number, x.ice_number, before.ice_number);
    }
    if (counts()) store_aerosol(c, i);
}

void Scheme::store_aerosol(const MoistColumns &c, int i) const {
    for (int k = 0; k < levels(); ++k) {
        const Point &x = points_[k], &before = before_[k];
        const auto set = [&](Columns number, double now, double then) {
            if (now != then) number(i, k) = real(now);
        };
        set(c.droplet_number, x.droplet_number, before.droplet_number);
        set(c.water_friendly, x.water_friendly, before.water_friendly);
        set(c.ice_friendly, x.ice_friendly, before.ice_friendly);
    }
}

void Scheme::emit(const MoistColumns &c, int i) const {
    const double depth = c.depth(i, 0), ground = c.height(i, 0) - depth / 2;
    const double given = c.aerosol_source ? double(c.aerosol_source[i]) : -1;
    const double rate = given >= 0 ? given : usual_source(usual_water_friendly(depth, ground), depth);
    c.water_friendly(i, 0) += real(rate * double(c.dt));
}

/// No water but vapour, and nowhere enough of it for ice.
bool Scheme::at_rest() const {
    return std::all_of(points_.begin(), points_.end(), [](const Point &x) {
        if (x.cloud + x.rain + x.ice + x.snow + x.graupel > 0) return false;
        const double qs = x.celsius() <= 0 ? saturation_over_ice(x.temperature, x.pressure)
                                           : saturation_over_water(x.temperature, x.pressure);
        return x.vapour <= qs * (1 + tiny);
    });
}

void Scheme::advance_column(const MoistColumns &c, int i) {
    react(c, i);
    fall(c, i);
    for (Point &x : points_) {
        settle_phase(x);
        for (double *q : {&x.cloud, &x.rain, &x.ice, &x.snow, &x.graupel}) clear(*q, x.vapour);
        const double density = density_of(x.temperature, x.pressure, x.vapour);
        balance(x, density);
        x.water_friendly = bounded_aerosol(x.water_friendly, least_water_friendly);
        x.ice_friendly = bounded_aerosol(x.ice_friendly, least_ice_friendly);
    }
}

void Scheme::react(const MoistColumns &columns, int i) {
    const double dt = columns.dt;
    bool below_melting_point = false; // some layer above, or this one, is warmer
    for (int k = levels() - 1; k >= 0; --k) {
        Point &x = points_[k];
        below_melting_point |= x.celsius() > 0;
        melting_[k] = melting_graupel_[k] = 0;
        speed_up_[k] = 1;
        const bool quiet = x.cloud + x.rain + x.ice + x.snow + x.graupel == 0;
        const Contents c(x, counted_);
        if (quiet && c.excess_ice <= 0 && c.excess_water <= 0) continue;
        const bool dry = below_melting_point && c.excess_water < -0.001 && (c.has_snow || c.has_graupel);
        const double bulb = dry ? wet_bulb(x.temperature, x.pressure, x.vapour) : x.temperature;
        const Step step{bulb, dt, columns.as_wrf, counted_};
        const double before = x.cloud;
        Growth g = growth_of(x, c, step, tables_);
        bound(g, x, c, step);
        apply(g, x, c, step);
        balance(x, c.density);
        x.vapour = std::max(x.vapour, least_vapour);
        melting_[k] = g.snow_melting > 0;
        melting_graupel_[k] = g.graupel_melting > 0;
        speed_up_[k] = g.snow_speed_up;
        const double left = x.cloud, droplets_left = x.droplet_number;
        const double condensed = counts() ? condense_on_aerosol(x, columns.updraught(i, k), dt) : condense(x);
        if (columns.as_wrf && !counts() && left > 0 && x.cloud == 0)
            leave_trace(x, before, left, droplets_left, c.density, dt);
        if (condensed <= 0) evaporate_rain(x, melting_graupel_[k], dt);
    }
}

void Scheme::fall(const MoistColumns &c, int i) {
    for (int k = 0; k < levels(); ++k) {
        falling_.mass[k] = c.mass(i, k);
        falling_.depth[k] = c.depth(i, k);
    }
    fall_rain(c, i);
    fall_cloud(c, i);
    fall_ice(c, i);
    fall_snow(c, i);
    fall_graupel(c, i);
}

struct Speeds {
    double mass, number; ///< [m s-1]
};

/// Lets a species fall; speeds(x, content, k): of x's, of that content [kg m-3].
template <class F> double Scheme::fall_of(double Point::*q, double Point::*number, double dt, F speeds) {
    Speeds above{0, 0};
    for (int k = levels() - 1; k >= 0; --k) {
        const Point &x = points_[k];
        const double density = density_of(x.temperature, x.pressure, x.vapour);
        if (x.*q * density > least) above = speeds(x, density, k);
        falling_.speed[k] = above.mass;
        falling_.number_speed[k] = above.number;
        falling_.q[k] = x.*q;
        falling_.number[k] = number ? x.*number : 0.0;
    }
    const double ground = falling_.fall(dt);
    for (int k = 0; k < levels(); ++k) {
        points_[k].*q = falling_.q[k];
        if (number) points_[k].*number = falling_.number[k];
    }
    return ground;
}

double thinness(double density) { return std::sqrt(rho0 / density); }

/// T08, table A1; drops by number fall faster than their mean, so that sizes are sorted less.
void Scheme::fall_rain(const MoistColumns &c, int i) {
    static const double by_number = std::tgamma(3.5) / std::tgamma(2.5);
    std::fill(rain_speed_.begin(), rain_speed_.end(), 0.0);
    const double ground =
        fall_of(&Point::rain, &Point::rain_number, c.dt, [&](const Point &x, double density, int) {
            const double n = std::max(least_number, x.rain_number * density);
            const double lambda = std::cbrt(6 * rain_mass * n / (x.rain * density));
            const double speed = thinness(density) * rain_a, faster = lambda / (lambda + rain_f);
            return Speeds{speed * 4 * std::pow(faster, 4) / (lambda + rain_f),
                          speed * by_number * std::pow(faster, 2.5) / (lambda + rain_f)};
        });
    std::copy(falling_.speed.begin(), falling_.speed.end(), rain_speed_.begin());
    c.rain_sum[i] += real(ground);
}

/// Fog and low cloud where the air does not rise: droplets fall in the lowest 500 m.
void Scheme::fall_cloud(const MoistColumns &c, int i) {
    int top = 0;
    double height = 0;
    for (int k = 0; k < levels() - 1 && height <= 500; ++k) {
        const Point &x = points_[k];
        if (x.cloud * density_of(x.temperature, x.pressure, x.vapour) > least_number) top = k;
        height += falling_.depth[k];
    }
    double from_above = 0, drops_from_above = 0;
    for (int k = top; k >= 0; --k) {
        Point &x = points_[k];
        const double density = density_of(x.temperature, x.pressure, x.vapour), content = x.cloud * density;
        double leaving = 0, drops = 0;
        if (content > least && c.updraught(i, k) < real(0.1)) {
            const double number =
                counts() ? std::clamp(x.droplet_number * density, no_droplets, most_droplets) : droplets;
            const Droplets d = droplets_of(content, number);
            const double speed = thinness(density) * droplet_a / (d.lambda * d.lambda);
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
    static const double by_number = std::tgamma(3.5) / std::tgamma(2.5);
    const double ground =
        fall_of(&Point::ice, &Point::ice_number, c.dt, [](const Point &x, double density, int) {
            const double n = std::max(least_number, x.ice_number * density);
            const double lambda = std::cbrt(6 * ice_mass * n / (x.ice * density));
            const double speed = thinness(density) * ice_a / lambda;
            return Speeds{4 * speed, by_number * speed};
        });
    c.rain_sum[i] += real(ground);
    c.snow_sum[i] += real(ground);
}

/// Of the distribution's two parts; faster where snow rimes, nearer to rain's where it melts.
void Scheme::fall_snow(const MoistColumns &c, int i) {
    static const double g[] = {std::tgamma(snow_b + 3), std::tgamma(snow_b + snow_mu + 3), std::tgamma(3),
                               std::tgamma(snow_mu + 3)};
    const double ground = fall_of(&Point::snow, nullptr, c.dt, [&](const Point &x, double density, int k) {
        const double second = x.snow * density / snow_mass;
        const double inverse = second / snow_moment(3, x.celsius(), second);
        const double scale = kap1 * std::pow(inverse, snow_mu);
        const auto part = [&](double f, double g0, double g1, double b) {
            return kap0 * g0 * std::pow(inverse * lam0 + f, -b - 3) +
                   scale * g1 * std::pow(inverse * lam1 + f, -b - snow_mu - 3);
        };
        const double speed =
            thinness(density) * snow_a * part(snow_f, g[0], g[1], snow_b) / part(0, g[2], g[3], 0);
        const double solid = x.snow / (x.snow + x.rain);
        return Speeds{melting_[k] ? speed * solid + (1 - solid) * rain_speed_[k] : speed * speed_up_[k], 0};
    });
    c.rain_sum[i] += real(ground);
    c.snow_sum[i] += real(ground);
}

void Scheme::fall_graupel(const MoistColumns &c, int i) {
    static const double g = std::tgamma(graupel_b + 4) / 6;
    const double ground = fall_of(&Point::graupel, nullptr, c.dt, [](const Point &x, double density, int) {
        const double lambda = graupel_lambda(x.graupel * density);
        return Speeds{thinness(density) * graupel_a * g * std::pow(lambda, -graupel_b), 0};
    });
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
