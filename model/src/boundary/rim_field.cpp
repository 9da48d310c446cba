#include "boundary/rim_field.hpp"

namespace squall {

RimField::RimField(const Patch &patch, Points points, int nk, int reach, int width)
    : points_(points), nk_(nk), width_(width) {
    const Rim rim(patch);
    const auto keep = [&](Side side, int away) {
        if (away >= reach) return;
        const bool east = runs_east(side);
        const int origin = east ? patch.x0 : patch.y0, cells = east ? patch.shape.nx : patch.shape.ny;
        const int whole = east ? rim.columns(points) : rim.rows(points);
        RimStrip &s = strip(side);
        s.first = std::max(-1, -origin);
        s.start = origin + s.first;
        s.length = std::min(cells + 2, whole - origin) - s.first;
        const auto size = std::size_t(width) * std::size_t(nk) * std::size_t(s.length);
        s.value.assign(size, 0);
        s.tendency.assign(size, 0);
    };
    keep(Side::south, patch.y0);
    keep(Side::north, patch.ny_domain - patch.y0 - patch.shape.ny);
    keep(Side::west, patch.x0);
    keep(Side::east, patch.nx_domain - patch.x0 - patch.shape.nx);
}

} // namespace squall
