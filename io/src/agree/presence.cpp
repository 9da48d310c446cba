#include "agree/presence.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace squall::io {
namespace {

constexpr int here_tag = 6;      ///< turns.cpp has 1 and 2, exchange.cpp 3, rank_group.cpp 4 and 5
constexpr int all_tell_all = 64; ///< members
constexpr std::size_t most_names = 4;

/// Ranks of `comm` as those of MPI_COMM_WORLD, by which launchers and users call them.
std::vector<int> ranks_of_world(MPI_Comm comm, const std::vector<int> &members) {
    MPI_Group some, world;
    MPI_Comm_group(comm, &some);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> ranks(members.size());
    MPI_Group_translate_ranks(some, static_cast<int>(members.size()), members.data(), world, ranks.data());
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    return ranks;
}

} // namespace

Presence::Presence(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

Presence::~Presence() {
    for (auto &[request, letter] : sent_) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) static_cast<void>(letter.release()); // MPI may still read it
    }
}

/// Whom this member tells, and from whom it hears.
std::vector<int> Presence::audience() const {
    if (size_ > all_tell_all && rank_ != 0) return {0};
    std::vector<int> others(static_cast<std::size_t>(size_));
    std::iota(others.begin(), others.end(), 0);
    std::erase(others, rank_);
    return others;
}

void Presence::look(bool long_wait) {
    if (size_ == 1) return;
    if (heard_.empty()) heard_.assign(static_cast<std::size_t>(size_), -2);
    bool asked = long_wait;
    for (;;) {
        int waiting = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, here_tag, comm_, &waiting, &status);
        if (!waiting) break;
        std::int64_t step = 0;
        MPI_Recv(&step, 1, MPI_INT64_T, status.MPI_SOURCE, here_tag, comm_, MPI_STATUS_IGNORE);
        auto &heard = heard_[static_cast<std::size_t>(status.MPI_SOURCE)];
        heard = std::max(heard, step);
        asked |= is_here(status.MPI_SOURCE);
    }
    if (asked && told_ < step_) tell();
}

void Presence::tell() {
    told_ = step_;
    std::erase_if(sent_, [](auto &sent) {
        int done = 0;
        MPI_Test(&sent.first, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    for (const int member : audience()) {
        auto &[request, letter] = sent_.emplace_back(MPI_REQUEST_NULL, std::make_unique<std::int64_t>(step_));
        MPI_Isend(letter.get(), 1, MPI_INT64_T, member, here_tag, comm_, &request);
    }
}

std::string Presence::missing() const {
    if (told_ < step_ || heard_.empty()) return "";
    auto absent = audience();
    std::erase_if(absent, [this](int member) { return is_here(member); });
    if (absent.empty()) return "";
    const auto ranks = ranks_of_world(comm_, absent);
    std::string names;
    for (std::size_t n = 0; n < std::min(absent.size(), most_names); ++n)
        names +=
            fmt::format("{}writer {}, rank {} of MPI_COMM_WORLD", n > 0 ? "; " : "", absent[n], ranks[n]);
    if (absent.size() > most_names) names += fmt::format("; and {} more", absent.size() - most_names);
    return fmt::format(" ({}, {} not arrived)", names, absent.size() > 1 ? "have" : "has");
}

} // namespace squall::io
