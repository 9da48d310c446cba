/// Where on the staggered grid a field lives, and what that means for its dimensions, its box on a
/// patch and its way into a frame. Names of dimensions are WRF's.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/array.hpp"
#include "parallel/decomposition.hpp"
#include "squall/io.hpp"

namespace squall {

enum class Levels { none, layers, interfaces, soil, snow };
enum class Faces { none, x, y };

/// A plane, a column, a volume or a single number.
struct Location {
    bool horizontal = true; ///< varies west-east and south-north
    Levels levels = Levels::layers;
    Faces faces = Faces::none; ///< on cells, on west faces or on south faces
    int soil_layers = 0;       ///< how many, where levels is soil or snow
    int rx = 0, ry = 0;        ///< on the fire's cells: so many in one of the atmosphere's; 0: on the latter

    bool on_fire_cells() const { return rx > 0; }
};

namespace at {
inline constexpr Location cells{}, x_faces{true, Levels::layers, Faces::x},
    y_faces{true, Levels::layers, Faces::y}, interfaces{true, Levels::interfaces, Faces::none};
inline constexpr Location plane{true, Levels::none, Faces::none}, plane_x_faces{true, Levels::none, Faces::x},
    plane_y_faces{true, Levels::none, Faces::y};
inline constexpr Location column{false, Levels::layers, Faces::none},
    column_interfaces{false, Levels::interfaces, Faces::none};
constexpr Location soil(int layers) { return {true, Levels::soil, Faces::none, layers}; }
constexpr Location soil_column(int layers) { return {false, Levels::soil, Faces::none, layers}; }
constexpr Location snow(int layers) { return {true, Levels::snow, Faces::none, layers}; }
constexpr Location fire(int rx, int ry) { return {true, Levels::none, Faces::none, 0, rx, ry}; }
inline constexpr Location nowhere{false, Levels::none, Faces::none};
} // namespace at

/// The points of a patch's box one after the other, west-east fastest, as they lie in a file.
struct Packed {
    const void *data;
    io::Type type;
};

/// Rows of a patch: the first, and how many.
struct Rows {
    int first = 0, count = 0;
};

/// Points of a field: an array of a patch, packed points, a profile, or a number.
using FieldPoints = std::variant<ConstField3, ConstField2, Packed, const std::vector<real> *, real>;

/// The dimensions of a domain of nx x ny x nz cells.
std::vector<io::Dimension> domain_dimensions(int nx, int ny, int nz);

/// Those of its fire's cells.
std::vector<io::Dimension> fire_dimensions(int nx, int ny, int rx, int ry);

/// Names, slowest first.
std::vector<std::string> dimensions_of(Location where);

/// The points of a patch: its owned cells or faces, and at the domain's east and north edge the last
/// face too. Profiles and numbers belong to the first patch; elsewhere their box is empty.
io::Box box_of(const Patch &patch, Location where);

/// How an array of a patch lies in memory, for io.
io::Strides strides_of(ConstField3 a);
io::Strides strides_of(ConstField2 a);

/// Puts this patch's points of a field into a frame, or once into a stream whose field is fixed in time.
void put_points(io::Frame &frame, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points);
/// The same of some rows of a volume on layers, which the array may have alone.
void put_rows(io::Frame &frame, const std::string &field, const Patch &patch, Rows rows, ConstField3 points);
/// Into every open frame whose stream has it.
void put_points(io::Session &session, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points);
void put_points(io::Stream &stream, const std::string &field, const Patch &patch, Location where,
                const FieldPoints &points);

} // namespace squall
