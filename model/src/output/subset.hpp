/// The part of a domain that a stream keeps.
#pragma once

#include <vector>

#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// Of `size` cells, those that a stream keeps: of every whole block of `stride` cells from `first` on
/// the first. The faces between blocks, one more, are kept with them, so that staggered dimensions
/// stay one longer than the others.
struct Kept {
    int first = 0, count = 0, stride = 1;
    int cells() const { return count; }
    int faces() const { return count + 1; }
};

struct Subset {
    Kept x, y, z; ///< z: layers and interfaces

    /// What `stream` keeps of nx x ny x nz cells. A dimension of one cell has no stride.
    static Subset make(const StreamConfig &stream, int nx, int ny, int nz);

    bool everything(int nx, int ny, int nz) const;

    /// For io, of the dimensions of domain_dimensions().
    std::vector<io::Selection> selections() const;
};

} // namespace squall
