#include "output/made_axes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "output/location.hpp"
#include "output/made_names.hpp"

namespace squall {
namespace {

constexpr const char *eta = "eta";

/// The name of what has its ends. CF would have them as bounds, of which its checker wants two dimensions,
/// also of a single number's.
std::string range_of(const std::string &axis) { return axis + "_range"; }

io::Field fixed(const std::string &name, std::vector<std::string> dimensions,
                std::vector<io::Attribute> attributes) {
    io::Field field{name, io::Type::f64, std::move(dimensions), std::move(attributes)};
    field.per_frame = false;
    return field;
}

std::vector<io::Attribute> about(const std::string &axis) {
    if (axis == eta)
        return {{"long_name", "share of the dry air's pressure between the top and the ground"},
                {"units", "1"}};
    return {{"long_name", std::string("distance from the ") + (axis == "x" ? "western" : "southern") +
                              " side of the domain"},
            {"units", "m"}};
}

/// A dimension of the grid: one of the axes of a plane, and how far its first point lies from the side, in
/// cells.
struct Line {
    const char *dimension, *axis;
    double first;
    int more; ///< points than cells
};
constexpr std::array<Line, 4> lines{{{"west_east", "x", 0.5, 0},
                                     {"west_east_stag", "x", 0, 1},
                                     {"south_north", "y", 0.5, 0},
                                     {"south_north_stag", "y", 0, 1}}};

/// The model's layers, or what lies between them, from the first one up: numbers from 1, of layers between
/// those of the interfaces.
struct Layers {
    const char *dimension, *about;
    double first;
};
constexpr std::array<Layers, 2> layers{
    {{"bottom_top", "layer, counted from the ground", 1},
     {"bottom_top_stag", "interface between layers, halves of their numbers", 0.5}}};

bool has_field(const io::StreamSpec &spec, const std::string &name) {
    return std::ranges::find(spec.fields, name, &io::Field::name) != spec.fields.end();
}

/// First and last end of what an average is over.
std::array<double, 2> ends(const std::string &axis, const StreamConfig &s, const DomainConfig &domain,
                           const Grid &grid) {
    if (axis == eta) return {1, 0};
    const bool x = axis == "x";
    const int first = s.region.empty() ? 0 : s.region[x ? 0 : 2];
    const int last = s.region.empty() ? (x ? domain.nx : domain.ny) - 1 : s.region[x ? 1 : 3];
    const auto spacing = static_cast<double>(x ? grid.dx : grid.dy);
    return {first * spacing, (last + 1) * spacing};
}

/// Whether a dimension's coordinate is the one declared here: on a map it is that of the map.
bool is_of_a_plane(const io::StreamSpec &spec, const Line &line) {
    const auto field = std::ranges::find(spec.fields, std::string(line.dimension), &io::Field::name);
    const auto distance = about(line.axis).front();
    return field != spec.fields.end() && std::ranges::any_of(field->attributes, [&](const io::Attribute &a) {
               return a.name == distance.name && a.value == distance.value;
           });
}

} // namespace

std::string averaged_axis(const StreamConfig &stream) {
    if (stream.averages_layers()) return eta;
    return stream.average == "zonal" ? "x" : stream.average == "meridional" ? "y" : "";
}

void declare_axes(io::StreamSpec &spec, const StreamConfig &stream) {
    if (const auto axis = averaged_axis(stream); !axis.empty()) {
        if (std::ranges::find(spec.dimensions, std::string("bnds"), &io::Dimension::name) ==
            spec.dimensions.end())
            spec.dimensions.push_back({"bnds", 2});
        spec.fields.push_back(fixed(axis, {}, about(axis)));
        spec.fields.push_back(fixed(range_of(axis), {"bnds"}, about(axis)));
    }
    if (!stream.on_levels() || stream.leaves_grid()) return;
    for (const Line &line : lines) { // where levels are an axis CF wants the others to be, too
        const bool x = line.axis == std::string("x");
        const io::Attribute axis{"axis", x ? "X" : "Y"};
        const auto of_a_map = std::ranges::find(spec.fields, std::string(line.dimension), &io::Field::name);
        if (of_a_map != spec.fields.end()) { // those of faces: see declare_faces()
            if (line.more == 0) of_a_map->attributes.push_back(axis);
            continue;
        }
        auto attributes = about(line.axis);
        attributes.emplace_back("standard_name", x ? "projection_x_coordinate" : "projection_y_coordinate");
        attributes.push_back(axis);
        spec.fields.push_back(fixed(line.dimension, {line.dimension}, attributes));
    }
}

void declare_coarse_coordinates(io::StreamSpec &spec, const DomainConfig &domain, int factor) {
    spec.dimensions.push_back({"south_north_coarse", (domain.ny + factor - 1) / factor});
    spec.dimensions.push_back({"west_east_coarse", (domain.nx + factor - 1) / factor});
    const auto add = [&](const char *name, const char *standard_name, const char *units) {
        io::Field field{name, io::Type::f32, {}, {{"standard_name", standard_name}, {"units", units}}};
        field.reduction = io::Reduction{.of = source_name(name),
                                        .method = "mean",
                                        .coarsen = {{"south_north", factor, "south_north_coarse"},
                                                    {"west_east", factor, "west_east_coarse"}}};
        spec.sources.push_back({source_name(name), io::Type::f64, dimensions_of(at::plane), {}});
        spec.fields.push_back(std::move(field));
    };
    add("XLAT", "latitude", "degrees_north");
    add("XLONG", "longitude", "degrees_east");
}

void declare_faces(io::StreamSpec &spec, const StreamConfig &stream) {
    if (!stream.on_levels() || stream.leaves_grid()) return;
    const auto mapping_of = [](io::Field &f) {
        return std::ranges::find(f.attributes, std::string("grid_mapping"), &io::Attribute::name);
    };
    const auto along = [](const io::Field &f, const Line &line) {
        return std::ranges::find(f.dimensions, std::string(line.dimension)) != f.dimensions.end();
    };
    const auto on_faces = [&](io::Field &f) {
        return mapping_of(f) != f.attributes.end() &&
               std::ranges::any_of(lines, [&](const Line &line) { return line.more > 0 && along(f, line); });
    };
    if (std::ranges::none_of(spec.fields, on_faces)) return;
    for (auto &field : spec.fields) {
        const auto mapping = mapping_of(field);
        if (mapping == field.attributes.end()) continue;
        std::string axes = std::get<std::string>(mapping->value) + ":";
        for (const Line &line : lines)
            if (along(field, line)) axes += std::string(" ") + line.dimension;
        mapping->value = axes;
    }
    for (const Line &line : lines) {
        const auto axis = std::ranges::find(spec.fields, std::string(line.dimension), &io::Field::name);
        if (line.more == 0 || axis == spec.fields.end()) continue;
        const bool x = line.axis == std::string("x");
        axis->attributes.emplace_back("standard_name",
                                      x ? "projection_x_coordinate" : "projection_y_coordinate");
        axis->attributes.emplace_back("axis", x ? "X" : "Y");
    }
}

void declare_layers(io::StreamSpec &spec, const StreamConfig &stream) {
    if (stream.trajectories.empty()) return;
    for (const Layers &l : layers) {
        const auto on_them = [&](const io::Field &f) {
            return f.per_frame &&
                   std::ranges::find(f.dimensions, std::string(l.dimension)) != f.dimensions.end();
        };
        const auto gives_height = [&](const io::Field &f) {
            return on_them(f) && std::ranges::find(f.attributes, std::string("axis"), &io::Attribute::name) !=
                                     f.attributes.end();
        };
        if (std::ranges::none_of(spec.fields, on_them) || std::ranges::any_of(spec.fields, gives_height))
            continue;
        spec.fields.push_back(fixed(l.dimension, {l.dimension},
                                    {{"standard_name", "model_level_number"},
                                     {"long_name", l.about},
                                     {"units", "1"},
                                     {"positive", "up"},
                                     {"axis", "Z"}}));
    }
}

void put_axes(io::Stream &stream, const io::StreamSpec &spec, const StreamConfig &settings,
              const DomainConfig &domain, const Grid &grid) {
    if (const auto axis = averaged_axis(settings); !axis.empty()) {
        const auto [from, to] = ends(axis, settings, domain, grid);
        const double middle = (from + to) / 2;
        stream.put(axis, {}, &middle);
        stream.put(range_of(axis), {{0}, {2}}, std::array{from, to}.data());
    }
    for (const Line &line : lines) {
        if (!is_of_a_plane(spec, line)) continue;
        const bool x = line.axis == std::string("x");
        std::vector<double> at(static_cast<std::size_t>((x ? domain.nx : domain.ny) + line.more));
        for (std::size_t n = 0; n < at.size(); ++n)
            at[n] = (static_cast<double>(n) + line.first) * static_cast<double>(x ? grid.dx : grid.dy);
        stream.put(line.dimension, {{0}, {std::ssize(at)}}, at.data());
    }
    for (const Layers &l : layers) {
        if (!has_field(spec, l.dimension)) continue;
        std::vector<double> numbers(static_cast<std::size_t>(domain.nz + (l.first < 1)));
        std::iota(numbers.begin(), numbers.end(), l.first);
        stream.put(l.dimension, {{0}, {std::ssize(numbers)}}, numbers.data());
    }
}

} // namespace squall
