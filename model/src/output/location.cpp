#include "output/location.hpp"

namespace squall {

std::vector<io::Dimension> domain_dimensions(int nx, int ny, int nz) {
    return {{"west_east", nx},           {"south_north", ny},        {"bottom_top", nz},
            {"bottom_top_stag", nz + 1}, {"west_east_stag", nx + 1}, {"south_north_stag", ny + 1}};
}

std::vector<io::Dimension> fire_dimensions(int nx, int ny, int rx, int ry) {
    return {{"west_east_subgrid", nx * rx}, {"south_north_subgrid", ny * ry}};
}

std::vector<std::string> dimensions_of(Location where) {
    if (where.on_fire_cells()) return {"south_north_subgrid", "west_east_subgrid"};
    std::vector<std::string> names;
    if (where.levels == Levels::layers) names.push_back("bottom_top");
    if (where.levels == Levels::interfaces) names.push_back("bottom_top_stag");
    if (where.levels == Levels::soil) names.push_back("soil_layers_stag");
    if (where.levels == Levels::snow) names.push_back("snow_layers_stag");
    if (where.horizontal) {
        names.push_back(where.faces == Faces::y ? "south_north_stag" : "south_north");
        names.push_back(where.faces == Faces::x ? "west_east_stag" : "west_east");
    }
    return names;
}

io::Box box_of(const Patch &patch, Location where) {
    if (where.on_fire_cells())
        return {{patch.y0 * where.ry, patch.x0 * where.rx},
                {patch.shape.ny * where.ry, patch.shape.nx * where.rx}};
    io::Box box;
    const bool owner = where.horizontal || (patch.cx == 0 && patch.cy == 0);
    if (where.levels != Levels::none) {
        box.start.push_back(0);
        const int levels = where.levels == Levels::soil || where.levels == Levels::snow
                               ? where.soil_layers
                               : patch.shape.nz + (where.levels == Levels::interfaces);
        box.count.push_back(owner ? levels : 0);
    }
    if (where.horizontal) {
        box.start.push_back(patch.y0);
        box.start.push_back(patch.x0);
        box.count.push_back(patch.shape.ny + (where.faces == Faces::y && patch.at_north()));
        box.count.push_back(patch.shape.nx + (where.faces == Faces::x && patch.at_east()));
    }
    return box;
}

io::Strides strides_of(ConstField3 a) { return {a.sk, a.sj, 1}; }
io::Strides strides_of(ConstField2 a) { return {a.sj, 1}; }

namespace {

/// Target: io::Frame, io::Stream or io::Session.
template <class Target> struct Put {
    Target &target;
    const std::string &field;
    const Patch &patch;
    Location where;

    void operator()(ConstField3 a) const { target.put(field, box_of(patch, where), a.origin, strides_of(a)); }
    void operator()(ConstField2 a) const { target.put(field, box_of(patch, where), a.origin, strides_of(a)); }
    void operator()(Packed p) const { target.put(field, box_of(patch, where), p.data, p.type, {}); }
    void operator()(const std::vector<real> *profile) const {
        target.put(field, box_of(patch, where), profile->data());
    }
    /// The same everywhere; for a field without dimensions, from the first patch.
    void operator()(real number) const {
        const io::Box box = box_of(patch, where);
        if (!box.start.empty())
            target.put(field, box, &number, io::Strides(box.start.size(), 0));
        else if (patch.cx == 0 && patch.cy == 0)
            target.put(field, {}, &number);
    }
};

} // namespace

void put_points(io::Frame &frame, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points) {
    std::visit(Put<io::Frame>{frame, field, patch, where}, points);
}

void put_rows(io::Frame &frame, const std::string &field, const Patch &patch, Rows rows, ConstField3 points) {
    io::Box box = box_of(patch, at::cells);
    box.start[1] += rows.first;
    box.count[1] = rows.count;
    frame.put(field, box, points.row(0, rows.first), strides_of(points));
}

void put_points(io::Session &session, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points) {
    std::visit(Put<io::Session>{session, field, patch, where}, points);
}

void put_points(io::Stream &stream, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points) {
    std::visit(Put<io::Stream>{stream, field, patch, where}, points);
}

} // namespace squall
