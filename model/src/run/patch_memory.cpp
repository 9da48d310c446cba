#include "run/patch_memory.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "initial/initial.hpp"
#include "output/diagnosed.hpp"
#include "parallel/tiles.hpp"
#include "run/digital_filter.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

constexpr int fewest = 12; ///< rows, so that specified and relaxed ones have their place

/// Specified sides of which nothing is known.
class NoRim : public RimSource {
  public:
    bool knows_w() const override { return false; }
    bool knows_scalar(int) const override { return false; }
    bool changes_at(double) const override { return false; }
    double fill(double, const GridView &, const State &, RimFields &) override { return 0; }
};

/// The same schemes on fewer cells, in tiles of the same size, as it can begin from a built-in case.
Config small_domain(Config c, Shape shape, TileSize tile) {
    c.domain.nx = shape.nx, c.domain.ny = shape.ny;
    c.parallel = {};
    c.boundary.lower_file.clear(), c.nudging.file.clear(), c.physics.aerosol_file.clear();
    c.parallel.tile_x = tile.x, c.parallel.tile_y = tile.y;
    for (TracerConfig &t : c.tracers) t.source.clear(), t.from_file = false;
    c.ignitions.clear();
    c.fire.fuel = "category", c.fire.terrain = "domain";
    if (c.fire.moisture == "file") c.fire.moisture = "constant";
    if (!cases().contains(c.initial.case_name)) {
        c.initial.case_name = "mountain-hydrostatic";
        c.vertical.eta.clear();
        c.vertical.top = 20e3;
    }
    for (const CaseParameter &p : cases().at(c.initial.case_name).parameters)
        c.initial.parameters.try_emplace(p.key, p.value);
    if (c.physics.surface_temperature <= 0) c.physics.surface_temperature = 288;
    return c;
}

std::size_t memory_of(const Config &config, Shape shape, TileSize tile) {
    const Config c = small_domain(config, shape, tile);
    const Patch patch = make_patch(0, 1, 1, shape.nx, shape.ny, shape.nz, c.domain.boundaries);
    const bool specified = c.domain.boundaries.west == Boundary::specified;
    Config without_files = c; // the solver still asks whether the domain is on a sphere
    without_files.initial.file.clear();
    const std::size_t before = allocated_bytes();
    const auto rim = [&] { return specified ? std::make_unique<NoRim>() : nullptr; };
    const Solver solver(c, patch, MPI_COMM_SELF, make_initial_state(without_files, patch), rim());
    std::optional<Diagnosed> looked_at; // for the storm that a nest follows, as Domain does
    if (c.identity.follows)
        looked_at.emplace(c, patch, solver.grid(), Diagnosed::DryTheta::all_at_once, false, solver.tiles());
    // While its start is filtered a run holds the most.
    std::optional<FilteredStart> filtered;
    std::optional<Solver> backward;
    const Config without_physics = backward_config(c);
    if (c.digital_filter.scheme != "none") filtered.emplace(c, shape);
    if (c.digital_filter.backward()) {
        InitialState air = make_initial_state(without_files, patch);
        air.physics = {};
        backward.emplace(without_physics, patch, MPI_COMM_SELF, std::move(air), rim());
    }
    return allocated_bytes() - before;
}

} // namespace

std::size_t patch_memory(const Config &config, Shape patch, int threads) {
    TileSize tile = choose_tile_size(patch, threads, l2_cache_bytes());
    if (config.parallel.tile_x > 0) tile.x = std::min(config.parallel.tile_x, patch.nx);
    if (config.parallel.tile_y > 0) tile.y = std::min(config.parallel.tile_y, patch.ny);
    const int rows = std::max(tile.y, fewest);
    if (patch.ny <= 2 * rows) return memory_of(config, patch, tile);
    const auto some = memory_of(config, {patch.nx, rows, patch.nz}, tile),
               twice = memory_of(config, {patch.nx, 2 * rows, patch.nz}, tile);
    return some + (twice - some) * static_cast<std::size_t>(patch.ny - rows) / static_cast<std::size_t>(rows);
}

} // namespace squall
