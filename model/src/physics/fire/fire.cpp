#include "physics/fire/fire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/elementary.hpp"
#include "core/interval.hpp"
#include "parallel/tiles.hpp"
#include "physics/fire/burning.hpp"
#include "physics/fire/fire_wind.hpp"
#include "physics/fire/fuel.hpp"

namespace squall {
namespace {

constexpr Boundaries open_sides{Boundary::open, Boundary::open, Boundary::open, Boundary::open};

/// The same patch of a domain that ends at its sides, as the fire's does, whatever the air's are.
Patch closed(Patch p) {
    if (p.at_west()) p.west = MPI_PROC_NULL;
    if (p.at_east()) p.east = MPI_PROC_NULL;
    if (p.at_south()) p.south = MPI_PROC_NULL;
    if (p.at_north()) p.north = MPI_PROC_NULL;
    return p;
}

Patch refined(Patch p, int rx, int ry) {
    p.shape = fire_shape(p.shape, rx, ry);
    p.x0 *= rx, p.nx_domain *= rx;
    p.y0 *= ry, p.ny_domain *= ry;
    return p;
}

std::vector<Range> rows_of_eight(Shape s) { return make_tiles({0, s.nx, 0, s.ny, 0, s.nz}, s.nx, 8); }

HaloField plane_of(Array2 &a) { return HaloField::of(a); }

} // namespace

Fire::Fire(const Config &config, const Patch &patch, MPI_Comm comm, FireInput input, Grid &grid,
           FireState &state)
    : config_(config.fire), delay_(config.run.as_wrf() ? 1 : 0), air_patch_(closed(patch)),
      patch_(refined(air_patch_, config.fire.refinement_x, config.fire.ry())), comm_(comm),
      air_halo_(comm, air_patch_, open_sides), fire_halo_(comm, patch_, open_sides),
      air_tiles_(rows_of_eight({patch.shape.nx, patch.shape.ny, 1})),
      wide_air_tiles_(
          make_tiles({-1, patch.shape.nx + 1, -1, patch.shape.ny + 1, 0, 1}, patch.shape.nx + 2, 8)),
      tiles_(rows_of_eight(patch_.shape)), change_(patch_.shape), stage_(patch_.shape), next_(patch_.shape),
      sign_(patch_.shape), plane_(patch.shape), u_(patch.shape), v_(patch.shape), roughness_(patch.shape) {
    for (Array2 &of_spread : spread_) of_spread = Array2(patch_.shape);
    set_ground(config, input, grid);
    for (const IgnitionConfig &line : config.ignitions)
        ignitions_.emplace_back(config, line, patch, grid.fire, comm);
    begin_state(input, grid.fire, state);
    if (config_.roughness > 0) roughness_.fill(real(config_.roughness));
}

/// Fire on the atmosphere's terrain has its gradient between the fire's cells, where a file has none.
void Fire::set_ground(const Config &config, FireInput &input, Grid &grid) {
    FireGrid &g = grid.fire = FireGrid(grid.shape, config_.refinement_x, config_.ry());
    g.dx = grid.dx / real(g.rx), g.dy = grid.dy / real(g.ry);
    const Range cells{0, g.shape.nx, 0, g.shape.ny, 0, 1}, wide{-1, g.shape.nx + 1, -1, g.shape.ny + 1, 0, 1};
    const auto interpolate = [&](const Array2 &from, Range range, Array2 &to) {
        plane_.copy_from(from);
        fire::continue_linearly(air_patch_, fire::Lies::middle, plane_.view());
        fire::to_fire_cells(range, g, fire::Lies::middle, std::as_const(plane_).view(), to.view());
    };
    if (projection_file(config).empty())
        for_each_column(cells, [&](int i, int j) {
            g.x(i, j) = (real(patch_.x0 + i) + real(0.5)) * g.dx;
            g.y(i, j) = (real(patch_.y0 + j) + real(0.5)) * g.dy;
        });
    else
        interpolate(grid.lon, cells, g.x), interpolate(grid.lat, cells, g.y);
    if (input.height.bytes() > 0) {
        g.height = std::move(input.height);
        const HaloField fields[] = {plane_of(g.height).inside()};
        fire_halo_.fill(fields, 1);
        fire::continue_beyond(patch_, 0, g.height.view());
    } else
        interpolate(grid.terrain, wide, g.height);
    if (input.slope_x.bytes() > 0)
        g.slope_x = std::move(input.slope_x), g.slope_y = std::move(input.slope_y);
    else
        for_each_column(cells, [&](int i, int j) {
            g.slope_x(i, j) = (g.height(i + 1, j) - g.height(i - 1, j)) / (2 * g.dx);
            g.slope_y(i, j) = (g.height(i, j + 1) - g.height(i, j - 1)) / (2 * g.dy);
        });
    set_category(config, input.category, g);
}

/// By altitude: tall grass below 1524 m, timber with grass to 2073 m, litter of closed timber to 2438 m, with
/// understory to 3354 m, short grass to 3658 m, nothing above (WRF's set_nfuel_cat, for the Rocky Mountains).
void Fire::set_category(const Config &config, const Array2 &input, FireGrid &grid) const {
    const auto by_altitude = [](real z) {
        return z <= 1524 ? 3 : z <= 2073 ? 2 : z <= 2438 ? 8 : z <= 3354 ? 10 : z <= 3658 ? 1 : fire::no_fuel;
    };
    for (int j = 0; j < grid.shape.ny; ++j)
        for (int i = 0; i < grid.shape.nx; ++i) {
            real category = real(config_.fuel_category);
            if (config_.fuel == "altitude") category = real(by_altitude(grid.height(i, j)));
            if (config_.fuel == "file") category = std::round(input(i, j));
            if (!(category >= 1 && category <= fire::no_fuel))
                throw std::runtime_error(
                    fmt::format("{}: NFUEL_CAT is {} in cell {} west-east, {} south-north of the fire's grid "
                                "(0-based): it must be Anderson's 1 to 13, or 14 where nothing burns",
                                config.initial.file, category, patch_.x0 + i, patch_.y0 + j));
            grid.category(i, j) = category;
        }
}

void Fire::begin_state(const FireInput &input, const FireGrid &grid, FireState &state) const {
    state = FireState(air_patch_.shape, patch_.shape);
    if (config_.moisture == "model") state.water = FuelMoistureState(air_patch_.shape);
    const real far = 2 * std::max(real(patch_.nx_domain) * grid.dx, real(patch_.ny_domain) * grid.dy);
    state.level_set.fill(far);
    state.fuel_left.fill(1);
    state.mean_fuel_left.fill(1);
    state.moisture.fill(real(config_.fuel_moisture));
    if (config_.moisture == "file") state.moisture.copy_from(input.moisture);
}

void Fire::advance(const GridView &air_grid, const FireGrid &grid, const FireAir &air, double seconds,
                   double dt, FireState &state) {
    const double begin = seconds + delay_ * dt;
    const bool weather = config_.moisture == "model" && falls_due(seconds, dt, config_.moisture_interval);
    if (weather) find_moisture(grid, air.ground, state);
    if (weather || !std::exchange(spread_known_, true)) find_spread(grid, state);
    find_wind(air_grid, grid, air, state);
    move_front(grid, begin, dt, state);
    for_each_tile(tiles_, [&](const Range &cells) {
        for (const fire::Ignition &ignition : ignitions_)
            ignition.light(cells, grid, patch_, begin, begin + dt, state.level_set.view(),
                           state.ignition_time.view());
    });
    burn(grid, begin + dt, dt, state);
    average(grid, state);
}

/// The mean of its classes, by their shares in the load.
void Fire::find_moisture(const FireGrid &grid, const fire::NearGround &air, FireState &state) {
    for_each_tile(air_tiles_, [&](const Range &columns) {
        fire::advance_moisture(columns, air, config_.moisture_interval, state.water);
    });
    state.moisture.fill(0);
    for (int n = 0; n < moisture_classes; ++n) {
        plane_.copy_from(state.water.content[static_cast<std::size_t>(n)]);
        const HaloField fields[] = {plane_of(plane_)};
        air_halo_.fill(fields, 1);
        fire::continue_linearly(air_patch_, fire::Lies::middle, plane_.view());
        for_each_tile(tiles_, [&](const Range &cells) {
            fire::to_fire_cells(cells, grid, fire::Lies::middle, std::as_const(plane_).view(), stage_.view());
            for_each_column(cells, [&](int i, int j) {
                state.moisture(i, j) +=
                    real(fire::fuel(static_cast<int>(grid.category(i, j))).share(n)) * stage_(i, j);
            });
        });
    }
}

void Fire::find_spread(const FireGrid &grid, const FireState &state) {
    for_each_tile(tiles_, [&](const Range &cells) {
        for_each_column(cells, [&](int i, int j) {
            const fire::Spread s =
                fire::spread_of(static_cast<int>(grid.category(i, j)), state.moisture(i, j));
            const real values[] = {s.base, s.wind_factor, s.wind_power, s.slope_factor, s.chaparral, s.heat};
            for (std::size_t n = 0; n < spread_.size(); ++n) spread_[n](i, j) = values[n];
        });
    });
}

void Fire::find_wind(const GridView &air_grid, const FireGrid &grid, const FireAir &air, FireState &state) {
    if (air.roughness.origin) {
        for_each_column({0, air_grid.nx, 0, air_grid.ny, 0, 1},
                        [&](int i, int j) { roughness_(i, j) = air.roughness(i, j); });
        const HaloField fields[] = {plane_of(roughness_)};
        air_halo_.fill(fields, 2);
    }
    for_each_tile(wide_air_tiles_, [&](const Range &columns) {
        fire::wind_at_height(columns, air_grid, air.state, real(config_.wind_height),
                             std::as_const(roughness_).view(), u_.view(), v_.view());
    });
    fire::continue_linearly(air_patch_, fire::Lies::west, u_.view());
    fire::continue_linearly(air_patch_, fire::Lies::south, v_.view());
    for_each_tile(tiles_, [&](const Range &cells) {
        fire::to_fire_cells(cells, grid, fire::Lies::west, std::as_const(u_).view(), state.u.view());
        fire::to_fire_cells(cells, grid, fire::Lies::south, std::as_const(v_).view(), state.v.view());
    });
}

fire::SpreadFields Fire::fields(const FireGrid &grid, const FireState &state) const {
    return {spread_[0].view(), spread_[1].view(), spread_[2].view(),   spread_[3].view(),  spread_[4].view(),
            state.u.view(),    state.v.view(),    grid.slope_x.view(), grid.slope_y.view()};
}

void Fire::look_around(Array2 &psi) {
    const HaloField fields[] = {plane_of(psi).inside()};
    fire_halo_.fill(fields, halo_width);
    fire::continue_beyond(patch_, real(config_.edge_bias), psi.view());
}

/// A third of the step, half of it and all of it, each from its beginning.
void Fire::move_front(const FireGrid &grid, double seconds, double dt, FireState &state) {
    const fire::FrontRules rules(config_, patch_, grid);
    const fire::SpreadFields seen = fields(grid, state);
    Array2 *from = &state.level_set, *to = &stage_;
    for (const double part : {dt / 3, dt / 2, dt}) {
        look_around(*from);
        for_each_tile(tiles_, [&](const Range &cells) {
            fire::front_tendency(cells, rules, seen, std::as_const(*from).view(), change_.view(),
                                 state.rate.view());
            for_each_column(
                cells, [psi = std::as_const(state.level_set).view(), d = change_.view(), into = to->view(),
                        part = real(part)](int i, int j) { into(i, j) = psi(i, j) + part * d(i, j); });
        });
        from = to;
        to = to == &stage_ ? &next_ : &stage_;
    }
    for_each_tile(tiles_, [&](const Range &cells) { note_crossing(cells, seconds, dt, state); });
    refuse_near_sides();
    draw_to_distance(grid, state);
}

/// When the front, which is now that of stage_, reached the cells that it has reached, if psi fell linearly;
/// and how it looks (Byram 1959: flames of 0.0775 intensity^0.46 m).
void Fire::note_crossing(Range cells, double seconds, double dt, FireState &state) {
    const real later = real((seconds + dt) * (1 + 2 * double(std::numeric_limits<float>::epsilon())));
    for_each_column(cells, [&](int i, int j) {
        const real was = state.level_set(i, j), is = stage_(i, j);
        if (is > 0)
            state.ignition_time(i, j) = later;
        else if (was > 0)
            state.ignition_time(i, j) = real(seconds + dt * double(was / (was - is)));
        const bool at_front = state.area(i, j) > 0 && state.area(i, j) < 1;
        state.front_rate(i, j) = at_front ? state.rate(i, j) : real(0);
        state.flame_length(i, j) =
            at_front ? real(0.0775) * power(spread_[5](i, j) * state.rate(i, j), real(0.46)) : real(0);
    });
}

void Fire::refuse_near_sides() const {
    const int guard = config_.boundary_guard;
    if (guard <= 0) return;
    int reached = 0;
    for (int j = 0; j < patch_.shape.ny; ++j)
        for (int i = 0; i < patch_.shape.nx; ++i) {
            const int x = patch_.x0 + i, y = patch_.y0 + j;
            const bool near = std::min(std::min(x, patch_.nx_domain - 1 - x),
                                       std::min(y, patch_.ny_domain - 1 - y)) < guard;
            if (near && stage_(i, j) < 0) reached = 1;
        }
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, comm_);
    if (reached)
        throw std::runtime_error(
            fmt::format("The fire has come within {} of its cells (fire.boundary_guard) of a side of the "
                        "domain, where the run ends. A larger domain, or boundary_guard = 0, lets it go on.",
                        guard));
}

/// Runge-Kutta steps in a time of the equation's own, of a hundredth of a cell; no cell comes out of the fire
/// again. stage_ holds the front.
void Fire::draw_to_distance(const FireGrid &grid, FireState &state) {
    const fire::FrontRules rules(config_, patch_, grid);
    for_each_tile(tiles_, [&](const Range &cells) {
        for_each_column(cells,
                        [psi = std::as_const(stage_).view(), s = sign_.view(), dx = grid.dx](int i, int j) {
                            s(i, j) = psi(i, j) / std::sqrt(psi(i, j) * psi(i, j) + dx * dx);
                        });
    });
    const real step = real(0.01) * grid.dx;
    const auto sub_step = [&](Array2 &now, real part, Array2 &into) {
        look_around(now);
        for_each_tile(tiles_, [&](const Range &cells) {
            fire::draw_to_distance(cells, rules, std::as_const(sign_).view(), std::as_const(stage_).view(),
                                   std::as_const(now).view(), part * step, into.view());
        });
    };
    for (int n = 0; n < config_.reinitialisation_steps; ++n) {
        sub_step(stage_, real(1) / 3, next_);
        sub_step(next_, real(0.5), change_);
        sub_step(change_, 1, next_);
        std::swap(stage_, next_);
    }
    const bool drawn = config_.reinitialisation_steps > 0;
    for_each_tile(tiles_, [&](const Range &cells) {
        for_each_column(
            cells, [psi = state.level_set.view(), is = std::as_const(stage_).view(), drawn](int i, int j) {
                psi(i, j) = drawn ? std::min(psi(i, j), is(i, j)) : is(i, j);
            });
    });
}

void Fire::burn(const FireGrid &grid, double now, double dt, FireState &state) {
    look_around(state.level_set);
    const HaloField times[] = {plane_of(state.ignition_time)};
    fire_halo_.fill(times, 1);
    for_each_tile(tiles_, [&](const Range &cells) {
        const ConstField2 psi = std::as_const(state.level_set).view(),
                          time = std::as_const(state.ignition_time).view();
        for (int j = cells.j0; j < cells.j1; ++j)
            for (int i = cells.i0; i < cells.i1; ++i) {
                const fire::Fuel &fuel = fire::fuel(static_cast<int>(grid.category(i, j)));
                const fire::Remains left = fire::remains_of(psi, time, i, j, now, real(fuel.burn_time()));
                const real before = state.fuel_left(i, j), after = std::min(before, left.fuel);
                const fire::Heat heat =
                    fire::heat_of(fuel.load * double(before - after), state.moisture(i, j));
                state.area(i, j) = left.area;
                state.fuel_left(i, j) = after;
                state.burnt(i, j) = before - after;
                state.heat_flux(i, j) = real(heat.sensible / dt);
                state.vapour_flux(i, j) = real(heat.latent / dt);
            }
    });
}

/// Means over the fire's cells in one of the atmosphere's: always of the same cells in the same order.
void Fire::average(const FireGrid &grid, FireState &state) const {
    const double weight = 1 / double(grid.rx * grid.ry);
    for_each_tile(air_tiles_, [&](const Range &columns) {
        for_each_column(columns, [&](int i, int j) {
            double left = 0, heat = 0, vapour = 0, mass = 0;
            for (int b = j * grid.ry; b < (j + 1) * grid.ry; ++b)
                for (int a = i * grid.rx; a < (i + 1) * grid.rx; ++a) {
                    left += state.fuel_left(a, b);
                    heat += state.heat_flux(a, b);
                    vapour += state.vapour_flux(a, b);
                    mass += state.burnt(a, b) * fire::fuel(static_cast<int>(grid.category(a, b))).load /
                            (1 + double(state.moisture(a, b)));
                }
            state.mean_fuel_left(i, j) = real(left * weight);
            state.mean_heat_flux(i, j) = real(config_.feedback * heat * weight);
            state.mean_vapour_flux(i, j) = real(config_.feedback * vapour * weight);
            state.burnt_mass(i, j) = real(mass * weight);
        });
    });
}

} // namespace squall
