#include "parallel/halo_copies.hpp"

#include <algorithm>

#include <omp.h>

#include "core/device.hpp"

namespace squall {
namespace {

/// Below this many cache lines the threads cost more to wake than they save.
constexpr std::size_t parallel_lines = 2048;

bool worth_threads(const HaloField &a, const Block &b) {
    if (omp_get_max_threads() == 1) return false;
    constexpr int line = 64 / sizeof(real);
    const auto lines_per_row = static_cast<std::size_t>((b.i1 - b.i0 + line - 1) / line);
    return lines_per_row * static_cast<std::size_t>(b.j1 - b.j0) * static_cast<std::size_t>(a.nk) >
           parallel_lines;
}

#ifdef SQUALL_GPU_KERNELS

template <class F> __global__ void run_points(HaloField a, Block b, F f) {
    const std::size_t n = std::size_t(b.i1 - b.i0),
                      point = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (point >= b.points(a.nk)) return;
    const std::size_t row = point / n;
    const int i = int(point % n), k = int(row % std::size_t(a.nk)), j = b.j0 + int(row / std::size_t(a.nk));
    f(a.origin + a.sk * k + a.sj * j + b.i0, row, i, i + 1);
}

template <class F> void for_each_point_on_device(const HaloField &a, const Block &b, const F &f) {
    constexpr unsigned block = 256;
    if (const std::size_t points = b.points(a.nk); points > 0)
        run_points<<<static_cast<unsigned>((points + block - 1) / block), block>>>(a, b, f);
}

#endif

/// Runs f(row, n, i, i_end) for the points of each row of the block: its first element, its place among the
/// rows, and which of its points.
template <class F> void for_each_row(const HaloField &a, const Block &b, const F &f) {
#ifdef SQUALL_GPU_KERNELS
    if (device::in_use()) return for_each_point_on_device(a, b, f);
#endif
    device::finish();
    const auto run = [&](int j, int k) {
        f(a.origin + a.sk * k + a.sj * j + b.i0, std::size_t(j - b.j0) * a.nk + k, 0, b.i1 - b.i0);
    };
    if (worth_threads(a, b)) { // not an `if` of the region, which allocates its team for one thread too
#pragma omp parallel for collapse(2) schedule(static)
        for (int j = b.j0; j < b.j1; ++j)
            for (int k = 0; k < a.nk; ++k) run(j, k);
        return;
    }
    for (int j = b.j0; j < b.j1; ++j)
        for (int k = 0; k < a.nk; ++k) run(j, k);
}

/// Rows of known short length, west-east messages, must not become calls of memcpy;
/// 0 stands for any.
template <int length> void pack(const HaloField &a, const Block &b, real *buffer) {
    for_each_row(a, b, [=, n = b.i1 - b.i0](const real *row, std::size_t r, int begin, int end) {
        const int last = length ? begin + length : end;
        for (int i = begin; i < last; ++i) buffer[r * n + i] = row[i];
    });
}

template <int length> void unpack(const HaloField &a, const Block &b, const real *buffer) {
    for_each_row(a, b, [=, n = b.i1 - b.i0](real *row, std::size_t r, int begin, int end) {
        const int last = length ? begin + length : end;
        for (int i = begin; i < last; ++i) row[i] = buffer[r * n + i];
    });
}

} // namespace

void pack(const HaloField &a, const Block &b, real *buffer) {
    switch (device::in_use() ? 0 : b.i1 - b.i0) {
    case 1:
        return pack<1>(a, b, buffer);
    case 2:
        return pack<2>(a, b, buffer);
    case 3:
        return pack<3>(a, b, buffer);
    default:
        return pack<0>(a, b, buffer);
    }
}

void unpack(const HaloField &a, const Block &b, const real *buffer) {
    switch (device::in_use() ? 0 : b.i1 - b.i0) {
    case 1:
        return unpack<1>(a, b, buffer);
    case 2:
        return unpack<2>(a, b, buffer);
    case 3:
        return unpack<3>(a, b, buffer);
    default:
        return unpack<0>(a, b, buffer);
    }
}

void fill_edge_x(const EdgeLines &e, const HaloField &a, int j0, int j1) {
    for_each_row(a, {0, 1, j0, j1}, [e](real *row, std::size_t, int, int) {
        for (int l = 0; l < e.line_count; ++l) row[e.lines[l].to] = e.lines[l].sign * row[e.lines[l].from];
    });
}

void fill_edge_y(const EdgeLines &e, const HaloField &a, int i0, int i1) {
    for (int l = 0; l < e.line_count; ++l) {
        const EdgeLine line = e.lines[l];
        const std::ptrdiff_t shift = a.sj * (line.from - line.to);
        for_each_row(a, {i0, i1, line.to, line.to + 1}, [=](real *row, std::size_t, int begin, int end) {
#pragma omp simd
            for (int i = begin; i < end; ++i) row[i] = line.sign * row[i + shift];
        });
    }
}

void zero(const HaloField &a, const Block &b) {
    for_each_row(
        a, b, [](real *row, std::size_t, int begin, int end) { std::fill(row + begin, row + end, real(0)); });
}

} // namespace squall
