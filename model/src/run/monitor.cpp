#include "run/monitor.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/profile.hpp"
#include "parallel/halo.hpp"
#include "parallel/launch.hpp"
#include "run/health_scan.hpp"
#include "run/text.hpp"

namespace squall {
namespace {

constexpr std::array<const char *, HealthScan::variables> variables = {"u", "v", "w", "theta", "ph", "mu"};

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
    KernelVector<Found> of_tile{};      ///< in the scan that lasts
    KernelVector<ConstField3> seen_scalars{};
    double waited = 0;         ///< [s], in agreeing
    bool watches_flow = false; ///< through surfaces, in each check

    PointOrder order() const { return {patch.x0, patch.y0, patch.nx_domain, patch.shape.nz}; }
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

    HealthScan seen(const State &state);
    Found scan(const State &state, int notice);

    Extreme flow_through_surfaces(State &state);
    Placed flow_through_surfaces(const State &state, const Range &tile) const;

    [[noreturn]] void report_not_finite(const Found &found, double model_time) const;
    [[noreturn]] void report_courant(const char *which, const Extreme &e, double limit,
                                     double model_time) const;
};

GridPoint Monitor::Impl::point(std::int64_t p) const {
    const std::int64_t nk = patch.shape.nz + 1, ni = patch.nx_domain;
    return {static_cast<int>(p % ni), static_cast<int>(p / ni % nk), static_cast<int>(p / ni / nk)};
}

HealthScan Monitor::Impl::seen(const State &s) {
    seen_scalars.clear();
    for (std::size_t n = 0; n < scalars.size(); ++n) seen_scalars.push_back(s.scalars[n].view());
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
            seen_scalars.data(),
            static_cast<int>(scalars.size()),
            grid.shape.nz,
            dt * grid.rdx,
            dt * grid.rdy,
            dt * constants::g,
            order()};
}

Found Monitor::Impl::scan(const State &state, int notice) {
    const HealthScan scan = seen(state);
    Found best = launch_and_merge<Found>(tiles, of_tile, scan,
                                         [](Found &so_far, const Found &other) { merge(so_far, other); });
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
                                  order().place(i, k, j)};
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
