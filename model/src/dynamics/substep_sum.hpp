/// The departure fluxes of a stage's substeps, added up for what moves with their average.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"

namespace squall {

/// As kernels hold it; without data nothing is added.
struct SubstepSum {
    int nx, ny, nz; ///< of the patch
    Field3 ru, rv;

    /// On the faces of a tile; one that ends with the patch has the faces beyond its last cells too. `first`:
    /// of the stage's substeps, before which nothing is there.
    void add(Range tile, ConstField3 u, ConstField3 v, bool first) const {
        if (!ru.origin) return;
        const Range layers = tile.with_k(0, nz);
        add_on(layers.with_i(tile.i0, tile.i1 == nx ? tile.i1 + 1 : tile.i1), u, ru, first);
        add_on(layers.with_j(tile.j0, tile.j1 == ny ? tile.j1 + 1 : tile.j1), v, rv, first);
    }

    /// Makes of the sum, on the same faces, the mean of what was added (`weight`: 1 / how often) plus a
    /// reference.
    void average(Range tile, real weight, ConstField3 u, ConstField3 v) const {
        const Range layers = tile.with_k(0, nz);
        average_on(layers.with_i(tile.i0, tile.i1 == nx ? tile.i1 + 1 : tile.i1), weight, u, ru);
        average_on(layers.with_j(tile.j0, tile.j1 == ny ? tile.j1 + 1 : tile.j1), weight, v, rv);
    }

  private:
    static void average_on(Range faces, real weight, ConstField3 reference, Field3 sum) {
        for_each_row(faces, [=](int k, int j) {
            return [=, s = sum.row(k, j), r = reference.row(k, j)](int i) { s[i] = s[i] * weight + r[i]; };
        });
    }
    static void add_on(Range faces, ConstField3 wind, Field3 sum, bool first) {
        for_each_row(faces, [=, keep = real(first ? 0 : 1)](int k, int j) {
            return [=, s = sum.row(k, j), w = wind.row(k, j)](int i) { s[i] = keep * s[i] + w[i]; };
        });
    }
};

} // namespace squall
