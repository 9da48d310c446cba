/// The copies that make up an exchange of halos: between a field and a message, and within a field across an
/// edge of its domain. Threads share large ones.
#pragma once

#include <cstddef>

#include "parallel/edge_lines.hpp"
#include "parallel/halo.hpp"

namespace squall {

/// A block of columns of a patch, half-open.
struct Block {
    int i0, i1, j0, j1;
    constexpr std::size_t points(int nk) const {
        return std::size_t(i1 - i0) * std::size_t(j1 - j0) * std::size_t(nk);
    }
};

/// Copies a block of a field into a message of block.points(a.nk) values, and out of one.
void pack(const HaloField &a, const Block &b, real *buffer);
void unpack(const HaloField &a, const Block &b, const real *buffer);

/// Fills columns of constant i in rows [j0, j1).
void fill_edge_x(const EdgeLines &e, const HaloField &a, int j0, int j1);
/// Fills rows of constant j in columns [i0, i1).
void fill_edge_y(const EdgeLines &e, const HaloField &a, int i0, int i1);

void zero(const HaloField &a, const Block &b);

} // namespace squall
