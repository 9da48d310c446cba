/// The writers of a file: a communicator of their own, agreement, and politeness in waiting.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mpi.h>

#include "patience.hpp"

namespace squall::io {

/// Every function is collective over the crew, unless it says local.
class Crew {
  public:
    /// On a duplicate of `comm`.
    Crew(MPI_Comm comm, Patience patience);
    ~Crew();
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    int rank() const { return rank_; }        ///< local
    int size() const { return size_; }        ///< local
    bool leads() const { return rank_ == 0; } ///< local: who renames files and writes the manifest
    MPI_Comm comm() const { return comm_; }   ///< local
    const Patience &patience() const { return patience_; } ///< local

    /// What the crew is doing, for the watchdog. Local.
    void doing(std::string what) { doing_ = std::move(what); }
    const std::string &doing() const { return doing_; }

    /// Throws Error on all with the words of the lowest writer that has any; returns if none has.
    void agree(const std::string &fault) const;
    /// Runs f on every writer and agrees on what it threw.
    template <class F> void attempt(F f) const {
        std::string fault;
        try {
            f();
        } catch (const std::exception &e) {
            fault = e.what();
        }
        agree(fault);
    }
    /// Whether it is true on any.
    bool any(bool value) const;
    /// Sums, in place.
    void add(std::vector<std::uint64_t> &numbers) const;
    /// Everybody's numbers, rank by rank.
    std::vector<std::vector<std::int64_t>> gather(const std::vector<std::int64_t> &numbers) const;
    /// Everybody's text where it is not empty, "rank N: ..." line by line, N counting writers.
    std::string gather_text(const std::string &text) const;

    /// Waits politely. Local.
    void wait(MPI_Request &request) const;

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    Patience patience_;
    int rank_ = 0, size_ = 1;
    std::string doing_ = "the other writers";
};

} // namespace squall::io
