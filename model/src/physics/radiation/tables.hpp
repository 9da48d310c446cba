/// All tables of a run's radiation, and where they are.
#pragma once

#include <array>
#include <string>

#include "physics/radiation/cloud_tables.hpp"
#include "physics/radiation/gas_tables.hpp"

namespace squall::radiation {

/// How finely the spectrum is cut: 128 and 112 g-points for longwave and shortwave, or 256 and 224.
enum class Resolution { coarse, fine };

struct Tables {
    GasTables longwave, shortwave;
    CloudTables clouds_longwave, clouds_shortwave;

    /// From a folder; an empty name stands for that of `squall fetch radiation`, which is
    /// $XDG_CACHE_HOME/squall/radiation or ~/.cache/squall/radiation, and after it for what was installed
    /// with the program. Throws std::runtime_error where one is missing or damaged, with what to do.
    static Tables read(const std::string &folder, Resolution resolution);

    /// Their files. Throws likewise where one is missing.
    static std::array<std::string, 4> files(const std::string &folder, Resolution resolution);
};

} // namespace squall::radiation
