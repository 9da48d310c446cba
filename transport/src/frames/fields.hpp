/// The fields of a history.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frames/expression.hpp"
#include "frames/kernel.hpp"
#include "runfile/settings.hpp"
#include "squall/io.hpp"

namespace squall::transport {

struct GlobeField {
    enum class Kind { mixing_ratio, exact, column, mass, surface_pressure, air_mass, air, pressure, derived };
    std::string name;
    Kind kind;
    int tracer = -1;
    std::string long_name, units, standard_name{};
    bool by_default = true;
    Expression expression{};                 ///< of a derived field
    std::vector<GlobeField> terms{};         ///< what its names stand for
    std::optional<AveragingKernel> kernel{}; ///< by which a derived field is a mean over the layers

    bool is_number() const { return kind == Kind::mass || kind == Kind::air_mass; } ///< one a frame
    bool has_layers() const {
        if (kernel) return false;
        if (kind == Kind::derived) return std::ranges::any_of(terms, &GlobeField::has_layers);
        return kind == Kind::mixing_ratio || kind == Kind::exact || kind == Kind::air ||
               kind == Kind::pressure;
    }
};

/// All that a run has. Throws ConfigError for an expression that is none or of fields that there are not,
/// and for a kernel that cannot be read.
std::vector<GlobeField> fields_of_run(const Settings &settings);

/// Those of a stream. Throws ConfigError: a name that there is not, and the nearest that there is.
std::vector<GlobeField> fields_of_stream(const StreamConfig &stream, const Settings &settings);

} // namespace squall::transport
