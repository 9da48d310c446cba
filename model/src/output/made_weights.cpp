#include "output/made_weights.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "output/made.hpp"

namespace squall {
namespace {

/// On the ground [m2].
double area_of_cell(const Grid &g, int i, int j) {
    return static_cast<double>(g.dx) / static_cast<double>(g.msftx(i, j)) *
           (static_cast<double>(g.dy) / static_cast<double>(g.msfty(i, j)));
}

} // namespace

WeightKind weight_kind(const StreamConfig &stream) {
    if (stream.weight == "area") return WeightKind::area;
    return stream.average == "column" ? WeightKind::mass_per_area : WeightKind::mass;
}

std::string weight_name(WeightKind kind, Location where) {
    if (kind == WeightKind::area)
        return fmt::format("area of {}", where.faces == Faces::x   ? "x faces"
                                         : where.faces == Faces::y ? "y faces"
                                                                   : "cells");
    return fmt::format("{} of dry air {}", kind == WeightKind::mass ? "mass" : "mass per area",
                       where.levels == Levels::layers       ? "in cells"
                       : where.levels == Levels::interfaces ? "around interfaces"
                                                            : "in columns");
}

std::string unit_of(WeightKind kind) {
    return kind == WeightKind::area ? "m2" : kind == WeightKind::mass ? "kg" : "kg m-2";
}

void declare_weights(io::StreamSpec &spec, WeightKind kind) {
    std::set<std::string> wanted;
    for (const auto &f : spec.fields)
        if (f.reduction && !f.reduction->weight.empty()) wanted.insert(f.reduction->weight);
    const bool fixed = kind == WeightKind::area;
    using Locations = std::vector<Location>;
    for (const Location where : fixed ? Locations{at::plane, at::plane_x_faces, at::plane_y_faces}
                                      : Locations{at::plane, at::cells, at::interfaces})
        if (const auto name = weight_name(kind, where); wanted.contains(name))
            spec.sources.push_back({name, io::Type::f64, dimensions_of(where), {}, !fixed});
}

void Made::put_areas(io::Stream &stream) const {
    const Grid &g = grid_;
    const auto put = [&](Location where, ConstField2 mx, ConstField2 my) {
        const auto name = weight_name(WeightKind::area, where);
        if (!puts(name)) return;
        const auto box = box_of(patch_, where);
        std::vector<double> area;
        for (int j = 0; j < box.count[0]; ++j)
            for (int i = 0; i < box.count[1]; ++i)
                area.push_back(static_cast<double>(g.dx) / static_cast<double>(mx(i, j)) *
                               (static_cast<double>(g.dy) / static_cast<double>(my(i, j))));
        stream.put(name, box, area.data());
    };
    put(at::plane, g.msftx.view(), g.msfty.view());
    put(at::plane_x_faces, g.msfux.view(), g.msfuy.view());
    put(at::plane_y_faces, g.msfvx.view(), g.msfvy.view());
}

/// Of dry air, of which a layer's pressure is C1H (MU + MUB) + C2H times its depth in the coordinate, and a
/// column's MU + MUB. Around an interface there is half of the layer on either side.
void Made::put_masses(io::Frame &frame, const State &state) const {
    if (stream_.weight != "mass") return;
    const Grid &grid = grid_;
    const auto &v = grid.vertical;
    const auto layer = [&](std::size_t k, double column) {
        return k < v.dnw.size() ? -static_cast<double>(v.dnw[k]) *
                                      (static_cast<double>(v.c1h[k]) * column + static_cast<double>(v.c2h[k]))
                                : 0;
    };
    const auto put = [&](Location where, auto pressure) {
        const auto kind = weight_kind(stream_);
        const auto name = weight_name(kind, where);
        if (!puts(name)) return;
        const auto box = box_of(patch_, where);
        const std::int64_t levels = where.levels == Levels::none ? 1 : box.count[0];
        const std::int64_t ny = *(box.count.end() - 2), nx = box.count.back();
        std::vector<double> mass;
        mass.reserve(static_cast<std::size_t>(levels * ny * nx));
        for (std::int64_t k = 0; k < levels; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    const double area = kind == WeightKind::mass ? area_of_cell(grid, i, j) : 1;
                    const double column = static_cast<double>(state.mu(i, j) + grid.mub(i, j));
                    mass.push_back(pressure(static_cast<std::size_t>(k), column) * area /
                                   static_cast<double>(constants::g));
                }
        frame.put(name, box, mass.data());
    };
    put(at::plane, [](std::size_t, double column) { return column; });
    put(at::cells, layer);
    put(at::interfaces, [&](std::size_t k, double column) {
        return (layer(k, column) + (k > 0 ? layer(k - 1, column) : 0)) / 2;
    });
}

} // namespace squall
