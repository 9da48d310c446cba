#include "physics/radiation/tables.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "core/see.hpp"

namespace squall::radiation {
namespace {

namespace fs = std::filesystem;

fs::path cache() {
    const char *named = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    const fs::path root = named && *named ? fs::path(named) : fs::path(home ? home : ".") / ".cache";
    return root / "squall" / "radiation";
}

/// Of an installation that brings tables: share/ beside the program's bin/.
fs::path installed() {
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share" / "squall" /
           "radiation";
}

std::string file_in(const std::string &folder, const std::string &name) {
    const fs::path path = (folder.empty() ? cache() : fs::path(folder)) / name;
    if (fs::exists(path)) return path.string();
    if (const fs::path brought = installed() / name; folder.empty() && fs::exists(brought))
        return brought.string();
    throw std::runtime_error(see(
        fmt::format("the radiation table {} does not exist. Download the tables, once for all runs, with\n  "
                    "squall fetch radiation\nor set physics.radiation_tables to the folder that holds them. "
                    "The simpler scheme needs no tables:\n  physics.radiation = \"broadband\"",
                    path.string()),
        "radiation"));
}

} // namespace

std::array<std::string, 4> Tables::files(const std::string &folder, Resolution resolution) {
    const bool fine = resolution == Resolution::fine;
    return {file_in(folder, fine ? "rrtmgp-gas-lw-g256.nc" : "rrtmgp-gas-lw-g128.nc"),
            file_in(folder, fine ? "rrtmgp-gas-sw-g224.nc" : "rrtmgp-gas-sw-g112.nc"),
            file_in(folder, "cloudysky_lw.nc"), file_in(folder, "cloudysky_sw.nc")};
}

Tables Tables::read(const std::string &folder, Resolution resolution) {
    const auto [longwave, shortwave, clouds_longwave, clouds_shortwave] = files(folder, resolution);
    return {GasTables::read(longwave), GasTables::read(shortwave), CloudTables::read(clouds_longwave),
            CloudTables::read(clouds_shortwave)};
}

} // namespace squall::radiation
