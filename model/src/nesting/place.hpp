/// Where a nest lies in its parent.
#pragma once

#include "parallel/halo.hpp"
#include "parallel/region_exchange.hpp"

namespace squall {

/// A nest's cells are parts of its parent's: `ratio` x `ratio` of them fill one. Faces that coincide have the
/// places f / ratio, so that every `ratio`th face of the nest is one of the parent's.
struct NestPlace {
    int i0 = 0, j0 = 0; ///< the cell of the parent, 0-based, that the nest's south-western corner fills
    int ratio = 3;
    int nx = 0, ny = 0; ///< cells of the nest, multiples of `ratio`

    /// The cells of the parent that the nest covers.
    Region covered() const { return {i0, i0 + nx / ratio, j0, j0 + ny / ratio}; }
};

/// A point of a nest along one direction, as seen from its parent's points of the same kind.
struct PlaceInParent {
    int base;    ///< the nearest of the parent's points (faces: of the two beside it, either)
    real offset; ///< of that point from the nest's, in spacings of the parent: positive where it lies beyond
};

/// Cell n of a nest of which cell 0 begins where the parent's cell `start` does.
inline PlaceInParent place_of_cell(int n, int start, int ratio) {
    // n may be negative: floor, not truncation.
    const int c = n >= 0 ? n / ratio : -((-n + ratio - 1) / ratio), p = n - c * ratio;
    return {start + c, (real(ratio) - 1) / real(2 * ratio) - real(p) / real(ratio)};
}

/// Face n of a nest of which face 0 is the parent's face `start`.
inline PlaceInParent place_of_face(int n, int start, int ratio) {
    const int shifted = n + (ratio - 1) / 2;
    const int c = shifted >= 0 ? shifted / ratio : -((-shifted + ratio - 1) / ratio);
    return {start + c, real(c * ratio - n) / real(ratio)};
}

} // namespace squall
