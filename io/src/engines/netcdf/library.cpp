#include "engines/netcdf/library.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include "engines/netcdf/zstd_filter.hpp"
#include "squall/io.hpp"

namespace squall::io::netcdf {

std::unique_lock<std::recursive_mutex> alone() {
    static std::recursive_mutex mutex;
    std::unique_lock lock(mutex);
    static const bool registered = register_zstd_filter();
    static_cast<void>(registered);
    return lock;
}

void check(int status, const std::string &doing) {
    if (status != NC_NOERR) throw Error(fmt::format("{}: {}", doing, nc_strerror(status)));
}

} // namespace squall::io::netcdf
