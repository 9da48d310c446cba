#include "parallel/halo_copies.hpp"

#include <algorithm>

namespace squall {
namespace {

/// Below this many cache lines the threads cost more to wake than they save.
constexpr std::size_t parallel_lines = 2048;

bool worth_threads(const HaloField &a, const Block &b) {
    constexpr int line = 64 / sizeof(real);
    const auto lines_per_row = static_cast<std::size_t>((b.i1 - b.i0 + line - 1) / line);
    return lines_per_row * static_cast<std::size_t>(b.j1 - b.j0) * static_cast<std::size_t>(a.nk) >
           parallel_lines;
}

/// Runs f(row, n) for each row of the block: its first element, and its place among the rows.
template <class F> void for_each_row(const HaloField &a, const Block &b, F f) {
#pragma omp parallel for collapse(2) schedule(static) if (worth_threads(a, b))
    for (int j = b.j0; j < b.j1; ++j)
        for (int k = 0; k < a.nk; ++k)
            f(a.origin + a.sk * k + a.sj * j + b.i0, std::size_t(j - b.j0) * a.nk + k);
}

/// Rows of known short length, west-east messages, must not become calls of memcpy.
template <int length> void pack(const HaloField &a, const Block &b, real *buffer) {
    const int n = length ? length : b.i1 - b.i0;
    for_each_row(a, b, [=](const real *row, std::size_t r) {
        for (int i = 0; i < n; ++i) buffer[r * n + i] = row[i];
    });
}

template <int length> void unpack(const HaloField &a, const Block &b, const real *buffer) {
    const int n = length ? length : b.i1 - b.i0;
    for_each_row(a, b, [=](real *row, std::size_t r) {
        for (int i = 0; i < n; ++i) row[i] = buffer[r * n + i];
    });
}

} // namespace

void pack(const HaloField &a, const Block &b, real *buffer) {
    switch (b.i1 - b.i0) {
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
    switch (b.i1 - b.i0) {
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
    for_each_row(a, {0, 1, j0, j1}, [&e](real *row, std::size_t) {
        for (int l = 0; l < e.line_count; ++l) row[e.lines[l].to] = e.lines[l].sign * row[e.lines[l].from];
    });
}

void fill_edge_y(const EdgeLines &e, const HaloField &a, int i0, int i1) {
    for (int l = 0; l < e.line_count; ++l) {
        const EdgeLine line = e.lines[l];
        const std::ptrdiff_t shift = a.sj * (line.from - line.to);
        for_each_row(a, {i0, i1, line.to, line.to + 1}, [=](real *row, std::size_t) {
#pragma omp simd
            for (int i = 0; i < i1 - i0; ++i) row[i] = line.sign * row[i + shift];
        });
    }
}

void zero(const HaloField &a, const Block &b) {
    for_each_row(a, b, [n = b.i1 - b.i0](real *row, std::size_t) { std::fill_n(row, n, real(0)); });
}

} // namespace squall
