/// The values of a frame: made up, or those of a history file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "settings.hpp"
#include "squall/io.hpp"

namespace squall::bench {

/// What a model's files say of each field: of small frames that is most of the work.
struct FieldAttribute {
    const char *name, *text;
};
inline constexpr FieldAttribute field_attributes[] = {
    {"MemoryOrder", "XYZ"},
    {"description", "perturbation potential temperature theta-t0"},
    {"long_name", "perturbation potential temperature theta-t0"},
    {"units", "K"},
    {"stagger", ""},
    {"coordinates", "XLONG XLAT XTIME"},
};

/// Three-dimensional single-precision fields of one shape. The same on every rank.
class Contents {
  public:
    virtual ~Contents() = default;

    /// Values of a box of a field into memory of any order; `first` is the first point of the box.
    virtual void fill(int field, const io::Box &box, float *first, const io::Strides &strides) const = 0;

    int fields() const { return static_cast<int>(names.size()); }
    std::int64_t points() const { return shape[0] * shape[1] * shape[2]; }
    std::int64_t bytes() const { return points() * fields() * static_cast<std::int64_t>(sizeof(float)); }

    std::vector<std::string> names;
    std::vector<std::int64_t> shape; ///< z, y, x
};

/// Fields with the magnitudes of a weather model's, smooth structures with turbulence on top.
std::unique_ptr<Contents> made_up(const Settings &settings);

/// The three-dimensional single-precision fields in the last frame of settings.file, cut to the
/// shape that all of them fill. Throws io::Error.
std::unique_ptr<Contents> from_history(const Settings &settings);

} // namespace squall::bench
