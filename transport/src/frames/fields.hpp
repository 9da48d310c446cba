/// The fields of a history.
#pragma once

#include <string>
#include <vector>

#include "runfile/settings.hpp"
#include "squall/io.hpp"

namespace squall::transport {

struct GlobeField {
    enum class Kind { mixing_ratio, exact, column, mass, surface_pressure, air_mass };
    std::string name;
    Kind kind;
    int tracer = -1;
    std::string long_name, units, standard_name{};
    bool by_default = true;

    bool is_number() const { return kind == Kind::mass || kind == Kind::air_mass; } ///< one a frame
    bool has_layers() const { return kind == Kind::mixing_ratio || kind == Kind::exact; }
};

/// All that a run has.
std::vector<GlobeField> fields_of_run(const Settings &settings);

/// Those of a stream. Throws ConfigError: a name that there is not, and the nearest that there is.
std::vector<GlobeField> fields_of_stream(const StreamConfig &stream, const Settings &settings);

/// Dobson units in a mole of molecules per m2.
inline constexpr double dobson_per_mole = 6.02214076e23 / 2.6867e20;
inline constexpr double molar_mass_of_air = 0.0289644; ///< [kg mol-1]

} // namespace squall::transport
