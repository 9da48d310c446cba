/// What the baselines with netCDF-C share.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <netcdf.h>
#include <netcdf_filter.h>

#include "baseline.hpp"

namespace squall::bench {

inline void check_netcdf(int status) {
    if (status != NC_NOERR) throw io::Error(std::string("netCDF: ") + nc_strerror(status));
}

/// Defines all fields with these extents, chunked as the library likes.
inline std::vector<int> define_netcdf(int file, const BaselineJob &job,
                                      const std::vector<std::int64_t> &shape) {
    constexpr unsigned zstd_filter = 32015; // its number at the HDF Group; the engine has registered it
    int old = 0, dimensions[4];
    check_netcdf(nc_set_fill(file, NC_NOFILL, &old));
    check_netcdf(nc_def_dim(file, "Time", NC_UNLIMITED, &dimensions[0]));
    const char *names[] = {"z", "y", "x"};
    for (int d = 0; d < 3; ++d)
        check_netcdf(nc_def_dim(file, names[d], static_cast<std::size_t>(shape[d]), &dimensions[d + 1]));
    std::vector<int> variables;
    for (const auto &name : job.contents.names) {
        int &variable = variables.emplace_back();
        check_netcdf(nc_def_var(file, name.c_str(), NC_FLOAT, 4, dimensions, &variable));
        for (const auto &[attribute, text] : field_attributes)
            check_netcdf(nc_put_att_text(file, variable, attribute, std::strlen(text), text));
        const auto level = static_cast<unsigned>(job.level > 0 ? job.level : job.codec == "zstd" ? 3 : 1);
        if (job.codec == "deflate")
            check_netcdf(nc_def_var_deflate(file, variable, 1, 1, static_cast<int>(level)));
        if (job.codec == "zstd") {
            check_netcdf(nc_def_var_deflate(file, variable, 1, 0, 0)); // shuffle alone
            check_netcdf(nc_def_var_filter(file, variable, zstd_filter, 1, &level));
        }
    }
    check_netcdf(nc_enddef(file));
    return variables;
}

/// `start` has four indices, of which the first is the frame's.
inline void put_netcdf(int file, int variable, const std::size_t *start, const Patch &patch, int field) {
    const std::size_t count[] = {1, static_cast<std::size_t>(patch.box.count[0]),
                                 static_cast<std::size_t>(patch.box.count[1]),
                                 static_cast<std::size_t>(patch.box.count[2])};
    check_netcdf(nc_put_vara_float(file, variable, start, count, patch.first(field)));
}

} // namespace squall::bench
