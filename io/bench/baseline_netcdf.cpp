/// nc_put_vara: by one rank that holds everything (netcdf), and by each into a file of its own.

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>

#include "baseline.hpp"
#include "netcdf_calls.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

/// Writes the fields of a patch one after the other; `before` is called ahead of each.
template <class Before>
void write_alone(const std::string &path, const BaselineJob &job, const Patch &patch, Before before) {
    const int flags = job.codec == "none" ? NC_64BIT_DATA : NC_NETCDF4;
    int file = 0;
    check_netcdf(nc_create(path.c_str(), flags | NC_CLOBBER, &file));
    const auto variables = define_netcdf(file, job, patch.box.count);
    const std::size_t start[4] = {};
    for (int f = 0; f < job.contents.fields(); ++f) {
        before(f);
        put_netcdf(file, variables[f], start, patch, f);
    }
    check_netcdf(nc_close(file));
    bring_to_disk(path);
}

class Gathered final : public Baseline {
  public:
    explicit Gathered(const BaselineJob &job)
        : job_(job), part_(job.contents, part_of(job.contents, job.comm), Order::file) {
        int size = 0;
        MPI_Comm_rank(job.comm, &rank_);
        MPI_Comm_size(job.comm, &size);
        const std::int64_t mine[] = {part_.box.start[1], part_.box.count[1], part_.box.start[2],
                                     part_.box.count[2]};
        std::vector<std::int64_t> all(4 * static_cast<std::size_t>(size));
        MPI_Allgather(mine, 4, MPI_INT64_T, all.data(), 4, MPI_INT64_T, job.comm);
        const auto layers = job.contents.shape[0];
        for (std::size_t r = 0; r < all.size(); r += 4)
            boxes_.push_back({{0, all[r], all[r + 2]}, {layers, all[r + 1], all[r + 3]}});
        if (rank_ > 0) return;
        whole_.emplace(job.contents, whole(job.contents), Order::file);
        for (const auto &box : boxes_)
            counts_.push_back(static_cast<int>(layers * box.count[1] * box.count[2]));
        offsets_.resize(counts_.size());
        std::exclusive_scan(counts_.begin(), counts_.end(), offsets_.begin(), 0);
        gathered_.resize(static_cast<std::size_t>(whole_->points()));
    }

    void write(const std::string &path) override {
        if (rank_ == 0) return write_alone(path, job_, *whole_, [this](int f) { gather(f); });
        for (int f = 0; f < job_.contents.fields(); ++f) gather(f);
    }

  private:
    void gather(int field) {
        MPI_Gatherv(part_.first(field), static_cast<int>(part_.points()), MPI_FLOAT, gathered_.data(),
                    counts_.data(), offsets_.data(), MPI_FLOAT, 0, job_.comm);
        if (rank_ > 0) return;
        const float *from = gathered_.data();
        float *to = whole_->values[field].data() + whole_->offset;
        for (const auto &box : boxes_)
            for (std::int64_t k = 0; k < box.count[0]; ++k)
                for (std::int64_t j = 0; j < box.count[1]; ++j, from += box.count[2])
                    std::copy_n(from, box.count[2],
                                to + whole_->strides[0] * k + whole_->strides[1] * (box.start[1] + j) +
                                    box.start[2]);
    }

    BaselineJob job_;
    Patch part_;
    int rank_ = 0;
    std::vector<io::Box> boxes_;        ///< of all ranks
    std::optional<Patch> whole_;        ///< on rank 0, as the rest
    std::vector<int> counts_, offsets_; ///< in `gathered_`, by rank
    std::vector<float> gathered_;
};

class Split final : public Baseline {
  public:
    explicit Split(const BaselineJob &job)
        : job_(job), patch_(job.contents, part_of(job.contents, job.comm), Order::file) {
        MPI_Comm_rank(job.comm, &rank_);
    }
    void write(const std::string &path) override {
        std::filesystem::create_directories(path);
        write_alone(path + "/" + std::to_string(rank_), job_, patch_, [](int) {});
    }

  private:
    BaselineJob job_;
    Patch patch_;
    int rank_ = 0;
};

const RegisterBaseline netcdf("netcdf", std::make_unique<Gathered, const BaselineJob &>);
const RegisterBaseline split("netcdf-split", std::make_unique<Split, const BaselineJob &>);

} // namespace
} // namespace squall::bench
