/// nc_put_vara: by one rank that holds everything (netcdf), and by each into a file of its own.

#include <filesystem>

#include "baseline.hpp"
#include "netcdf_calls.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

class OneWriter : public Baseline {
  public:
    OneWriter(const BaselineJob &job, const io::Box &box)
        : job_(job), patch_(job.contents, box, Order::file) {}

    void write(const std::string &path) override {
        if (patch_.points() == 0) return;
        const int flags = job_.codec == "none" ? NC_64BIT_DATA : NC_NETCDF4;
        int file = 0;
        check_netcdf(nc_create(path.c_str(), flags | NC_CLOBBER, &file));
        const auto variables = define_netcdf(file, job_, patch_.box.count);
        const std::size_t start[4] = {};
        for (int f = 0; f < job_.contents.fields(); ++f) put_netcdf(file, variables[f], start, patch_, f);
        check_netcdf(nc_close(file));
        bring_to_disk(path);
    }

  private:
    BaselineJob job_;
    Patch patch_;
};

class Split final : public OneWriter {
  public:
    explicit Split(const BaselineJob &job) : OneWriter(job, part_of(job.contents, job.comm)) {
        MPI_Comm_rank(job.comm, &rank_);
    }
    void write(const std::string &path) override {
        std::filesystem::create_directories(path);
        OneWriter::write(path + "/" + std::to_string(rank_));
    }

  private:
    int rank_ = 0;
};

const RegisterBaseline netcdf("netcdf", [](const BaselineJob &job) {
    int rank = 0;
    MPI_Comm_rank(job.comm, &rank);
    return std::make_unique<OneWriter>(job, rank == 0 ? whole(job.contents) : none());
});
const RegisterBaseline split("netcdf-split", std::make_unique<Split, const BaselineJob &>);

} // namespace
} // namespace squall::bench
