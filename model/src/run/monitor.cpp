#include "run/monitor.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/profile.hpp"
#include "parallel/halo.hpp"
#include "parallel/tiles.hpp"
#include "run/extremes.hpp"
#include "run/text.hpp"

namespace squall {
namespace {

/// What a scan looks for.
enum Quantity { horizontal, vertical, w_largest, not_finite, notices, quantities };
using Found = std::array<Placed, quantities>;

constexpr std::array<const char *, 6> variables = {"u", "v", "w", "theta", "ph", "mu"};

/// Largest values in one row; `finite` is 0 unless some value of the row is not finite.
struct RowScan {
    real horizontal = 0, vertical = 0, w = 0, finite = 0;
};

/// 0 for a finite number, else NaN; sums of it keep the NaN.
real finiteness(real x) { return x - x; }

/// All that one row of one tile is scanned with.
struct Row {
    ConstField3 u, v, w, theta, ph, phb;
    ConstField2 mu, msfux, msfvy;
    real rdx_dt, rdy_dt, g_dt;
    int k, j;

    real courant_horizontal(int i) const {
        return rdx_dt * msfux(i, j) * std::abs(u(i, k, j)) + rdy_dt * msfvy(i, j) * std::abs(v(i, k, j));
    }
    real courant_vertical(int i) const {
        const real thickness = (ph(i, k + 1, j) + phb(i, k + 1, j)) - (ph(i, k, j) + phb(i, k, j));
        return g_dt * std::max(std::abs(w(i, k, j)), std::abs(w(i, k + 1, j))) / thickness;
    }
    RowScan scan(int i0, int i1) const;
    RowScan scan_top(int i0, int i1) const;
};

/// 0 where all of a row are finite, else NaN.
real finiteness(const real *row, int i0, int i1) {
    real bad = 0;
#pragma omp simd reduction(+ : bad)
    for (int i = i0; i < i1; ++i) bad += finiteness(row[i]);
    return bad;
}

/// On layer k, and on the interface below it.
RowScan Row::scan(int i0, int i1) const {
    real ch = 0, cv = 0, wm = 0, bad = 0;
#pragma omp simd reduction(max : ch, cv, wm) reduction(+ : bad)
    for (int i = i0; i < i1; ++i) {
        ch = std::max(ch, courant_horizontal(i));
        cv = std::max(cv, courant_vertical(i));
        wm = std::max(wm, std::abs(w(i, k, j)));
        bad += finiteness(u(i, k, j)) + finiteness(v(i, k, j)) + finiteness(w(i, k, j)) +
               finiteness(theta(i, k, j)) + finiteness(ph(i, k, j));
    }
    return {ch, cv, wm, bad};
}

/// On the top interface, and the column mass.
RowScan Row::scan_top(int i0, int i1) const {
    real wm = 0, bad = 0;
#pragma omp simd reduction(max : wm) reduction(+ : bad)
    for (int i = i0; i < i1; ++i) {
        wm = std::max(wm, std::abs(w(i, k, j)));
        bad += finiteness(w(i, k, j)) + finiteness(ph(i, k, j)) + finiteness(mu(i, j));
    }
    return {0, 0, wm, bad};
}

/// The first i of [i0, i1) where value(i) is largest.
template <class F> int first_largest(int i0, int i1, F value) {
    int best = i0;
    for (int i = i0 + 1; i < i1; ++i)
        if (value(i) > value(best)) best = i;
    return best;
}

/// "1 d 03:20:00 (98400 s)"
std::string describe_time(double t) { return fmt::format("{} ({:.10g} s)", format_duration(t), t); }

} // namespace

struct Monitor::Impl {
    Patch patch;
    Halo halo;
    const Grid &grid;
    Stepping stepping;
    std::vector<Range> tiles;
    std::vector<std::string> scalars;
    std::optional<BestOfRanks> ranks{}; ///< of several
    std::vector<Found> of_tile{};       ///< in the scan that lasts
    double waited = 0;                  ///< [s], in agreeing
    bool watches_flow = false;          ///< through surfaces, in each check

    std::int64_t place(int i, int k, int j) const;
    GridPoint point(std::int64_t place) const;
    Extreme extreme(const Placed &p) const {
        return {p.value, p.place < Placed{}.place ? point(p.place) : GridPoint{}};
    }
    void gather(std::span<Placed> entries) {
        if (!ranks) return;
        const Span span("agree on the state", Profile::Kind::waiting);
        const double begun = MPI_Wtime();
        ranks->find(entries);
        waited += MPI_Wtime() - begun;
    }

    Row row(const State &s, int k, int j) const;
    Found scan(const State &state, int notice);
    Found scan_tile(const State &state, const Range &tile) const;
    Placed first_not_finite(const State &state, const Range &tile) const;

    Extreme flow_through_surfaces(State &state);
    Placed flow_through_surfaces(const State &state, const Range &tile) const;

    [[noreturn]] void report_not_finite(const Found &found, double model_time) const;
    [[noreturn]] void report_courant(const char *which, const Extreme &e, double limit,
                                     double model_time) const;
};

/// Orders the points of the domain as they lie in memory: by j, then k, then i.
std::int64_t Monitor::Impl::place(int i, int k, int j) const {
    const std::int64_t nk = patch.shape.nz + 1, ni = patch.nx_domain;
    return ((std::int64_t(j + patch.y0) * nk) + k) * ni + i + patch.x0;
}

GridPoint Monitor::Impl::point(std::int64_t p) const {
    const std::int64_t nk = patch.shape.nz + 1, ni = patch.nx_domain;
    return {static_cast<int>(p % ni), static_cast<int>(p / ni % nk), static_cast<int>(p / ni / nk)};
}

Row Monitor::Impl::row(const State &s, int k, int j) const {
    const auto dt = static_cast<real>(stepping.time_step);
    return {s.u.view(),
            s.v.view(),
            s.w.view(),
            s.theta.view(),
            s.ph.view(),
            grid.phb.view(),
            s.mu.view(),
            grid.msfux.view(),
            grid.msfvy.view(),
            dt * grid.rdx,
            dt * grid.rdy,
            dt * constants::g,
            k,
            j};
}

Found Monitor::Impl::scan_tile(const State &state, const Range &t) const {
    Found found;
    real bad = 0;
    const auto keep = [&](Quantity q, real value, const Row &r, auto of) {
        if (double(value) > found[q].value)
            found[q] = {double(value), place(first_largest(t.i0, t.i1, of), r.k, r.j)};
    };
    for (int j = t.j0; j < t.j1; ++j)
        for (int k = 0; k <= grid.shape.nz; ++k) {
            const Row r = row(state, k, j);
            const RowScan s = k < grid.shape.nz ? r.scan(t.i0, t.i1) : r.scan_top(t.i0, t.i1);
            keep(horizontal, s.horizontal, r, [&](int i) { return r.courant_horizontal(i); });
            keep(vertical, s.vertical, r, [&](int i) { return r.courant_vertical(i); });
            keep(w_largest, s.w, r, [&](int i) { return std::abs(r.w(i, k, j)); });
            bad += s.finite;
            if (k < grid.shape.nz)
                for (std::size_t n = 0; n < scalars.size(); ++n)
                    bad += finiteness(state.scalars[n].view().row(k, j), t.i0, t.i1);
        }
    if (bad != 0) found[not_finite] = first_not_finite(state, t);
    return found;
}

/// Place times the number of variables and scalars plus which.
Placed Monitor::Impl::first_not_finite(const State &s, const Range &t) const {
    const std::int64_t all = std::int64_t(variables.size() + scalars.size());
    for (int j = t.j0; j < t.j1; ++j)
        for (int k = 0; k <= grid.shape.nz; ++k)
            for (int i = t.i0; i < t.i1; ++i) {
                const bool layer = k < grid.shape.nz;
                const std::array<real, 6> values = {layer ? s.u(i, k, j) : 0,
                                                    layer ? s.v(i, k, j) : 0,
                                                    s.w(i, k, j),
                                                    layer ? s.theta(i, k, j) : 0,
                                                    s.ph(i, k, j),
                                                    k == 0 ? s.mu(i, j) : 0};
                for (std::size_t n = 0; n < values.size(); ++n)
                    if (!std::isfinite(values[n])) return {1, place(i, k, j) * all + std::int64_t(n)};
                for (std::size_t n = 0; layer && n < scalars.size(); ++n)
                    if (!std::isfinite(s.scalars[n](i, k, j)))
                        return {1, place(i, k, j) * all + std::int64_t(values.size() + n)};
            }
    return {};
}

Found Monitor::Impl::scan(const State &state, int notice) {
    of_tile.assign(tiles.size(), {});
    for_each_tile(tiles, [&](const Range &t) {
        of_tile[static_cast<std::size_t>(&t - tiles.data())] = scan_tile(state, t);
    });
    Found best;
    for (const Found &found : of_tile)
        for (std::size_t q = 0; q < quantities; ++q)
            if (found[q].beats(best[q])) best[q] = found[q];
    best[notices] = {double(notice), 0};
    gather(best);
    return best;
}

/// dt |w - V.grad z| / dz on interfaces between layers, with V the mean of the four winds around
/// and the thinner of the two layers: what vertical advection sees, up to the slow motion of the
/// surfaces themselves.
Placed Monitor::Impl::flow_through_surfaces(const State &s, const Range &t) const {
    Placed best;
    const auto gz = [&](int i, int k, int j) { return s.ph(i, k, j) + grid.phb(i, k, j); };
    const real dt = static_cast<real>(stepping.time_step), hx = grid.rdx / 8, hy = grid.rdy / 8;
    for (int j = t.j0; j < t.j1; ++j)
        for (int k = 1; k < grid.shape.nz; ++k)
            for (int i = t.i0; i < t.i1; ++i) {
                const real u = s.u(i, k, j) + s.u(i + 1, k, j) + s.u(i, k - 1, j) + s.u(i + 1, k - 1, j);
                const real v = s.v(i, k, j) + s.v(i, k, j + 1) + s.v(i, k - 1, j) + s.v(i, k - 1, j + 1);
                const real climb = grid.msftx(i, j) * u * hx * (gz(i + 1, k, j) - gz(i - 1, k, j)) +
                                   grid.msfty(i, j) * v * hy * (gz(i, k, j + 1) - gz(i, k, j - 1));
                const real thickness = std::min(gz(i, k + 1, j) - gz(i, k, j), gz(i, k, j) - gz(i, k - 1, j));
                const Placed here{double(dt * std::abs(constants::g * s.w(i, k, j) - climb) / thickness),
                                  place(i, k, j)};
                if (here.beats(best)) best = here;
            }
    return best;
}

Extreme Monitor::Impl::flow_through_surfaces(State &state) {
    const int nz = grid.shape.nz;
    halo.fill(std::array{HaloField::of(state.u, nz, Points::x_faces),
                         HaloField::of(state.v, nz, Points::y_faces), HaloField::of(state.ph, nz + 1)},
              1);
    std::vector<Placed> through(tiles.size());
    for_each_tile(tiles, [&](const Range &t) {
        through[static_cast<std::size_t>(&t - tiles.data())] = flow_through_surfaces(state, t);
    });
    Placed best;
    for (const Placed &p : through)
        if (p.beats(best)) best = p;
    gather({&best, 1});
    return extreme(best);
}

void Monitor::Impl::report_not_finite(const Found &found, double model_time) const {
    const auto n = std::int64_t(variables.size() + scalars.size()), code = found[not_finite].place;
    const auto which = static_cast<std::size_t>(code % n);
    const std::string variable =
        which < variables.size() ? variables[which] : scalars[which - variables.size()];
    const GridPoint at = point(code / n);
    const double needed = round_step(usual_time_step(stepping));
    std::string remedy;
    if (acoustic_courant(stepping) >= 1)
        remedy =
            fmt::format("the acoustic substeps are too long: set run.acoustic_substeps = {} instead of {}",
                        substeps_needed(stepping), stepping.acoustic_substeps);
    else if (stepping.time_step > needed)
        remedy = fmt::format(
            "the time step of {:g} s is long for a grid spacing of {:g} km: set run.time_step = \"{:g} s\"",
            stepping.time_step, stepping.dx / 1000, needed);
    else
        remedy = fmt::format(
            "check the initial state at that point; if it is sound, use a shorter time step (run.time_step = "
            "\"{:g} s\"), upper damping ([damping]) or dynamics.w_damping = true",
            round_step(stepping.time_step / 2));
    throw Violation(
        fmt::format("{} is not a finite number at i = {}, j = {}, k = {} (0-based) at model time {}.\n"
                    "Likely remedy: {}.",
                    variable, at.i, at.j, at.k, describe_time(model_time), remedy),
        variable, at);
}

void Monitor::Impl::report_courant(const char *which, const Extreme &e, double limit,
                                   double model_time) const {
    const double shorter = round_step(0.8 * stepping.time_step * limit / e.value);
    throw Violation(fmt::format("the {} Courant number is {:.3g} at i = {}, j = {}, k = {} (0-based) at "
                                "model time {}; above {:.3g} advection is unstable.\nLikely remedy: set a "
                                "time step shorter than {:g} s: run.time_step = \"{:g} s\".",
                                which, e.value, e.at.i, e.at.j, e.at.k, describe_time(model_time), limit,
                                stepping.time_step, shorter),
                    fmt::format("{} Courant number", which), e.at);
}

Monitor::Monitor(MPI_Comm comm, const Patch &patch, const Boundaries &boundaries, const Grid &grid,
                 const Stepping &stepping, std::vector<Range> tiles, std::vector<std::string> scalars)
    : impl_(new Impl{patch, Halo(comm, patch, boundaries), grid, stepping, std::move(tiles),
                     std::move(scalars)}) {
    if (patch.px * patch.py > 1) impl_->ranks.emplace(comm);
}

Monitor::~Monitor() = default;

void Monitor::watch_flow_through_surfaces() { impl_->watches_flow = true; }

void Monitor::set_time_step(double dt) { impl_->stepping.time_step = dt; }

double Monitor::waited() const { return impl_->waited + impl_->halo.waited(); }

Health Monitor::check(State &state, double model_time, int notice) {
    const Found found = impl_->scan(state, notice);
    if (found[not_finite].value > 0) impl_->report_not_finite(found, model_time);

    Health health{impl_->extreme(found[horizontal]), impl_->extreme(found[vertical]),
                  impl_->extreme(found[w_largest]), static_cast<int>(found[notices].value)};
    const double limit_h = advection_limit(impl_->stepping.horizontal_order);
    const double limit_v = advection_limit(impl_->stepping.vertical_order);
    if (health.courant_horizontal.value > limit_h)
        impl_->report_courant("horizontal", health.courant_horizontal, limit_h, model_time);
    if (impl_->watches_flow || health.courant_vertical.value > limit_v) {
        const Extreme through = impl_->flow_through_surfaces(state);
        if (through.value > limit_v) impl_->report_courant("vertical", through, limit_v, model_time);
        if (impl_->watches_flow) health.courant_vertical = through;
    }
    return health;
}

} // namespace squall
