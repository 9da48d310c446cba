#include "moments/advection.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moments/sweeps.hpp"
#include "parallel/tiles.hpp"
#include "run/agree.hpp"

namespace squall::transport {
namespace {

/// Of its air, what a cell may lose in a part of a step.
constexpr double allowed_loss = 0.95;

/// Rows of a patch, for threads to share out.
std::vector<Range> single_rows(const Shape &s) { return make_tiles({0, 1, 0, s.ny, 0, 1}, 1, 1); }

double lost(double low, double high) { return std::max(-low, 0.0) + std::max(high, 0.0); }

} // namespace

Advection::Advection(Neighbours &neighbours, Scheme scheme, int tracers, bool positive)
    : neighbours_(neighbours), scheme_(scheme), tracers_(tracers), positive_(positive),
      part_(neighbours.patch().shape) {}

int Advection::count_parts(const Block &block, const MassFluxes &f) {
    const Shape &s = block.shape();
    std::vector<double> of_rows(static_cast<std::size_t>(s.ny), 0.0);
    for_each_tile(single_rows(s), [&](const Range &row) {
        double most = 0;
        for (int k = 0; k < s.nz; ++k) {
            const double *air = block.row(0, k, row.j0), *east = f.east_row(k, row.j0);
            const double *south = f.north_row(k, row.j0), *north = f.north_row(k, row.j0 + 1);
            const double *low = f.up_row(k, row.j0), *high = f.up_row(k + 1, row.j0);
            for (int i = 0; i < s.nx; ++i) {
                const double loss =
                    lost(south[i], north[i]) + lost(low[i], high[i]) + std::max(east[i + 1] - east[i], 0.0);
                // the larger one, and what is not a number
                if (!(loss / air[i] <= most)) most = loss / air[i];
            }
        }
        of_rows[static_cast<std::size_t>(row.j0)] = std::isfinite(most) ? most : 1e300;
    });
    courant_ = neighbours_.largest(*std::ranges::max_element(of_rows));
    if (courant_ > 1e4)
        throw AgreedError(fmt::format("a cell would lose {:.3g} times its air in a step: the wind is not one "
                                      "of numbers, or run.time_step is much too long",
                                      courant_));
    return std::max(1, static_cast<int>(std::ceil(courant_ / allowed_loss)));
}

void Advection::set_part(const MassFluxes &fluxes, int parts) {
    const auto scale = [parts](const std::vector<double> &from, std::vector<double> &to) {
        std::ranges::transform(from, to.begin(), [parts](double x) { return x / parts; });
    };
    scale(fluxes.east, part_.east);
    scale(fluxes.north, part_.north);
    scale(fluxes.up, part_.up);
}

std::vector<int> Advection::reaches(const Block &block) const {
    const Shape &s = block.shape();
    const auto ny = static_cast<std::size_t>(s.ny);
    std::vector<double> extremes(2 * ny, 0.0); // the strongest flux of each row, and the least air
    for (int j = 0; j < s.ny; ++j) {
        double strongest = 0, least = 1e300;
        for (int k = 0; k < s.nz; ++k) {
            const double *east = part_.east_row(k, j), *air = block.row(0, k, j);
            for (int i = 0; i <= s.nx; ++i) strongest = std::max(strongest, std::abs(east[i]));
            for (int i = 0; i < s.nx; ++i) least = std::min(least, air[i]);
        }
        extremes[static_cast<std::size_t>(j)] = strongest,
        extremes[ny + static_cast<std::size_t>(j)] = -least;
    }
    neighbours_.largest_in_rows(extremes);
    std::vector<int> reach;
    for (std::size_t j = 0; j < ny; ++j) {
        const double cells = 1 + std::floor(extremes[j] / -extremes[ny + j]);
        reach.push_back(static_cast<int>(std::min<double>(cells, neighbours_.patch().nx_domain)));
    }
    return reach;
}

template <Scheme scheme> void Advection::sweep_x(Block &block) {
    const std::vector<int> reach = reaches(block);
    neighbours_.fetch_sides(block, reach);
    const Shape &s = block.shape();
    for_each_tile(single_rows(s), [&](const Range &row) {
        RowSweep<scheme> sweep(neighbours_, tracers_, positive_, reach[static_cast<std::size_t>(row.j0)]);
        for (int k = 0; k < s.nz; ++k) sweep.run(block, part_.east_row(k, row.j0), k, row.j0);
    });
}

/// Along y every layer is a bundle of lines side by side, along z every row.
template <Scheme scheme> void Advection::sweep_lines(Block &block, Direction direction) {
    const Shape &s = block.shape();
    const bool north = direction == Direction::y;
    if (north) neighbours_.fill_rows(block);
    const auto bundles = make_tiles({0, s.nx, 0, north ? s.nz : s.ny, 0, 1}, bundle_width, 1);
    for_each_tile(bundles, [&](const Range &bundle) {
        LineSweep<scheme> sweep(direction, north ? s.ny : s.nz, tracers_, positive_);
        sweep.run(block, part_, bundle.i0, bundle.i1 - bundle.i0, bundle.j0);
    });
}

template <Scheme scheme> void Advection::sweep(Block &block, Direction direction) {
    direction == Direction::x ? sweep_x<scheme>(block) : sweep_lines<scheme>(block, direction);
}

void Advection::step(Block &block, const MassFluxes &fluxes, std::int64_t step) {
    parts_ = count_parts(block, fluxes);
    set_part(fluxes, parts_);
    for (int part = 0; part < parts_; ++part) {
        std::array order{Direction::x, Direction::y, Direction::z};
        if ((step + part) % 2 != 0) std::swap(order.front(), order.back());
        for (const Direction direction : order)
            scheme_ == Scheme::slopes ? sweep<Scheme::slopes>(block, direction)
                                      : sweep<Scheme::second_order>(block, direction);
    }
}

} // namespace squall::transport
