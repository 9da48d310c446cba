// Construction of the lateral boundary, and what it reads.
#include "boundary/lateral_boundary.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr real vapour_factor = constants::r_v / constants::r_d;

/// A column mass farther than this from the state's is of other terrain or other weather [Pa].
constexpr real largest_disagreement = 3000;

} // namespace

LateralBoundary::LateralBoundary(const Config &config, const Patch &patch, const Grid &grid,
                                 const ScalarSet &scalars)
    : patch_(patch), grid_(grid), rim_(patch), file_(config), specified_(config.boundary.specified_rows),
      relaxation_(config.boundary.relaxation_rows), vapour_(scalars.vapour),
      moist_theta_(config.dynamics.moist_theta && scalars.vapour >= 0), dt_(config.run.time_step),
      fields_(make_fields()) {
    check_specified_rows(specified_, patch);
    for (int d = 0; d < specified_ + relaxation_ - 1; ++d) {
        const bool relaxed = d >= specified_;
        const double share = relaxed ? double(specified_ + relaxation_ - 1 - d) / (relaxation_ - 1) : 0;
        weights_.push_back({real(0.1 / dt_ * share), real(0.02 / dt_ * share)});
    }
    file_.check("U", fields_.u, patch);
    file_.check("V", fields_.v, patch);
    file_.check("T", fields_.theta, patch);
    file_.check("PH", fields_.ph, patch);
    file_.check("MU", fields_.mu, patch);
    if (vapour_ >= 0) file_.check("QVAPOR", fields_.vapour, patch);
}

LateralBoundary::Fields LateralBoundary::make_fields() const {
    const int nz = patch_.shape.nz, reach = specified_ + relaxation_ - 1, width = specified_ + relaxation_;
    const auto make = [&](Points points, int nk) { return RimField(patch_, points, nk, reach, width); };
    return {make(Points::x_faces, nz), make(Points::y_faces, nz),
            make(Points::cells, nz),   make(Points::cells, nz + 1),
            make(Points::cells, 1),    make(Points::cells, vapour_ >= 0 ? nz : 0)};
}

void check_specified_rows(int specified, const Patch &patch) {
    const Shape s = patch.shape;
    if ((s.nx > specified || (!patch.at_west() && !patch.at_east())) &&
        (s.ny > specified || (!patch.at_south() && !patch.at_north())))
        return;
    throw std::runtime_error(fmt::format(
        "boundary.specified_rows = {} needs patches of more cells on either side than the {} x {} "
        "that these ranks make; use fewer ranks or fewer rows",
        specified, s.nx, s.ny));
}

void LateralBoundary::set_time(double seconds) {
    if (reads_at(seconds)) {
        record_ = file_.record_at(seconds);
        file_.read("U", record_, fields_.u);
        file_.read("V", record_, fields_.v);
        file_.read("T", record_, fields_.theta);
        file_.read("PH", record_, fields_.ph);
        file_.read("MU", record_, fields_.mu);
        if (vapour_ >= 0) file_.read("QVAPOR", record_, fields_.vapour);
        check_values();
        if (moist_theta_) moisten_theta();
    }
    const double elapsed = seconds - file_.record(record_).begin;
    begin_ = real(elapsed);
    end_ = real(elapsed + dt_);
}

/// Turns theta of the file, which is that of dry air, into moist theta at the beginning and the end of
/// the record; it is linear in between.
void LateralBoundary::moisten_theta() {
    const BoundaryRecord record = file_.record(record_);
    const real duration = real(record.end - record.begin);
    for (const Side side : all_sides) {
        RimStrip &theta = fields_.theta.strip(side);
        const RimStrip &vapour = fields_.vapour.strip(side), &mu = fields_.mu.strip(side);
        for (int d = 0; d < fields_.theta.width(); ++d)
            for (int along = theta.first; along < theta.first + theta.length; ++along) {
                const Column c = rim_.column(side, d, along, Points::cells);
                if (!in_stencils(c)) continue;
                const std::size_t m = fields_.mu.place(side, d, 0, along);
                for (int k = 0; k < grid_.nz; ++k) {
                    const std::size_t n = fields_.theta.place(side, d, k, along);
                    const auto moist = [&](real elapsed) {
                        const real mass =
                            grid_.c1h[k] * (grid_.mub(c.i, c.j) + mu.at(m, elapsed)) + grid_.c2h[k];
                        const real coupled = theta.at(n, elapsed);
                        return coupled + vapour_factor * vapour.at(n, elapsed) / mass *
                                             (coupled + constants::theta0 * mass);
                    };
                    const real first = moist(0), last = moist(duration);
                    theta.value[n] = first;
                    theta.tendency[n] = (last - first) / duration;
                }
            }
    }
}

/// Whether a point is one of the patch's own or beside them: strips hold more at the corners.
bool LateralBoundary::in_stencils(Column c) const {
    return c.i >= -1 && c.i <= grid_.nx + 1 && c.j >= -1 && c.j <= grid_.ny + 1;
}

/// Refuses what no atmosphere has, at both ends of the record.
void LateralBoundary::check_values() const {
    check_limits("MU", "Pa", fields_.mu, false, {-30000, 30000});
    check_limits("U", "m s-1", fields_.u, true, {-400, 400});
    check_limits("V", "m s-1", fields_.v, true, {-400, 400});
    check_limits("T", "K", fields_.theta, true, {-250, 5000});
    check_limits("PH", "m2 s-2", fields_.ph, true, {real(-2e5), real(2e5)});
    if (vapour_ >= 0) check_limits("QVAPOR", "kg kg-1", fields_.vapour, true, {real(-0.01), real(0.1)});
}

/// The base state's column mass will do for what is coupled.
void LateralBoundary::check_limits(const char *name, const char *unit, const RimField &field, bool coupled,
                                   Limits limits) const {
    const BoundaryRecord record = file_.record(record_);
    const auto refuse = [&](Side side, int d, int k, int along, double elapsed, real value) {
        const Column c = rim_.column(side, d, along, field.points());
        file_.fail(
            fmt::format("{} is {} {} at west_east {}, south_north {}, level {} of record {}, {} s after "
                        "its beginning; no atmosphere has that: the file is damaged or of another "
                        "domain",
                        name, value, unit, patch_.x0 + c.i, patch_.y0 + c.j, k, record_, elapsed));
    };
    for (const Side side : all_sides) {
        const RimStrip &strip = field.strip(side);
        for (int d = 0; d < field.width(); ++d)
            for (int along = strip.first; along < strip.first + strip.length; ++along) {
                const Column c = rim_.column(side, d, along, field.points());
                if (!in_stencils(c)) continue;
                const real mass = coupled ? grid_.mub(c.i, c.j) : real(1);
                for (int k = 0; k < field.levels(); ++k)
                    for (const double elapsed : {0.0, record.end - record.begin}) {
                        const real x = strip.at(field.place(side, d, k, along), real(elapsed)) / mass;
                        if (!(x >= limits.low && x <= limits.high)) refuse(side, d, k, along, elapsed, x);
                    }
            }
    }
}

void LateralBoundary::check_agrees(const State &state) const {
    const Range own{0, patch_.shape.nx, 0, patch_.shape.ny, 0, 1};
    rim_.for_each_line(own, Points::cells, 0, specified_, [&](const RimLine &line) {
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int i = line.points.i0; i < line.points.i1; ++i) {
                const real in_file = fields_.mu.row(line, 0, j).at(i, begin_), in_state = state.mu(i, j);
                if (std::abs(in_file - in_state) <= largest_disagreement) continue;
                file_.fail(
                    fmt::format("MU is {} Pa at west_east {}, south_north {}, the state's {}: a file of "
                                "another domain or date than initial.file's; write both with one run "
                                "of real.exe",
                                in_file, patch_.x0 + i, patch_.y0 + j, in_state));
            }
    });
}

} // namespace squall
