/// Ranks of a domain that take work off each other: whole rows of patches from west to east, so that what
/// differs along the day's path is within a team.
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "core/real.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/even_out.hpp"

namespace squall {

/// A rank knows of its team alone, which is as large in a domain of any size but for the length of a row.
class WorkTeam {
  public:
    /// As many rows as make up to so many ranks, but at least one.
    static constexpr int ranks_wanted = 64;

    /// Collective over `comm`, the ranks of the domain, whose rank r computes make_patch(r, ...).
    WorkTeam(MPI_Comm comm, const Patch &patch);
    ~WorkTeam();
    WorkTeam(WorkTeam &&other) noexcept;
    WorkTeam &operator=(WorkTeam &&) = delete;

    /// What this rank gives or takes, where it has `work` to do; ranks are those of the team. Collective over
    /// the team.
    std::vector<Handover> plan(double work, double least);

    bool is_me(int rank) const { return rank == rank_; }

    /// Work on its way to another rank, or what came of it on its way back. Buffers must live until finish().
    void send_work(std::span<const real> columns, int to);
    void send_results(std::span<const double> results, int to);
    void receive_results(std::span<double> results, int from);
    /// Waits for all that was begun.
    void finish();
    /// Waits for a message of work of any length.
    std::vector<real> receive_work(int from);

    double waited() const { return waited_; } ///< for others, so far [s]
    int size() const { return size_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    double waited_ = 0;
    std::vector<double> works_; ///< of the ranks of the team
    std::vector<MPI_Request> requests_{};
};

} // namespace squall
