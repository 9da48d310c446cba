#include "model.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

// WRF's own, where a WRF is linked. Each text is followed by its length, behind all other arguments.
extern "C" {
__attribute__((weak)) void wrf_message_(const char *text, std::size_t length);
__attribute__((weak)) void wrf_error_fatal_(const char *text, std::size_t length);
__attribute__((weak)) void wrf_get_dm_communicator_(MPI_Fint *communicator);
__attribute__((weak)) void nl_get_use_netcdf_classic_(const MPI_Fint *domain, MPI_Fint *value);
}

namespace squall::wrf {
namespace {
std::string marked(const std::string &message) { return "Squall: " + message; }
} // namespace

MPI_Comm domain_communicator() {
    if (!wrf_get_dm_communicator_) return MPI_COMM_WORLD;
    MPI_Fint communicator = 0;
    wrf_get_dm_communicator_(&communicator);
    return MPI_Comm_f2c(communicator);
}

bool classic_netcdf() {
    if (!nl_get_use_netcdf_classic_) return true;
    const MPI_Fint domain = 1;
    MPI_Fint value = 0;
    nl_get_use_netcdf_classic_(&domain, &value);
    return value != 0;
}

void warn(const std::string &message) {
    const auto text = marked(message);
    if (wrf_message_)
        wrf_message_(text.data(), text.size());
    else
        fmt::print(stderr, "{}\n", text);
}

void fail(const std::string &message) {
    const auto text = marked(message);
    fmt::print(stderr, "{}\n", text); // also where WRF writes to a file of the rank's
    if (wrf_error_fatal_) wrf_error_fatal_(text.data(), text.size());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

} // namespace squall::wrf
