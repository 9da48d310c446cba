#include "parallel/work_team.hpp"

#include <algorithm>
#include <utility>

#include "core/profile.hpp"
#include "parallel/mpi_real.hpp"

namespace squall {
namespace {

enum Tag { work_tag, results_tag };

/// Adds the time of its life to a clock [s].
class Waiting {
  public:
    explicit Waiting(double &clock) : clock_(clock), begun_(MPI_Wtime()) {}
    ~Waiting() { clock_ += MPI_Wtime() - begun_; }
    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

  private:
    const Span span_{"wait for a team", Profile::Kind::waiting};
    double &clock_;
    double begun_;
};

} // namespace

WorkTeam::WorkTeam(MPI_Comm comm, const Patch &patch) {
    const int rows = std::max(ranks_wanted / patch.px, 1);
    MPI_Comm_split(comm, patch.cy / rows, 0, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    works_.resize(static_cast<std::size_t>(size_));
}

WorkTeam::~WorkTeam() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

WorkTeam::WorkTeam(WorkTeam &&other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), rank_(other.rank_), size_(other.size_),
      waited_(other.waited_), works_(std::move(other.works_)), requests_(std::move(other.requests_)) {}

std::vector<Handover> WorkTeam::plan(double work, double least) {
    if (size_ == 1) return {};
    {
        const Waiting waiting(waited_);
        MPI_Allgather(&work, 1, MPI_DOUBLE, works_.data(), 1, MPI_DOUBLE, comm_);
    }
    std::vector<Handover> mine = even_out(works_, least);
    std::erase_if(mine, [&](const Handover &h) { return h.from != rank_ && h.to != rank_; });
    return mine;
}

void WorkTeam::send_work(std::span<const real> columns, int to) {
    MPI_Isend(columns.data(), static_cast<int>(columns.size()), mpi_real(), to, work_tag, comm_,
              &requests_.emplace_back());
}

void WorkTeam::send_results(std::span<const double> results, int to) {
    MPI_Isend(results.data(), static_cast<int>(results.size()), MPI_DOUBLE, to, results_tag, comm_,
              &requests_.emplace_back());
}

void WorkTeam::receive_results(std::span<double> results, int from) {
    MPI_Irecv(results.data(), static_cast<int>(results.size()), MPI_DOUBLE, from, results_tag, comm_,
              &requests_.emplace_back());
}

void WorkTeam::finish() {
    const Waiting waiting(waited_);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
}

std::vector<real> WorkTeam::receive_work(int from) {
    const Waiting waiting(waited_);
    MPI_Status status;
    MPI_Probe(from, work_tag, comm_, &status);
    int count = 0;
    MPI_Get_count(&status, mpi_real(), &count);
    std::vector<real> columns(static_cast<std::size_t>(count));
    MPI_Recv(columns.data(), count, mpi_real(), from, work_tag, comm_, MPI_STATUS_IGNORE);
    return columns;
}

} // namespace squall
