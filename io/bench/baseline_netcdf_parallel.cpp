/// Collective nc_put_vara through parallel HDF5.

#include <netcdf.h>
#include <netcdf_par.h>

#include "netcdf_calls.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

class Parallel final : public Baseline {
  public:
    explicit Parallel(const BaselineJob &job)
        : job_(job), patch_(job.contents, part_of(job.contents, job.comm), Order::file) {}

    void write(const std::string &path) override {
        int file = 0;
        check_netcdf(nc_create_par(path.c_str(), NC_NETCDF4 | NC_CLOBBER, job_.comm, MPI_INFO_NULL, &file));
        const auto variables = define_netcdf(file, job_, job_.contents.shape);
        const auto &at = patch_.box.start;
        const std::size_t start[] = {0, static_cast<std::size_t>(at[0]), static_cast<std::size_t>(at[1]),
                                     static_cast<std::size_t>(at[2])};
        for (int f = 0; f < job_.contents.fields(); ++f) {
            check_netcdf(nc_var_par_access(file, variables[f], NC_COLLECTIVE));
            put_netcdf(file, variables[f], start, patch_, f);
        }
        check_netcdf(nc_close(file));
        bring_to_disk(path);
    }

  private:
    BaselineJob job_;
    Patch patch_;
};

const RegisterBaseline parallel("netcdf-parallel", std::make_unique<Parallel, const BaselineJob &>);

} // namespace
} // namespace squall::bench
