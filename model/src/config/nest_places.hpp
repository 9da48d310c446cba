/// Where nests lie in their parents and on the outermost domain, for checks of run files.
#pragma once

#include <array>

#include "settings/config.hpp"

namespace squall {

/// Cells of a parent that interpolation reads around a nest (nesting/parent_window.hpp).
inline constexpr int cells_beside_nest = 3;

/// Cells of a domain.
struct Extent {
    int nx, ny;
};

/// The parent of a nest; nullptr: the outermost domain.
const NestConfig *parent_of(const Config &config, const NestConfig &nest);
Extent extent_of_parent(const Config &config, const NestConfig &nest);

/// The nest that a stream is of; nullptr: the outermost domain, or none that there is.
const NestConfig *nest_of(const Config &config, const StreamConfig &stream);

/// Layers of a nest, its own or those of the domain around it; nullptr: of the outermost domain.
int layers_of(const Config &config, const NestConfig *nest);

/// Cells of the outermost domain from its south-western corner to that of a nest, and in one of the nest's.
struct OutermostPlace {
    double x = 0, y = 0, cell = 1;
};
OutermostPlace outermost_place(const Config &config, const NestConfig *nest);

/// The i_ and j_parent_start with which the nest's middle is nearest to a point, which is told in cells of
/// the outermost domain from its corner.
std::array<int, 2> start_around(const Config &config, const NestConfig &nest, double x, double y);

/// The last i_ and j_parent_start that leave cells_beside_nest.
std::array<int, 2> last_start(const NestConfig &nest, Extent parent);

/// Whether two nests cover the same cells of a parent, where they begin.
bool overlap(const NestConfig &a, const NestConfig &b);

} // namespace squall
