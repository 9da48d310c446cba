#include "run/roll_call.hpp"

#include <algorithm>
#include <array>

namespace squall {
namespace {

constexpr double often = 1;            // [s]
constexpr double for_each_rank = 1e-3; // [s], beyond a thousand ranks

} // namespace

RollCall::RollCall(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
}

bool RollCall::due() const {
    const std::chrono::duration<double> since = Clock::now() - last_;
    return rank_ == 0 && since.count() >= std::max(often, for_each_rank * ranks_);
}

std::vector<RankState> RollCall::call(double waited) {
    const auto now = Clock::now();
    const double span = std::max(std::chrono::duration<double>(now - last_).count(), 1e-9);
    const double load = std::clamp(1 - (waited - waited_) / span, 0.0, 1.0);
    last_ = now;
    waited_ = waited;

    const io::StagingUse use = io::staging_use(comm_);
    const std::array<double, 3> mine{load, static_cast<double>(use.used), static_cast<double>(use.peak)};
    std::vector<double> all(rank_ == 0 ? mine.size() * static_cast<std::size_t>(ranks_) : 0);
    MPI_Gather(mine.data(), int(mine.size()), MPI_DOUBLE, all.data(), int(mine.size()), MPI_DOUBLE, 0, comm_);
    std::vector<RankState> states;
    for (std::size_t n = 0; n < all.size(); n += mine.size())
        states.push_back(
            {all[n],
             {static_cast<std::uint64_t>(all[n + 1]), static_cast<std::uint64_t>(all[n + 2]), use.limit}});
    return states;
}

} // namespace squall
