#include "solver/nudging.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "solver/coupled_rate.hpp"
#include "solver/long_waves.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

constexpr const char *remedy =
    "write it with `squall prepare` (nudging.file), or with real.exe of WRF (grid_fdda)";

} // namespace

Nudging::Nudging(const Config &config, const Patch &patch)
    : config_(config.nudging), patch_(patch), file_(config.nudging.file, config, remedy),
      as_wrf_(config.run.as_wrf()) {
    if (config_.end == 0) config_.end = config.run.duration;
    const std::int64_t last = file_.records() - 1;
    const InputFile &file = file_.at(last);
    if (file.has_attribute("GFDDA_INTERVAL_M"))
        interval_ = 60 * file.number("GFDDA_INTERVAL_M");
    else if (last > 0)
        interval_ = file_.time(last) - file_.time(last - 1);
    const double needed = std::min(config_.end + config_.ramp, config.run.duration);
    if (end_of(last) < needed)
        file_.fail(fmt::format("its analyses end {} s after run.start, but nudging ends after {} s: set "
                               "nudging.end and ramp, or {}",
                               end_of(last), needed, remedy));
    for (Field *field : {&u_, &v_, &theta_, &vapour_}) *field = {Array3(patch.shape), Array3(patch.shape)};
    if (config_.spectral()) check_waves();
    if (lifts()) geopotential_ = {Array3(patch.shape), Array3(patch.shape)};
}

/// Of a domain that has no more cells than waves the filter would be none.
void Nudging::check_waves() const {
    const auto check = [](const char *key, int waves, const char *direction, int cells) {
        if (2 * waves > cells)
            throw std::runtime_error(
                fmt::format("nudging.{} = {}: the domain has {} cells {}, which hold waves up "
                            "to {}; set a smaller number, or nudging.scheme = \"grid\"",
                            key, waves, cells, direction, cells / 2));
        if (cells > LongWaves::most_cells)
            throw std::runtime_error(
                fmt::format("nudging.scheme = \"spectral\": the domain has {} cells {}, but at "
                            "most {} are possible; set nudging.scheme = \"grid\"",
                            cells, direction, LongWaves::most_cells));
    };
    check("waves_x", config_.waves_x, "west-east", patch_.nx_domain);
    check("waves_y", config_.waves_y, "south-north", patch_.ny_domain);
}

double Nudging::end_of(std::int64_t record) const {
    return record + 1 < file_.records() ? file_.time(record + 1) : file_.time(record) + interval_;
}

double Nudging::strength(double seconds) const {
    if (seconds < config_.end) return 1;
    return config_.ramp > 0 ? std::max(1 - (seconds - config_.end) / config_.ramp, 0.0) : 0;
}

real Nudging::share(double seconds) const {
    const double begin = file_.time(record_);
    return static_cast<real>(std::clamp((seconds - begin) / (end_of(record_) - begin), 0.0, 1.0));
}

void Nudging::read(double seconds) {
    if (!reads_at(seconds)) return;
    record_ = record_at(seconds);
    const InputFile &file = file_.at(record_);
    const int nz = patch_.shape.nz;
    const auto take = [&](const char *name, Points points, Limits possible, Field &field, int levels) {
        file.volume(fmt::format("{}_NDG_OLD", name), points, levels, patch_, field.before, possible);
        file.volume(fmt::format("{}_NDG_NEW", name), points, levels, patch_, field.after, possible);
    };
    take("U", Points::x_faces, {-400, 400}, u_, nz);
    take("V", Points::y_faces, {-400, 400}, v_, nz);
    take("T", Points::cells, {-250, 5000}, theta_, nz);
    take("Q", Points::cells, {real(-0.01), real(0.1)}, vapour_, nz);
    if (lifts()) take("PH", Points::cells, {-1e6, 1e6}, geopotential_, nz + 1);
}

namespace {

/// By which layers of a field are drawn, of cells, or between two columns `di` or `dj` apart by the mean of
/// both: 0 where the middle lies below `top`, but `everywhere`.
auto weight(bool everywhere, int di, int dj, const GridView &g, ConstField3 ph, ConstField2 top) {
    return [=, &g](int i, int k, int j) {
        if (everywhere) return real(1);
        const auto height = [&](int x, int y) {
            const auto phi = [&](int level) { return ph(x, level, y) + g.phb(x, level, y); };
            return (real(0.5) * (phi(k) + phi(k + 1)) - phi(0)) / constants::g;
        };
        const int x = i - di, y = j - dj;
        const bool inside = height(i, j) + height(x, y) < top(i, j) + top(x, y);
        return inside ? real(0) : real(1);
    };
}

auto analysed(const Nudging::Field &f, real share) {
    return [share, a = f.before.view(), b = f.after.view()](int i, int k, int j) {
        return a(i, k, j) + share * (b(i, k, j) - a(i, k, j));
    };
}

/// Layer, from 1, in which a height lies; the first where it is in none. `bottom(k)`: of the layer k from 0,
/// above the ground.
template <class Bottom> int layer_of(real height, int nz, Bottom bottom) {
    for (int k = 0; k < nz; ++k)
        if (height >= bottom(k) && height < bottom(k + 1)) return k + 1;
    return 1;
}

/// Of spectral nudging in the layer k from 0. `tops`: layers in which nothing is drawn; null: `above` of
/// them. `lid`: 0: none.
auto layer_weight(ConstField2 tops, int above, int growth, int lid) {
    return [=](int i, int k, int j) {
        const real lowest = tops.origin ? tops(i, j) : real(above);
        const real w = std::clamp((real(k + 1) - lowest) / real(growth), real(0), real(1));
        if (lid == 0 || k + 1 < lid) return w;
        return k + 1 == lid ? real(0.5) * w : real(0);
    };
}

/// tend += mass / metric x rate on faces.
template <class Rate>
void add_to_faces(Range faces, const GridView &g, ConstField2 mass, ConstField2 metric, Rate rate,
                  Field3 tend) {
    for_each(faces.with_k(0, g.nz), [&](int i, int k, int j) {
        tend(i, k, j) += (g.c1h[k] * mass(i, j) + g.c2h[k]) / metric(i, j) * rate(i, k, j);
    });
}

} // namespace

/// Adds rates of wind at faces, of the potential temperature of dry air and of vapour in cells, each a
/// function of (i, k, j). Faces that are specified are left alone, as all else there.
template <class U, class V, class Heat, class Moist>
void Solver::add_drawn(Range tile, const State &reference, U u, V v, Heat heating, Moist moistening) {
    const GridView &g = grid_;
    const Range at_u = u_faces(tile), at_v = v_faces(tile);
    add_to_faces(at_u.with_i(std::max(at_u.i0, faces_.u.begin), std::min(at_u.i1, faces_.u.end)), g,
                 muu_.view(), g.msfuy, u, held_->u.view());
    add_to_faces(at_v.with_j(std::max(at_v.j0, faces_.v.begin), std::min(at_v.j1, faces_.v.end)), g,
                 muv_.view(), g.msfvx, v, held_->v.view());

    const bool moist = scalars_.vapour >= 0;
    const ConstField3 theta = reference.theta.view();
    const ConstField3 q = vapour_of(reference);
    const bool of_moist_air = moist && config_.moist_theta;
    const auto heat = [=](int k, int j) {
        return [=](int i) {
            const real rate = heating(i, k, j);
            return of_moist_air ? moist_theta_rate(rate, moistening(i, k, j), theta(i, k, j), q(i, k, j))
                                : rate;
        };
    };
    const Range inner = inner_cells(tile).with_k(0, g.nz);
    add_coupled_rate(inner, g, reference.mu.view(), heat, held_->theta.view());
    if (!moist) return;
    const auto moisten = [=](int k, int j) { return [=](int i) { return moistening(i, k, j); }; };
    add_coupled_rate(inner, g, reference.mu.view(), moisten,
                     held_->scalars[static_cast<std::size_t>(scalars_.vapour)].view());
}

namespace {

/// By how much the analyses' field is above the state's.
auto departure(const Nudging::Field &of, real share, ConstField3 now) {
    return [there = analysed(of, share), now](int i, int k, int j) { return there(i, k, j) - now(i, k, j); };
}

/// That of the potential temperature of dry air; `q` has no origin where theta is that of dry air.
auto departure_of_heat(const Nudging::Field &of, real share, ConstField3 theta, ConstField3 q) {
    return [there = analysed(of, share), theta, q](int i, int k, int j) {
        const real one = q.origin ? 1 + constants::rv_over_rd * q(i, k, j) : real(1);
        const real dry = (theta(i, k, j) + constants::theta0) / one;
        return there(i, k, j) + constants::theta0 - dry;
    };
}

} // namespace

void Solver::add_nudging(Range tile, const State &reference) {
    if (long_waves_) return add_spectral_nudging(tile, reference);
    const GridView &g = grid_;
    const Nudging &n = *nudging_;
    const NudgingConfig &settings = n.settings();
    const double strength = n.strength(seconds_);
    const real share = n.share(seconds_);
    const ConstField3 ph = reference.ph.view();
    const ConstField2 top = n.spares_boundary_layer()
                                ? std::as_const(initial_.physics.surface.boundary_layer_height).view()
                                : ConstField2{};
    const auto rate = [&](double of, bool everywhere, int di, int dj, auto x) {
        return [=, G = static_cast<real>(of * strength), w = weight(everywhere, di, dj, g, ph, top)](
                   int i, int k, int j) { return G * w(i, k, j) * x(i, k, j); };
    };
    const ConstField3 q = vapour_of(reference);
    const ConstField3 theta = reference.theta.view();
    add_drawn(
        tile, reference,
        rate(settings.wind, settings.wind_in_boundary_layer, 1, 0,
             departure(n.u(), share, reference.u.view())),
        rate(settings.wind, settings.wind_in_boundary_layer, 0, 1,
             departure(n.v(), share, reference.v.view())),
        rate(settings.temperature, settings.temperature_in_boundary_layer, 0, 0,
             departure_of_heat(n.theta(), share, theta, config_.moist_theta ? q : ConstField3{})),
        rate(settings.moisture, settings.moisture_in_boundary_layer, 0, 0, departure(n.vapour(), share, q)));
}

/// What nudging needs to know of more than a tile: the height of the boundary layer in halos, and the long
/// waves of the domain.
void Solver::find_nudging(const State &reference) {
    const Nudging &n = *nudging_;
    if (n.spares_boundary_layer()) {
        const HaloField height[] = {HaloField::of(initial_.physics.surface.boundary_layer_height)};
        halo_.fill(height, 1);
    }
    if (!long_waves_) return;
    if (n.spares_boundary_layer())
        for_each_tile(cell_tiles_, [&](const Range &tile) { find_boundary_layer_tops(tile, reference); });
    const NudgingConfig &s = n.settings();
    const real share = n.share(seconds_);
    // The largest departures: of m s-1, K, kg kg-1 and m2 s-2.
    constexpr double winds = 256, temperatures = 256, vapours = 0.0625, heights = 65536;
    const auto take = [&](double coefficient, Nudging::Drawn field, double largest, auto x) {
        if (coefficient > 0) long_waves_->take(field, largest, x);
    };
    take(s.wind, Nudging::of_u, winds, departure(n.u(), share, reference.u.view()));
    take(s.wind, Nudging::of_v, winds, departure(n.v(), share, reference.v.view()));
    const ConstField3 q = vapour_of(reference);
    take(
        s.temperature, Nudging::of_theta, temperatures,
        departure_of_heat(n.theta(), share, reference.theta.view(), config_.moist_theta ? q : ConstField3{}));
    if (q.origin) take(s.moisture, Nudging::of_vapour, vapours, departure(n.vapour(), share, q));
    take(s.geopotential, Nudging::of_geopotential, heights,
         departure(n.geopotential(), share, reference.ph.view()));
    long_waves_->gather();
}

void Solver::find_boundary_layer_tops(Range tile, const State &reference) {
    const GridView &g = grid_;
    const ConstField3 ph = reference.ph.view();
    const ConstField2 height = std::as_const(initial_.physics.surface.boundary_layer_height).view();
    const auto find = [&](Range columns, int di, int dj, Array2 &tops) {
        for_each_column(columns, [&, to = tops.view()](int i, int j) {
            const auto phi = [&](int k, int x, int y) { return ph(x, k, y) + g.phb(x, k, y); };
            const auto above_ground = [&](int k, int x, int y) {
                return (phi(k, x, y) - phi(0, x, y)) / constants::g;
            };
            const int x = i - di, y = j - dj;
            to(i, j) = real(layer_of(real(0.5) * (height(i, j) + height(x, y)), g.nz, [&](int k) {
                return real(0.5) * (above_ground(k, i, j) + above_ground(k, x, y));
            }));
        });
    };
    find(tile, 0, 0, boundary_layer_tops_[0]);
    find(u_faces(tile), 1, 0, boundary_layer_tops_[1]);
    find(v_faces(tile), 0, 1, boundary_layer_tops_[2]);
}

void Solver::add_spectral_nudging(Range tile, const State &reference) {
    const Nudging &n = *nudging_;
    const NudgingConfig &s = n.settings();
    const double strength = n.strength(seconds_);
    const LongWaves &waves = *long_waves_;
    const auto rate = [&](double of, Nudging::Drawn field, auto w) {
        return [=, &waves, G = static_cast<real>(of * strength)](int i, int k, int j) {
            return G == 0 ? G : G * w(i, k, j) * waves.at(field, i, k, j);
        };
    };
    const auto tops = [&](bool everywhere, std::size_t of) {
        return everywhere ? ConstField2{} : std::as_const(boundary_layer_tops_[of]).view();
    };
    const auto of_wind = [&](std::size_t faces) {
        return layer_weight(tops(s.wind_in_boundary_layer, faces), s.wind_above, s.wind_growth, 0);
    };
    add_drawn(tile, reference, rate(s.wind, Nudging::of_u, of_wind(1)),
              rate(s.wind, Nudging::of_v, of_wind(2)),
              rate(s.temperature, Nudging::of_theta,
                   layer_weight(tops(s.temperature_in_boundary_layer, 0), s.temperature_above,
                                s.temperature_growth, s.lid)),
              rate(s.moisture, Nudging::of_vapour,
                   layer_weight(tops(s.moisture_in_boundary_layer, 0), s.moisture_above, s.moisture_growth,
                                s.lid)));
    const bool spared = !s.geopotential_in_boundary_layer;
    const auto lift =
        rate(s.geopotential, Nudging::of_geopotential,
             layer_weight(tops(!spared || n.as_wrf(), 0), spared && n.as_wrf() ? 1 : s.geopotential_above,
                          s.geopotential_growth, 0));
    const GridView &g = grid_;
    const ConstField2 mu = reference.mu.view();
    for_each(inner_cells(tile).with_k(1, g.nz), [&, ph = held_->ph.view()](int i, int k, int j) {
        ph(i, k, j) += (g.c1f[k] * (g.mub(i, j) + mu(i, j)) + g.c2f[k]) / g.msfty(i, j) * lift(i, k, j);
    });
}

} // namespace squall
