#include "solver/nudging.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

constexpr const char *remedy =
    "write it with `squall prepare` (nudging.file), or with real.exe of WRF (grid_fdda = 1)";
constexpr real vapour_factor = constants::r_v / constants::r_d;

} // namespace

Nudging::Nudging(const Config &config, const Patch &patch)
    : config_(config.nudging), patch_(patch), file_(config.nudging.file, config, remedy) {
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
    const auto take = [&](const char *name, Points points, Limits possible, Field &field) {
        const int nz = patch_.shape.nz;
        file.volume(fmt::format("{}_NDG_OLD", name), points, nz, patch_, field.before, possible);
        file.volume(fmt::format("{}_NDG_NEW", name), points, nz, patch_, field.after, possible);
    };
    take("U", Points::x_faces, {-400, 400}, u_);
    take("V", Points::y_faces, {-400, 400}, v_);
    take("T", Points::cells, {-250, 5000}, theta_);
    take("Q", Points::cells, {real(-0.01), real(0.1)}, vapour_);
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

} // namespace

/// Faces that are specified are left alone, as all else there.
void Solver::add_nudging(Range tile, const State &reference) {
    const GridView &g = grid_;
    const Nudging &n = *nudging_;
    const NudgingConfig &settings = n.settings();
    const double strength = n.strength(seconds_);
    const auto coefficient = [&](double of) { return static_cast<real>(of * strength); };
    const real share = n.share(seconds_);
    const ConstField3 ph = reference.ph.view();
    const ConstField2 top = n.spares_boundary_layer()
                                ? std::as_const(initial_.physics.surface.boundary_layer_height).view()
                                : ConstField2{};
    const auto draw_wind = [&](Range faces, const Nudging::Field &to, ConstField3 wind, ConstField2 mass,
                               ConstField2 metric, int di, int dj, Field3 tend) {
        const real G = coefficient(settings.wind);
        const auto w = weight(settings.wind_in_boundary_layer, di, dj, g, ph, top);
        const auto there = analysed(to, share);
        for_each(faces.with_k(0, g.nz), [&](int i, int k, int j) {
            tend(i, k, j) += (g.c1h[k] * mass(i, j) + g.c2h[k]) / metric(i, j) * G * w(i, k, j) *
                             (there(i, k, j) - wind(i, k, j));
        });
    };
    const Range u = u_faces(tile), v = v_faces(tile);
    draw_wind(u.with_i(std::max(u.i0, faces_.u.begin), std::min(u.i1, faces_.u.end)), n.u(),
              reference.u.view(), muu_.view(), g.msfuy, 1, 0, held_->u.view());
    draw_wind(v.with_j(std::max(v.j0, faces_.v.begin), std::min(v.j1, faces_.v.end)), n.v(),
              reference.v.view(), muv_.view(), g.msfvx, 0, 1, held_->v.view());

    const bool moist = scalars_.vapour >= 0;
    const ConstField3 theta = reference.theta.view();
    const ConstField3 q = moist ? reference.scalars[static_cast<std::size_t>(scalars_.vapour)].view() : theta;
    const auto there_theta = analysed(n.theta(), share), there_q = analysed(n.vapour(), share);
    const auto in_heat = weight(settings.temperature_in_boundary_layer, 0, 0, g, ph, top),
               in_vapour = weight(settings.moisture_in_boundary_layer, 0, 0, g, ph, top);
    const real G_t = coefficient(settings.temperature), G_q = coefficient(settings.moisture);
    const auto dq = [=](int i, int k, int j) {
        return G_q * in_vapour(i, k, j) * (there_q(i, k, j) - q(i, k, j));
    };
    const bool of_moist_air = moist && config_.moist_theta;
    const auto heating = [=](int k, int j) {
        return [=](int i) {
            const real one = of_moist_air ? 1 + vapour_factor * q(i, k, j) : real(1);
            const real dry = (theta(i, k, j) + constants::theta0) / one;
            const real rate = G_t * in_heat(i, k, j) * (there_theta(i, k, j) + constants::theta0 - dry);
            return of_moist_air ? moist_theta_rate(rate, dq(i, k, j), theta(i, k, j), q(i, k, j)) : rate;
        };
    };
    const Range inner = inner_cells(tile).with_k(0, g.nz);
    add_coupled_rate(inner, g, reference.mu.view(), heating, held_->theta.view());
    if (!moist) return;
    const auto moistening = [=](int k, int j) { return [=](int i) { return dq(i, k, j); }; };
    add_coupled_rate(inner, g, reference.mu.view(), moistening,
                     held_->scalars[static_cast<std::size_t>(scalars_.vapour)].view());
}

} // namespace squall
