#include "physics/radiation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <omp.h>

#include "core/constants.hpp"
#include "core/interval.hpp"
#include "parallel/tasks.hpp"
#include "parallel/work_team.hpp"
#include "physics/radiated_air.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"
#include "physics/radiation_queue.hpp"
#include "physics/sunlit_ground.hpp"
#include "settings/calendar.hpp"

namespace squall {
namespace {

using namespace radiation;

/// Neighbours are solved together.
constexpr std::size_t columns_together = 8;
int batches(std::size_t columns) { return int((columns + columns_together - 1) / columns_together); }
std::size_t first_of(int batch) { return std::size_t(batch) * columns_together; }
std::size_t count_in(int batch, std::size_t columns) {
    return std::min(columns_together, columns - first_of(batch));
}

/// Unless more is asked for [s].
constexpr double longest_interval = 1800;

/// Of the mean work of a team: less is not worth a message.
constexpr double least_handover = 0.03;

/// What comes of a column: fluxes [W m-2] and what goes with them, then the rate of the potential temperature
/// of dry air of each layer [K s-1].
enum Result {
    solar_down,
    solar_direct,
    solar_up,
    solar_down_top,
    solar_up_top,
    thermal_down,
    thermal_up_top,
    cosine,
    albedo,
    heating
};

} // namespace

std::int64_t Radiation::steps_between(const Config &config) {
    const double asked = config.physics.radiation_interval;
    const double interval = asked > 0 ? asked : std::min(60 * config.domain.dx / 1000, longest_interval);
    return std::max(std::llround(interval / config.run.time_step), 1LL);
}

struct Radiation::Implementation {
    /// What belongs to a column while it is worked on.
    struct Work {
        Column column;
        Fluxes thermal, solar;
    };
    /// What one thread works with.
    struct Worker {
        std::unique_ptr<Scheme> scheme;
        std::vector<Work> columns = std::vector<Work>(columns_together);
        std::vector<Task> tasks{};
        std::vector<real> records{};
        std::vector<double> results{};
    };
    /// Columns that another rank has taken.
    struct Given {
        std::vector<RadiationQueue::Column> columns;
        std::vector<real> records;
        std::vector<double> results;
    };
    using Columns = std::span<const RadiationQueue::Column>;

    Implementation(const Config &config, const ScalarSet &scalars, const Patch &where)
        : patch(where), cloudy{scalars.cloud, scalars.ice, scalars.snow}, every(steps_between(config)),
          dt(config.run.time_step), interval(double(every) * dt), as_wrf(config.run.as_wrf()),
          start(parse_time(config.run.start)), air(config, scalars, where.shape.nz),
          costs(scheme_named(config.physics.radiation).costs) {
        const SchemeMaker make =
            scheme_named(config.physics.radiation).prepare(config.physics.radiation_tables);
        for (int thread = 0; thread < omp_get_max_threads(); ++thread) workers.push_back({make()});
    }

    std::size_t record_size() const { return air.record().size(); }
    std::size_t result_size() const { return heating + static_cast<std::size_t>(patch.shape.nz); }
    void line_up(const RadiatedPatch &of);
    void find_costs(const RadiatedPatch &of, int j, double *row) const;
    std::vector<Given> give(const RadiatedPatch &of, std::span<const Handover> handovers);
    void take(const VerticalGrid &vertical, std::span<const Handover> handovers);
    void find_own(const RadiatedPatch &of);
    void solve(const real *records, std::size_t count, const VerticalGrid &vertical, double *results);
    void solve_batch(Worker &worker, const real *records, std::size_t count, const VerticalGrid &vertical,
                     double *results) const;
    Seed seed(const real *record) const;
    void set_result(const Work &work, const real *record, double *result) const;
    void keep(const RadiatedPatch &of, Columns columns, const double *results) const;
    void keep(const RadiatedPatch &of, int i, int j, const double *result) const;
    double on_relief(const Grid &grid, int i, int j, const double *result) const;
    Worker &worker() { return workers[static_cast<std::size_t>(omp_get_thread_num())]; }

    Patch patch;
    std::array<int, 3> cloudy; ///< scalars; -1: none
    std::optional<SunlitGround> relief{};
    std::optional<WorkTeam> team{};
    std::int64_t every; ///< steps from call to call, of run.time_step
    double dt, interval;
    bool as_wrf;
    CalendarTime start;
    bool wanted = false; ///< a call, in the next step
    RadiatedAir air;
    ColumnCosts costs;
    RadiationCall call{};        ///< that has begun
    std::vector<Worker> workers; ///< one per thread
    std::vector<double> costs_of_columns{};
    RadiationQueue queue{};
    std::vector<std::pair<std::vector<real>, std::vector<double>>> taken{}; ///< until their results are sent
    SharedRadiation shared{};
};

Radiation::Radiation(const Config &config, const ScalarSet &scalars, const Patch &patch)
    : implementation_(std::make_unique<Implementation>(config, scalars, patch)) {}
Radiation::Radiation(Radiation &&) noexcept = default;
Radiation::~Radiation() = default;

void Radiation::survey(const Config &config, const Grid &grid, MPI_Comm comm) {
    Implementation &r = *implementation_;
    if (SunlitGround::wanted(config.physics)) r.relief.emplace(config, r.patch, grid, comm);
    if (r.costs.worth_sharing()) r.team.emplace(comm, r.patch);
}

void Radiation::set_time_step(double dt) { implementation_->dt = dt; }

void Radiation::call_next() { implementation_->wanted = true; }

const SharedRadiation &Radiation::shared() const { return implementation_->shared; }

double Radiation::waited() const { return implementation_->team ? implementation_->team->waited() : 0; }

bool Radiation::begin(double seconds) {
    Implementation &r = *implementation_;
    if (!std::exchange(r.wanted, false) && !falls_due(seconds, r.dt, r.interval)) return false;
    const CalendarTime middle = add_seconds(r.start, seconds + 0.5 * r.interval);
    const std::chrono::year year =
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(middle)).year();
    const std::chrono::duration<double, std::ratio<86400>> since =
        middle - std::chrono::sys_days(year / std::chrono::January / 1);
    const double day = since.count();
    r.call = {sun_at(day, r.as_wrf), day, well_mixed(int(year) + day / 366),
              r.every * std::llround(seconds / r.interval)};
    return true;
}

/// What others compute is sent first and what is computed for others comes first, so that neither waits.
void Radiation::advance(const RadiatedPatch &patch) {
    Implementation &r = *implementation_;
    r.line_up(patch);
    r.shared = {r.queue.work(), r.queue.work(), 0};
    std::vector<Handover> handovers;
    if (r.team) handovers = r.team->plan(r.queue.work(), least_handover);
    const auto given = r.give(patch, handovers);
    r.take(patch.grid.vertical, handovers);
    r.find_own(patch);
    if (handovers.empty()) return;
    r.team->finish();
    r.taken.clear();
    for (const auto &part : given) r.keep(patch, part.columns, part.results.data());
}

/// All columns of the patch; what they cost, where somebody may take them.
void Radiation::Implementation::line_up(const RadiatedPatch &of) {
    const Shape n = patch.shape;
    costs_of_columns.assign(static_cast<std::size_t>(n.nx) * static_cast<std::size_t>(n.ny), 0.0);
    const auto row = [&](int j) { return costs_of_columns.data() + static_cast<std::ptrdiff_t>(j) * n.nx; };
    if (team && team->size() > 1) for_each_task(n.ny, [&](int j) { find_costs(of, j, row(j)); });
    queue.clear();
    for (int j = 0; j < n.ny; ++j)
        for (int i = 0; i < n.nx; ++i) queue.add({i, j, row(j)[i]});
}

void Radiation::Implementation::find_costs(const RadiatedPatch &of, int j, double *row) const {
    const Grid &g = of.grid;
    const auto has = [&](int scalar, int i, int k) {
        return scalar >= 0 && of.state.scalars[static_cast<std::size_t>(scalar)](i, k, j) > 0;
    };
    for (int i = 0; i < patch.shape.nx; ++i) {
        const bool day = air.sunlight(call, double(g.lat(i, j)), double(g.lon(i, j))).cosine > 0;
        row[i] = day ? costs.day : costs.night;
    }
    for (int k = 0; k < patch.shape.nz; ++k)
        for (int i = 0; i < patch.shape.nx; ++i)
            if (has(cloudy[0], i, k) || has(cloudy[1], i, k) || has(cloudy[2], i, k))
                row[i] += costs.cloudy_layer;
}

/// Sends what this rank has too much of, if so.
std::vector<Radiation::Implementation::Given>
Radiation::Implementation::give(const RadiatedPatch &of, std::span<const Handover> handovers) {
    std::vector<Given> given;
    if (handovers.empty() || !team->is_me(handovers.front().from)) return given;
    for (const Handover &h : handovers) {
        Given &part = given.emplace_back(Given{queue.take_off(h.work), {}, {}});
        const int count = static_cast<int>(part.columns.size());
        part.records.resize(part.columns.size() * record_size());
        part.results.resize(part.columns.size() * result_size());
        for_each_task(count, [&](int n) {
            const auto at = static_cast<std::size_t>(n);
            air.record().take(of, patch, part.columns[at].i, part.columns[at].j,
                              part.records.data() + at * record_size());
        });
        team->send_work(part.records, h.to);
        shared.messages += 2;
    }
    team->finish(); // now, so that it takes nobody's attention later
    for (std::size_t n = 0; n < given.size(); ++n) team->receive_results(given[n].results, handovers[n].to);
    shared.done = queue.work();
    return given;
}

/// Does what others have too much of, if so, and begins to send it back. All of it is received first: those
/// who give wait until it is.
void Radiation::Implementation::take(const VerticalGrid &vertical, std::span<const Handover> handovers) {
    if (handovers.empty() || team->is_me(handovers.front().from)) return;
    for (const Handover &h : handovers) taken.push_back({team->receive_work(h.from), {}});
    for (std::size_t n = 0; n < handovers.size(); ++n) {
        auto &[records, results] = taken[n];
        const std::size_t count = records.size() / record_size();
        results.resize(count * result_size());
        solve(records.data(), count, vertical, results.data());
        team->send_results(results, handovers[n].from);
        shared.done += handovers[n].work;
        shared.messages += 2;
    }
}

/// The columns that this rank has kept.
void Radiation::Implementation::find_own(const RadiatedPatch &of) {
    const Columns all = queue.columns();
    const std::size_t size = record_size();
    for_each_task(batches(all.size()), [&](int batch) {
        const Columns some = all.subspan(first_of(batch), count_in(batch, all.size()));
        Worker &w = worker();
        w.records.resize(some.size() * size);
        w.results.resize(some.size() * result_size());
        for (std::size_t n = 0; n < some.size(); ++n)
            air.record().take(of, patch, some[n].i, some[n].j, w.records.data() + n * size);
        solve_batch(w, w.records.data(), some.size(), of.grid.vertical, w.results.data());
        keep(of, some, w.results.data());
    });
}

void Radiation::Implementation::solve(const real *records, std::size_t count, const VerticalGrid &vertical,
                                      double *results) {
    for_each_task(batches(count), [&](int batch) {
        const std::size_t first = first_of(batch);
        solve_batch(worker(), records + first * record_size(), count_in(batch, count), vertical,
                    results + first * result_size());
    });
}

void Radiation::Implementation::solve_batch(Worker &w, const real *records, std::size_t count,
                                            const VerticalGrid &vertical, double *results) const {
    w.tasks.clear();
    for (std::size_t n = 0; n < count; ++n) {
        Work &work = w.columns[n];
        const real *record = records + n * record_size();
        air.make(record, vertical, call, work.column);
        w.tasks.push_back({&work.column, seed(record), &work.thermal, &work.solar});
    }
    w.scheme->solve_longwave(w.tasks);
    w.scheme->solve_shortwave(w.tasks);
    for (std::size_t n = 0; n < count; ++n)
        set_result(w.columns[n], records + n * record_size(), results + n * result_size());
}

/// By the column's place in the domain.
Seed Radiation::Implementation::seed(const real *record) const {
    return {static_cast<std::uint64_t>(record[RadiationRecord::y]) *
                    static_cast<std::uint64_t>(patch.nx_domain) +
                static_cast<std::uint64_t>(record[RadiationRecord::x]),
            static_cast<std::uint64_t>(call.step)};
}

void Radiation::Implementation::set_result(const Work &w, const real *record, double *result) const {
    const Fluxes &solar = w.solar, &thermal = w.thermal;
    result[solar_down] = solar.down[0], result[solar_direct] = solar.direct[0];
    result[solar_up] = solar.up[0];
    result[solar_down_top] = solar.down.back(), result[solar_up_top] = solar.up.back();
    result[thermal_down] = thermal.down[0], result[thermal_up_top] = thermal.up.back();
    result[cosine] = std::max(w.column.sun.cosine, 0.0);
    result[albedo] = w.column.ground.albedo;
    const auto net_up = [&](std::size_t k) {
        return thermal.up[k] - thermal.down[k] + solar.up[k] - solar.down[k];
    };
    const real *more = air.record().profile(record, RadiationRecord::pressure),
               *base = air.record().profile(record, RadiationRecord::base_pressure);
    for (int k = 0; k < patch.shape.nz; ++k) {
        const auto n = static_cast<std::size_t>(k);
        const double mass = (w.column.pressure[n] - w.column.pressure[n + 1]) / double(constants::g);
        result[heating + n] = (net_up(n) - net_up(n + 1)) /
                              (mass * double(constants::c_p) * exner_of(double(more[k]) + double(base[k])));
    }
}

void Radiation::Implementation::keep(const RadiatedPatch &of, Columns columns, const double *results) const {
    for (const RadiationQueue::Column &c : columns) {
        keep(of, c.i, c.j, results);
        results += result_size();
    }
}

void Radiation::Implementation::keep(const RadiatedPatch &of, int i, int j, const double *result) const {
    RadiationState &r = of.physics.radiation;
    for (int k = 0; k < patch.shape.nz; ++k) r.heating(i, k, j) = real(result[heating + k]);
    r.shortwave_down(i, j) = real(result[solar_down]);
    r.shortwave_direct(i, j) = real(result[solar_direct]);
    r.shortwave_net(i, j) = real(result[solar_down] - result[solar_up]);
    if (relief) {
        const double reaching = on_relief(of.grid, i, j, result);
        r.shortwave_on_relief(i, j) = real(reaching);
        r.shortwave_net(i, j) = real((1 - result[albedo]) * reaching);
    }
    r.shortwave_down_top(i, j) = real(result[solar_down_top]);
    r.shortwave_up_top(i, j) = real(result[solar_up_top]);
    r.longwave_down(i, j) = real(result[thermal_down]);
    r.longwave_up_top(i, j) = real(result[thermal_up_top]);
    r.cosine(i, j) = real(result[cosine]);
    SurfaceState &surface = of.physics.surface;
    if (surface.shortwave_net.view().origin) surface.shortwave_net(i, j) = r.shortwave_net(i, j);
    if (surface.shortwave_down.view().origin) surface.shortwave_down(i, j) = r.shortwave_reaching()(i, j);
    if (surface.longwave_down.view().origin) surface.longwave_down(i, j) = r.longwave_down(i, j);
}

/// Sunlight down on the ground as it is inclined and shaded [W m-2].
double Radiation::Implementation::on_relief(const Grid &grid, int i, int j, const double *result) const {
    const Direction to_sun = call.sun.direction(double(grid.lat(i, j)), double(grid.lon(i, j)));
    const double beam = result[solar_direct], sky = result[solar_down] - beam;
    return to_sun.up > 0 ? sky + beam * relief->share(i, j, to_sun) : sky;
}

} // namespace squall
