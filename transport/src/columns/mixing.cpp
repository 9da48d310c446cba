#include "columns/mixing.hpp"

#include <algorithm>
#include <cstring>

#include "columns/convection.hpp"

namespace squall::transport {
namespace {

/// Columns of a bundle that begins with column i.
int columns_from(int i, const Block &block) { return std::min(lanes, block.shape().nx - i); }

std::size_t bytes_of(int columns) { return static_cast<std::size_t>(columns) * sizeof(double); }

/// The fields of the block that hold these moments, the second list of second-order ones.
std::vector<int> fields(Scheme scheme, int tracers, std::initializer_list<int> of_slopes,
                        std::initializer_list<int> more) {
    std::vector<int> all;
    for (int tracer = 0; tracer < tracers; ++tracer) {
        for (const int m : of_slopes) all.push_back(field_of(scheme, tracer, m));
        if (scheme == Scheme::second_order)
            for (const int m : more) all.push_back(field_of(scheme, tracer, m));
    }
    return all;
}

} // namespace

/// Some fields of a bundle of columns, before they are mixed and after.
struct Mixing::Buffers {
    explicit Buffers(int nz) : before(static_cast<std::size_t>(fields_at_once * nz)), after(before.size()) {}
    Scratch<Doubles> before, after;
};

Mixing::Mixing(const MixingSettings &settings, Scheme scheme, int tracers)
    : settings_(settings), carried_(fields(scheme, tracers, {0, 1, 2}, {4, 5, 7})),
      flattened_(fields(scheme, tracers, {3}, {6, 8, 9})) {}

void Mixing::collect(MixingMatrices &matrices, const ColumnAir &air, const Weather &weather,
                     const BoundaryLayer *eddies, int i0, int j, double step) const {
    for (int lane = 0; lane < std::min(lanes, air.nx() - i0); ++lane) {
        const int i = i0 + lane;
        Exchange exchange(matrices, lane, air, i, step);
        if (eddies) eddies->mix(exchange);
        if (settings_.convection == "none") continue;
        const double evaporation = weather.latent_heat[weather.column(i, j)] / heat_of_evaporation;
        mix_draughts(weather.has_updraughts ? given_draughts(weather, i, j)
                                            : find_draughts(air, i, evaporation),
                     exchange);
    }
}

void Mixing::carry(const MixingMatrices &matrices, Block &block, int i0, int j, Buffers &buffers) const {
    const int n = matrices.depth();
    const auto size = bytes_of(columns_from(i0, block));
    const std::vector<int> &all = carried_;
    auto &[before, after] = buffers;
    for (std::size_t first = 0; first < all.size(); first += fields_at_once) {
        const auto count = static_cast<int>(std::min<std::size_t>(fields_at_once, all.size() - first));
        for (int k = 0; k < n; ++k)
            for (int f = 0; f < count; ++f)
                std::memcpy(&before[static_cast<std::size_t>(f * n + k)],
                            block.row(all[first + static_cast<std::size_t>(f)], k, j) + i0, size);
        matrices.multiply(before.data(), after.data(), count);
        for (int k = 0; k < n; ++k)
            for (int f = 0; f < count; ++f)
                std::memcpy(block.row(all[first + static_cast<std::size_t>(f)], k, j) + i0,
                            &after[static_cast<std::size_t>(f * n + k)], size);
    }
}

void Mixing::flatten(const MixingMatrices &matrices, Block &block, int i0, int j) const {
    const int columns = columns_from(i0, block);
    for (int k = 0; k < matrices.depth(); ++k)
        for (const int field : flattened_) {
            double *row = block.row(field, k, j) + i0;
            for (int lane = 0; lane < columns; ++lane) row[lane] *= matrices.stayed(k)[lane];
        }
}

void Mixing::apply(Block &block, const ColumnAir &air, const Weather &weather, const BoundaryLayer *eddies,
                   int j, double step) const {
    MixingMatrices matrices(block.shape().nz);
    Buffers buffers(block.shape().nz);
    for (int i = 0; i < block.shape().nx; i += lanes) {
        matrices.clear();
        collect(matrices, air, weather, eddies, i, j, step);
        if (matrices.depth() == 0) continue;
        matrices.invert();
        carry(matrices, block, i, j, buffers);
        flatten(matrices, block, i, j);
    }
}

} // namespace squall::transport
