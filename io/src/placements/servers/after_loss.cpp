#include "placements/servers/after_loss.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <mpi.h>

#include "common/clock.hpp"
#include "placements/servers/message_dispatcher.hpp"
#include "placements/servers/mpi_messages.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io {
namespace servers {
namespace {

constexpr int exit_code = 1;
constexpr auto nap = std::chrono::milliseconds(5);

struct AfterLoss {
    virtual ~AfterLoss() = default;
    virtual void before_finalize() = 0;
};

/// MPI_Finalize begins by deleting what hangs on MPI_COMM_SELF, when messages still go.
void hang_on_the_end_of_mpi(std::unique_ptr<AfterLoss> what) {
    const auto call = [](MPI_Comm, int, void *value, void *) {
        const std::unique_ptr<AfterLoss> owned(static_cast<AfterLoss *>(value));
        owned->before_finalize();
        return MPI_SUCCESS;
    };
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, what.release());
}

struct LostServer final : AfterLoss {
    MPI_Comm all = MPI_COMM_NULL;
    int first = 0; ///< computing rank

    void before_finalize() override {
        MPI_Send(nullptr, 0, MPI_BYTE, first, return_tag, all); // too short for anybody to have to wait
    }
};

struct ComputingRank final : AfterLoss {
    MPI_Comm all = MPI_COMM_NULL, computing = MPI_COMM_NULL; ///< never freed
    Patience patience{0, 0, 0};
    bool leads = false;
    std::set<int> lost;             ///< servers, of all
    std::map<int, Process> on_node; ///< of these, those of this node
    std::string what;               ///< happened

    void before_finalize() override {
        // As MPI_Finalize does, however long the others compute.
        const Patience endless(patience.watchdog(), 0, patience.rank());
        const std::string others = "the other computing ranks to end MPI";
        MPI_Request request;
        MPI_Ibarrier(computing, &request);
        endless.wait(request, [&] { return others; });
        int ends = leads && !all_return();
        MPI_Ibcast(&ends, 1, MPI_INT, 0, computing, &request);
        endless.wait(request, [&] { return "the lost servers"; });
        if (!ends) return;
        if (!leads) std::this_thread::sleep_for(std::chrono::seconds(10)); // its end comes before
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }

    /// Whether every lost server comes to the end of the program.
    bool all_return() {
        const double since = steady_now();
        for (auto awaited = lost; !awaited.empty(); std::this_thread::sleep_for(nap)) {
            int there = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, return_tag, all, &there, &status);
            if (there) {
                MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, return_tag, all, MPI_STATUS_IGNORE);
                awaited.erase(status.MPI_SOURCE);
                continue;
            }
            const bool gone = std::ranges::any_of(awaited, [&](int server) {
                const auto process = on_node.find(server);
                return process != on_node.end() && process->second.ended();
            });
            if (!gone && (patience.timeout() <= 0 || steady_now() - since < patience.timeout())) continue;
            fmt::print(stderr,
                       "squall io: {}. The session is closed, and the messages before say what others wrote "
                       "in place of lost servers. MPI_Finalize would wait for I/O server rank {} for ever: "
                       "the job ends here, with exit code {}\n",
                       what, *awaited.begin(), exit_code);
            std::fflush(stderr);
            return false;
        }
        return true;
    }
};

} // namespace
} // namespace servers

void outlive_lost_servers(SessionRanks &session_ranks) {
    const auto &losses = session_ranks.dispatcher->losses();
    auto end = std::make_unique<servers::ComputingRank>();
    end->all = session_ranks.all;
    end->computing = session_ranks.comm;
    end->patience = session_ranks.patience;
    end->leads = session_ranks.rank == session_ranks.clients.front();
    end->what = losses.what();
    for (std::size_t g = 0; g < session_ranks.groups.size(); ++g)
        if (losses.lost(static_cast<int>(g)))
            end->lost.insert(session_ranks.groups[g].ranks.begin(), session_ranks.groups[g].ranks.end());
    for (const int server : end->lost)
        if (auto neighbour = session_ranks.neighbours.extract(server))
            end->on_node.insert(std::move(neighbour));
    servers::hang_on_the_end_of_mpi(std::move(end));
}

void return_from_loss(const SessionRanks &session_ranks) {
    auto end = std::make_unique<servers::LostServer>();
    end->all = session_ranks.all;
    end->first = session_ranks.clients.front();
    servers::hang_on_the_end_of_mpi(std::move(end));
}

} // namespace squall::io
