#include "boundary/file_rim.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "grid/scalar_named.hpp"

namespace squall {
namespace {

/// A column mass farther than this from the state's is of other terrain or other weather [Pa].
constexpr real largest_disagreement = 3000;

} // namespace

FileRim::FileRim(BoundaryFile file, Holds holds, const Config &config, const Patch &patch,
                 const ScalarSet &scalars)
    : patch_(patch), rim_(patch), file_(std::move(file)), specified_(config.boundary.specified_rows),
      vapour_(scalars.vapour), moistens_(config.dynamics.moist_theta),
      converts_(vapour_ >= 0 && holds.moist != moistens_) { // air without vapour has one theta
    if (vapour_ >= 0) carried_.push_back({vapour_, "QVAPOR", "kg kg-1", {real(-0.01), real(0.1)}});
    if (!holds.aerosol) return;
    carried_.push_back({scalar_named("QNWFA", scalars), "QNWFA", "kg-1", {0, real(1e12)}});
    carried_.push_back({scalar_named("QNIFA", scalars), "QNIFA", "kg-1", {0, real(1e12)}});
}

bool FileRim::knows_scalar(int n) const {
    return std::ranges::find(carried_, n, &Carried::scalar) != carried_.end();
}

void FileRim::check(const RimFields &fields) const {
    file_.check("U", fields.u, patch_);
    file_.check("V", fields.v, patch_);
    file_.check("T", fields.theta, patch_);
    file_.check("PH", fields.ph, patch_);
    file_.check("MU", fields.mu, patch_);
    for (const Carried &c : carried_) file_.check(c.name, fields.scalars[std::size_t(c.scalar)], patch_);
}

double FileRim::fill(double seconds, const GridView &grid, const State &, RimFields &into) {
    record_ = file_.record_at(seconds);
    file_.read("U", record_, into.u);
    file_.read("V", record_, into.v);
    file_.read("T", record_, into.theta);
    file_.read("PH", record_, into.ph);
    file_.read("MU", record_, into.mu);
    for (const Carried &c : carried_) file_.read(c.name, record_, into.scalars[std::size_t(c.scalar)]);
    check_values(grid, into);
    if (converts_) convert_theta(grid, into);
    return file_.record(record_).begin;
}

/// Turns theta of dry air into that of moist, or back, where the run integrates the other one: at the
/// beginning and the end of the record; it is linear in between.
void FileRim::convert_theta(const GridView &grid, RimFields &fields) const {
    const BoundaryRecord record = file_.record(record_);
    const real duration = real(record.end - record.begin);
    for (const Side side : all_sides) {
        RimStrip &theta = fields.theta.strip(side);
        const RimStrip &vapour = fields.scalars[std::size_t(vapour_)].strip(side),
                       &mu = fields.mu.strip(side);
        for (int d = 0; d < fields.theta.width(); ++d)
            for (int along = theta.first; along < theta.first + theta.length; ++along) {
                const Column c = rim_.column(side, d, along, Points::cells);
                if (!rim_.in_stencils(c)) continue;
                const std::size_t m = fields.mu.place(side, d, 0, along);
                for (int k = 0; k < grid.nz; ++k) {
                    const std::size_t n = fields.theta.place(side, d, k, along);
                    const auto converted = [&](real elapsed) {
                        const real mass =
                            grid.c1h[k] * (grid.mub(c.i, c.j) + mu.at(m, elapsed)) + grid.c2h[k];
                        const real coupled = theta.at(n, elapsed);
                        const real excess = constants::rv_over_rd * vapour.at(n, elapsed) / mass;
                        const real part = moistens_ ? excess : -excess / (1 + excess);
                        return coupled + part * (coupled + constants::theta0 * mass);
                    };
                    const real first = converted(0), last = converted(duration);
                    theta.value[n] = first;
                    theta.tendency[n] = (last - first) / duration;
                }
            }
    }
}

/// Refuses what no atmosphere has, at both ends of the record.
void FileRim::check_values(const GridView &grid, const RimFields &fields) const {
    check_limits("MU", "Pa", fields.mu, nullptr, {-30000, 30000});
    check_limits("U", "m s-1", fields.u, &grid, {-400, 400});
    check_limits("V", "m s-1", fields.v, &grid, {-400, 400});
    check_limits("T", "K", fields.theta, &grid, {-250, 5000});
    check_limits("PH", "m2 s-2", fields.ph, &grid, {real(-2e5), real(2e5)});
    for (const Carried &c : carried_)
        check_limits(c.name, c.unit, fields.scalars[std::size_t(c.scalar)], &grid, c.limits);
}

/// The base state's column mass will do for what is coupled.
void FileRim::check_limits(const char *name, const char *unit, const RimField &field, const GridView *coupled,
                           Limits limits) const {
    const BoundaryRecord record = file_.record(record_);
    const auto refuse = [&](Side side, int d, int k, int along, double elapsed, real value) {
        const Column c = rim_.column(side, d, along, field.points());
        file_.fail(fmt::format(
            "{} is {} {} at west_east {}, south_north {}, level {} of record {}, {} s after its beginning; "
            "no atmosphere has such a value: the file is damaged or belongs to another domain",
            name, value, unit, patch_.x0 + c.i, patch_.y0 + c.j, k, record_, elapsed));
    };
    for (const Side side : all_sides) {
        const RimStrip &strip = field.strip(side);
        for (int d = 0; d < field.width(); ++d)
            for (int along = strip.first; along < strip.first + strip.length; ++along) {
                const Column c = rim_.column(side, d, along, field.points());
                if (!rim_.in_stencils(c)) continue;
                const real mass = coupled ? coupled->mub(c.i, c.j) : real(1);
                for (int k = 0; k < field.levels(); ++k)
                    for (const double elapsed : {0.0, record.end - record.begin}) {
                        const real x = strip.at(field.place(side, d, k, along), real(elapsed)) / mass;
                        if (!(x >= limits.low && x <= limits.high)) refuse(side, d, k, along, elapsed, x);
                    }
            }
    }
}

void FileRim::check_agrees(const State &state, const RimFields &fields, real elapsed) const {
    const Range own{0, patch_.shape.nx, 0, patch_.shape.ny, 0, 1};
    rim_.for_each_line(own, Points::cells, 0, specified_, [&](const RimLine &line) {
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int i = line.points.i0; i < line.points.i1; ++i) {
                const real in_file = fields.mu.row(line, 0, j).at(i, elapsed), in_state = state.mu(i, j);
                if (std::abs(in_file - in_state) <= largest_disagreement) continue;
                file_.fail(fmt::format("MU is {} Pa at west_east {}, south_north {}, but {} Pa in the "
                                       "initial state: the file belongs to another domain or date than "
                                       "initial.file; write both with one run of real.exe",
                                       in_file, patch_.x0 + i, patch_.y0 + j, in_state));
            }
    });
}

} // namespace squall
