/// Which ranks have which domain: all of its parent's, or some, beside those that have its siblings.
#pragma once

#include <vector>

#include <mpi.h>

#include "settings/config.hpp"

namespace squall {

/// Ranks that follow each other, of those of a run that compute.
struct Share {
    int first = 0, count = 1;
    bool has(int rank) const { return rank >= first && rank < first + count; }
    bool operator==(const Share &) const = default;
};

/// Of the domain whose number is n + 1 at n. Each nest is within its parent's share. The nests inside a
/// domain step one after the other, each on as many ranks as make it fastest, or side by side on ranks of
/// their own, whichever is estimated to end sooner: by the columns of the largest patch, halos included, and
/// steps.
std::vector<Share> choose_shares(const Config &config, int ranks);

/// The ranks of a share as a communicator; MPI_COMM_NULL on others.
class ShareComm {
  public:
    /// One that the caller keeps.
    explicit ShareComm(MPI_Comm comm) : comm_(comm) {}
    /// `outer`: of the share's parent; may be MPI_COMM_NULL. Collective over it.
    ShareComm(const ShareComm &outer, bool member);
    ~ShareComm();
    ShareComm(ShareComm &&other) noexcept;
    ShareComm &operator=(ShareComm &&) = delete;

    MPI_Comm get() const { return comm_; }

  private:
    MPI_Comm comm_;
    bool mine_ = false;
};

} // namespace squall
