/// Who of a group is there: collective calls do not tell for whom they wait.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace squall::io {

/// StreamRanks who have waited for long tell each other so, in a letter of 8 bytes, and so does whoever comes
/// then. Those who say nothing are the ones that the others wait for. In a group of more than 64 members all
/// tell the first, and the first all. Local.
class Presence {
  public:
    explicit Presence(MPI_Comm comm);
    ~Presence();
    Presence(const Presence &) = delete;
    Presence &operator=(const Presence &) = delete;

    /// The next thing that all do together begins.
    void next_step() { ++step_; }
    /// To be called from time to time by who waits in this step. `long_wait`: whether that has been long.
    void look(bool long_wait);
    /// Who is missing, as " (writer 2, rank 5 of MPI_COMM_WORLD, has not arrived)"; "" where that is not
    /// known.
    std::string missing() const;

  private:
    bool is_here(int member) const { return heard_[static_cast<std::size_t>(member)] + 1 >= step_; }
    std::vector<int> audience() const;
    void tell();

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
    std::int64_t step_ = 0, told_ = -1; ///< told_: the last step in which others were told
    std::vector<std::int64_t> heard_;   ///< by member: the last step in which it said so; made when needed
    std::vector<std::pair<MPI_Request, std::unique_ptr<std::int64_t>>> sent_;
};

} // namespace squall::io
