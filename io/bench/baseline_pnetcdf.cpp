/// ncmpi_put_vara_float_all.

#include <cstring>

#include <pnetcdf.h>

#include "baseline.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

void check(int status) {
    if (status != NC_NOERR) throw io::Error(std::string("PnetCDF: ") + ncmpi_strerror(status));
}

class Pnetcdf final : public Baseline {
  public:
    explicit Pnetcdf(const BaselineJob &job)
        : job_(job), patch_(job.contents, part_of(job.contents, job.comm), Order::file) {}

    void write(const std::string &path) override {
        int file = 0;
        check(ncmpi_create(job_.comm, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
        const auto variables = define(file);
        const auto &box = patch_.box;
        const MPI_Offset start[] = {0, box.start[0], box.start[1], box.start[2]};
        const MPI_Offset count[] = {1, box.count[0], box.count[1], box.count[2]};
        for (int f = 0; f < job_.contents.fields(); ++f)
            check(ncmpi_put_vara_float_all(file, variables[f], start, count, patch_.first(f)));
        check(ncmpi_close(file));
        bring_to_disk(path);
    }

  private:
    std::vector<int> define(int file) const {
        int dimensions[4];
        check(ncmpi_def_dim(file, "Time", NC_UNLIMITED, &dimensions[0]));
        const char *names[] = {"z", "y", "x"};
        for (int d = 0; d < 3; ++d)
            check(ncmpi_def_dim(file, names[d], job_.contents.shape[d], &dimensions[d + 1]));
        std::vector<int> variables;
        for (const auto &name : job_.contents.names) {
            int &variable = variables.emplace_back();
            check(ncmpi_def_var(file, name.c_str(), NC_FLOAT, 4, dimensions, &variable));
            for (const auto &[attribute, text] : field_attributes)
                check(ncmpi_put_att_text(file, variable, attribute,
                                         static_cast<MPI_Offset>(std::strlen(text)), text));
        }
        check(ncmpi_enddef(file));
        return variables;
    }

    BaselineJob job_;
    Patch patch_;
};

const RegisterBaseline pnetcdf("pnetcdf", std::make_unique<Pnetcdf, const BaselineJob &>);

} // namespace
} // namespace squall::bench
