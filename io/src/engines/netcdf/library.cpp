#include "engines/netcdf/library.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include "common/libraries.hpp"
#include "engines/netcdf/zstd_filter.hpp"
#include "squall/io.hpp"

namespace squall::io::netcdf {

void begin() {
    static std::once_flag once;
    std::call_once(once, [] {
        const std::lock_guard lock(hdf5_mutex());
        static_cast<void>(register_zstd_filter());
    });
}

std::unique_lock<std::recursive_mutex> alone() {
    begin();
    return std::unique_lock(hdf5_mutex());
}

void check(int status, const std::string &doing) {
    if (status != NC_NOERR) throw Error(fmt::format("{}: {}", doing, nc_strerror(status)));
}

} // namespace squall::io::netcdf
