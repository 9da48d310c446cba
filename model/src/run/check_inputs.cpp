#include "run/check_inputs.hpp"

#include <algorithm>

#include "boundary/file_rim.hpp"
#include "boundary/lateral_boundary.hpp"
#include "initial/aerosol_file.hpp"
#include "initial/initial.hpp"
#include "nesting/own_ground.hpp"
#include "output/restart.hpp"
#include "physics/radiation.hpp"
#include "physics/radiation/scheme.hpp"
#include "run/agree.hpp"
#include "run/open_boundary_file.hpp"
#include "settings/nests.hpp"
#include "solver/nudging.hpp"
#include "solver/sea_surface.hpp"

namespace squall {
namespace {

/// Rows of a strip: few, so that little memory is needed, but not so few that reading them is slow.
constexpr int strip_rows = 16;

Patch strip_of(const Config &config, int strip, int strips) {
    const DomainConfig &d = config.domain;
    return make_patch(strip, 1, strips, d.nx, d.ny, d.nz, d.boundaries);
}

/// The column mass of the base state beyond the strip's rows, which no neighbour sends: that of the last.
void extend(Grid &grid) {
    const int nx = grid.shape.nx, ny = grid.shape.ny;
    for (int j = -1; j <= ny + 1; ++j)
        for (int i = -1; i <= nx + 1; ++i)
            grid.mub(i, j) = grid.mub(std::clamp(i, 0, nx - 1), std::clamp(j, 0, ny - 1));
}

void check_boundary(const Config &config, FileRim::Holds holds, const Patch &strip, InitialState &initial,
                    double begin) {
    const double last = config.run.duration - config.run.time_step;
    if (begin > last) return;
    extend(initial.grid);
    LateralBoundary boundary(
        config, strip, initial.grid, initial.scalars,
        std::make_unique<FileRim>(BoundaryFile(config), holds, config, strip, initial.scalars));
    boundary.set_time(begin, initial.state);
    boundary.check_agrees(initial.state);
    for (double t = boundary.next_change(begin); t <= last; t = boundary.next_change(t))
        boundary.set_time(t, initial.state);
}

/// When a domain steps [s since run.start].
struct Life {
    double begin, end;
};

/// Lets a reader of a file of analyses see each of its times that a domain will.
template <class Reads>
void read_all(const std::string &path, const Config &config, const Life &life, Reads &reader) {
    const AnalysisFile file(path, config, "");
    reader.read(life.begin);
    for (std::int64_t n = 0; n < file.records(); ++n)
        if (file.time(n) > life.begin && file.time(n) < life.end) reader.read(file.time(n));
}

void check_sea(const Config &config, const Patch &strip, InitialState &initial, const Life &life) {
    if (config.boundary.lower_file.empty() || life.begin >= life.end) return;
    SeaSurface sea(config, strip, initial);
    read_all(config.boundary.lower_file, config, life, sea);
}

void check_analyses(const Config &config, const Patch &strip, InitialState &initial, double begin) {
    const Life life{begin, config.run.duration};
    check_sea(config, strip, initial, life);
    if (Nudging::wanted(config)) {
        Nudging nudging(config, strip);
        read_all(config.nudging.file, config, life, nudging);
    }
}

void check_strip(const Config &config, FileRim::Holds holds, const Patch &strip) {
    InitialState initial = make_initial_state(config, strip);
    double begin = 0;
    if (!config.run.restart_from.empty()) {
        RestartFrame frame = read_restart(config.run.restart_from, config, strip, initial.grid);
        initial.state = std::move(frame.state);
        begin = frame.seconds;
    }
    if (config.domain.boundaries.west == Boundary::specified)
        check_boundary(config, holds, strip, initial, begin);
    check_analyses(config, strip, initial, begin);
}

/// Of the patches that the run would have.
void check_patches(const Config &config, int rank, int ranks) {
    const DomainConfig &d = config.domain;
    const auto [px, py] =
        choose_process_grid(ranks, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y);
    check_specified_rows(config.boundary.specified_rows,
                         make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries));
}

/// Of a nest, in a run that perhaps goes on from a frame.
Life life_of(const Config &nest, const NestConfig &settings) {
    const std::string &frame = nest.run.restart_from;
    const double now = frame.empty() ? 0 : read_restart_place(frame, nest).seconds;
    return {std::max(settings.start, now), settings.end > 0 ? settings.end : nest.run.duration};
}

/// What a nest's own files hold, and that its levels are those of all domains.
void check_nest(const Config &nest, const NestConfig &settings, const Config &outermost, int rows, int rank,
                int ranks) {
    const auto strips_of = [&](const Config &config) { return std::max(1, config.domain.ny / rows); };
    if (rank >= strips_of(nest)) return;
    const VerticalGrid levels =
        make_initial_state(outermost, strip_of(outermost, 0, strips_of(outermost))).grid.vertical;
    const Life life = life_of(nest, settings);
    for (int strip = rank; strip < strips_of(nest); strip += ranks) {
        const Patch patch = strip_of(nest, strip, strips_of(nest));
        InitialState initial = make_initial_state(nest, patch);
        check_levels(nest, initial.grid.vertical, levels);
        check_sea(nest, patch, initial, life);
    }
}

void check_aerosol(const Config &nest, int rows, int rank, int ranks) {
    const int strips = std::max(1, nest.domain.ny / rows);
    for (int strip = rank; strip < strips; strip += ranks) read_aerosol(nest, strip_of(nest, strip, strips));
}

/// That the frame which the run goes on from has the state of a nest that lives then. All but the outermost
/// domain's grid was checked with that.
void check_nest_in_frame(const Config &nest, const NestConfig &settings, int rows, int rank, int ranks) {
    const RestartPlace frame = read_restart_place(nest.run.restart_from, nest);
    const double slack = nest.run.time_step / 2;
    if (frame.seconds < settings.start - slack || (settings.end > 0 && frame.seconds > settings.end + slack))
        return;
    const int strips = std::max(1, nest.domain.ny / rows);
    for (int strip = rank; strip < strips; strip += ranks)
        read_restart(nest.run.restart_from, nest, strip_of(nest, strip, strips), Grid{});
}

/// Reads what radiation reads when the model is made.
void check_tables(const PhysicsConfig &physics) {
    radiation::scheme_named(physics.radiation).prepare(physics.radiation_tables);
}

} // namespace

std::string check_inputs(const Config &config, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::string note;
    FileRim::Holds holds{};
    if (config.domain.boundaries.west == Boundary::specified) {
        agree(comm, [&] { check_patches(config, rank, ranks); });
        const OpenBoundaryFile file = open_boundary_file(config, comm);
        holds = {file.theta.moist, file.aerosol}, note = file.theta.note;
    }
    agree(comm, [&] {
        const int rows = std::max({strip_rows, halo_width, config.boundary.specified_rows + 1});
        const int strips = std::max(1, config.domain.ny / rows);
        for (int strip = rank; strip < strips; strip += ranks)
            check_strip(config, holds, strip_of(config, strip, strips));
        for (const Config &nest : with_nests(config)) {
            if (nest.identity.id == 1) continue;
            const auto settings = std::ranges::find(config.nests, nest.identity.name, &NestConfig::name);
            if (!nest.initial.file.empty()) check_nest(nest, *settings, config, rows, rank, ranks);
            if (!settings->aerosol_file.empty()) check_aerosol(nest, rows, rank, ranks);
            if (!config.run.restart_from.empty()) check_nest_in_frame(nest, *settings, rows, rank, ranks);
        }
        if (Radiation::wanted(config.physics) && rank == 0) check_tables(config.physics);
    });
    return note;
}

} // namespace squall
