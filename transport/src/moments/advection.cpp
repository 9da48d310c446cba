#include "moments/advection.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "globe/rows.hpp"
#include "globe/scratch.hpp"
#include "moments/sweeps.hpp"
#include "run/agree.hpp"

namespace squall::transport {
namespace {

/// Of its air, what a cell may lose in a part of a step.
constexpr double allowed_loss = 0.95;

/// Lines side by side, in layers or rows.
std::vector<Range> bundles(int lines, int others) {
    return make_tiles({0, lines, 0, others, 0, 1}, bundle_width, 1);
}

double lost(double low, double high) { return std::max(-low, 0.0) + std::max(high, 0.0); }

} // namespace

Advection::Advection(Neighbours &neighbours, Scheme scheme, int tracers, bool positive, Families families)
    : neighbours_(neighbours), scheme_(scheme), tracers_(tracers), positive_(positive),
      families_(std::move(families)),
      layers_(bundles(neighbours.patch().shape.nx, neighbours.patch().shape.nz)),
      columns_(bundles(neighbours.patch().shape.nx, neighbours.patch().shape.ny)),
      part_(neighbours.patch().shape) {}

int Advection::count_parts(const Block &block, const MassFluxes &f) {
    const Shape &s = block.shape();
    Scratch<double> of_rows(static_cast<std::size_t>(s.ny), 0.0);
    for_each_row(s.ny, [&](int j) {
        double most = 0;
        for (int k = 0; k < s.nz; ++k) {
            const double *air = block.row(0, k, j), *east = f.east_row(k, j);
            const double *south = f.north_row(k, j), *north = f.north_row(k, j + 1);
            const double *low = f.up_row(k, j), *high = f.up_row(k + 1, j);
            for (int i = 0; i < s.nx; ++i) {
                const double loss =
                    lost(south[i], north[i]) + lost(low[i], high[i]) + std::max(east[i + 1] - east[i], 0.0);
                // the larger one, and what is not a number
                if (!(loss / air[i] <= most)) most = loss / air[i];
            }
        }
        of_rows[static_cast<std::size_t>(j)] = std::isfinite(most) ? most : 1e300;
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

/// By layers, which have as much more flux as they have more air.
void Advection::find_reach(const Block &block, const MassFluxes &fluxes) {
    const Shape &s = block.shape();
    const auto lines = static_cast<std::size_t>(s.ny * s.nz);
    Scratch<double> extremes(2 * lines, 0.0); // the strongest flux of each line, and the least air
    for_each_row(s.ny, [&](int j) {
        for (int k = 0; k < s.nz; ++k) {
            const double *east = fluxes.east_row(k, j), *air = block.row(0, k, j);
            double strongest = 0, least = 1e300;
            for (int i = 0; i <= s.nx; ++i) strongest = std::max(strongest, std::abs(east[i]));
            for (int i = 0; i < s.nx; ++i) least = std::min(least, air[i]);
            const auto line = static_cast<std::size_t>(j * s.nz + k);
            extremes[line] = strongest, extremes[lines + line] = -least;
        }
    });
    neighbours_.largest_in_rows(extremes);
    reach_.assign(static_cast<std::size_t>(s.ny), 1);
    for (std::size_t line = 0; line < lines; ++line) {
        const double cells = 1 + std::floor(extremes[line] / -extremes[lines + line]);
        int &of_row = reach_[line / static_cast<std::size_t>(s.nz)];
        of_row = std::max(of_row, static_cast<int>(std::min<double>(cells, neighbours_.patch().nx_domain)));
    }
}

template <Scheme scheme> void Advection::sweep_x(Block &block, const MassFluxes &fluxes) {
    find_reach(block, fluxes);
    neighbours_.fetch_sides(block, reach_);
    const Shape &s = block.shape();
    for_each_row(s.ny, [&](int j) {
        RowSweep<scheme> sweep(neighbours_, tracers_, positive_, reach_[static_cast<std::size_t>(j)]);
        for (int k = 0; k < s.nz; ++k) sweep.run(block, fluxes.east_row(k, j), k, j);
    });
}

/// Along y every layer is a bundle of lines side by side, along z every row.
template <Scheme scheme>
void Advection::sweep_lines(Block &block, const MassFluxes &fluxes, Direction direction) {
    const Shape &s = block.shape();
    const bool north = direction == Direction::y;
    if (north) neighbours_.fill_rows(block);
    for_each_tile(north ? layers_ : columns_, [&](const Range &bundle) {
        LineSweep<scheme> sweep(direction, north ? s.ny : s.nz, tracers_, positive_);
        sweep.run(block, fluxes, bundle.i0, bundle.i1 - bundle.i0, bundle.j0);
    });
}

template <Scheme scheme> void Advection::sweep(Block &block, const MassFluxes &fluxes, Direction direction) {
    if (positive_) limit_together(block, scheme, direction, families_);
    direction == Direction::x ? sweep_x<scheme>(block, fluxes)
                              : sweep_lines<scheme>(block, fluxes, direction);
}

void Advection::step(Block &block, const MassFluxes &fluxes, std::int64_t step) {
    parts_ = count_parts(block, fluxes);
    if (parts_ > 1) set_part(fluxes, parts_);
    const MassFluxes &of_part = parts_ > 1 ? part_ : fluxes;
    for (int part = 0; part < parts_; ++part) {
        std::array order{Direction::x, Direction::y, Direction::z};
        if ((step + part) % 2 != 0) std::swap(order.front(), order.back());
        for (const Direction direction : order)
            scheme_ == Scheme::slopes ? sweep<Scheme::slopes>(block, of_part, direction)
                                      : sweep<Scheme::second_order>(block, of_part, direction);
    }
}

} // namespace squall::transport
