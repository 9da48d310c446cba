/// What the initial file holds of the ground and the model does not use: carried into the history as
/// it is, so that land masks, soil and vegetation are where users of such files look for them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "output/location.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// A field of the file as the file declares it.
struct CarriedField {
    std::string name, description, units;
    Location where;
    io::Type type; ///< f32 or i32
};

/// The fields on cells of one level, or of the file's soil layers, and the soil layers' depths, that
/// are not in `made` (names that the history makes itself) and do not describe the air. In the
/// file's order; empty for a built-in case. Throws io::Error: a file that cannot be opened.
std::vector<CarriedField> carried_fields(const Config &config, const std::vector<std::string> &made);

/// The points of carried fields on a patch, read once.
class Carried {
  public:
    Carried() = default;
    /// Reads the points of the fields that are named. Throws io::Error: the file, and what is wrong.
    Carried(const Config &config, const Patch &patch, const std::vector<CarriedField> &fields);

    /// Of a field that was read.
    Packed points(const std::string &field) const;

  private:
    struct Values {
        std::vector<float> numbers;
        std::vector<std::int32_t> integers;
    };
    std::map<std::string, Values> values_;
};

} // namespace squall
