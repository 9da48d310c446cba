/// The writers of a file: a communicator of their own, and the one place where they agree.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "agree/patience.hpp"
#include "agree/presence.hpp"

namespace squall::io {

/// Whether any thread may call MPI at any time (MPI_THREAD_MULTIPLE).
bool threads_call_mpi();

/// What MPI reads or writes until a message is through: whatever has memory of that kind derives from this.
class InTransit {
  public:
    virtual ~InTransit() = default;
};

/// For memory of a message that nobody waits for any more: it stays as long as the process.
void keep_for_ever(std::shared_ptr<const InTransit> memory);

/// Every function is collective over the group, unless it says local, and throws Timeout at the
/// deadline, with the names of those who have not come. From then on the group is broken on this rank: what
/// was begun stays begun, so every later call throws the same at once, and waits for nobody.
class RankGroup {
  public:
    /// On a duplicate of `comm`.
    RankGroup(MPI_Comm comm, Patience patience);
    ~RankGroup();
    RankGroup(const RankGroup &) = delete;
    RankGroup &operator=(const RankGroup &) = delete;

    int rank() const { return rank_; }        ///< local
    int size() const { return size_; }        ///< local
    bool leads() const { return rank_ == 0; } ///< local: who renames files and writes the manifest
    MPI_Comm comm() const { return comm_; }   ///< local
    const Patience &patience() const { return patience_; } ///< local

    /// What the group is doing, for the watchdog. Local.
    void doing(std::string what) { doing_ = std::move(what); }
    const std::string &doing() const { return doing_; }

    /// What has gone wrong on this writer, which the others may not know yet: if waiting ends in vain that
    /// says so, too. "": nothing. Local.
    void trouble(const std::string &what) const { trouble_ = what; }
    /// Is called before anything is done together, and throws Timeout if this writer must not go on. Local.
    void set_guard(std::function<void()> guard) { guard_ = std::move(guard); }

    /// Throws Error on all with the words of the lowest writer that has any, of those who know the cause if
    /// any does; returns if none has.
    void agree(const std::string &fault, bool knows_cause = true) const;
    /// Runs f on every writer and agrees on what it threw; `knows_cause` tells of its words whether they do.
    template <class F> void attempt(F f) const {
        attempt(f, [](const std::string &) { return true; });
    }
    template <class F, class K> void attempt(F f, K knows_cause) const {
        require_whole();
        std::string fault;
        try {
            f();
        } catch (const Timeout &) {
            throw;
        } catch (const std::exception &e) {
            fault = e.what();
        }
        agree(fault, knows_cause(fault));
    }
    /// Whether it is true on any.
    bool any(bool value) const { return largest(value) != 0; }
    /// The largest of all.
    std::int64_t largest(std::int64_t number) const;
    /// The largest of each, in place.
    void largest(std::vector<std::int64_t> &numbers) const;
    /// Sums on writer 0, in place; elsewhere the numbers are lost.
    void add_at_first(std::vector<std::uint64_t> &numbers) const;
    /// Sums, in place.
    void add(std::vector<std::uint64_t> &numbers) const;
    /// Everybody's text, writer by writer. For groups of few.
    std::vector<std::string> gather(const std::string &text) const;
    /// Everybody's text, writer by writer, on writer 0; empty elsewhere. They come in pieces, of which no
    /// more than `at_once` bytes are under way to writer 0 at a time, but at least one of each text.
    std::vector<std::string> gather_at_first(const std::string &text, std::int64_t at_once = 64 << 20) const;
    /// A few numbers for, or from, another writer.
    struct Packet {
        int writer;
        std::vector<std::int64_t> words;
    };
    /// Sends packets to those whom they are for, and returns those that have come, in the order of their
    /// senders. Costs a message per packet, and a barrier: nobody learns who writes to whom elsewhere.
    std::vector<Packet> exchange(std::vector<Packet> packets) const;

    /// Waits politely for a message of this group, whose memory `kept` holds: where waiting ends without
    /// it, that stays as long as the process, as MPI may still use it. Local.
    void wait(MPI_Request &request, std::shared_ptr<const InTransit> kept) const {
        wait_for(&request, 1, std::move(kept));
    }
    void wait_all(std::vector<MPI_Request> &requests, std::shared_ptr<const InTransit> kept) const {
        wait_for(requests.data(), requests.size(), std::move(kept));
    }
    /// Throws Timeout if the group is broken or its guard says so. Local.
    void require_whole() const;
    /// Breaks the group: for whoever waits for its members by other means. Local.
    void break_up(const std::string &why) const;
    bool broken() const { return !broken_.empty(); }

  private:
    using Kept = std::shared_ptr<const InTransit>;
    void wait_for(MPI_Request *requests, std::size_t n, Kept kept) const;
    void wait_until(const std::function<bool()> &done, Kept kept) const;
    std::string from(int writer, const std::string &text) const;

    MPI_Comm comm_ = MPI_COMM_NULL;
    Patience patience_;
    int rank_ = 0, size_ = 1;
    std::string doing_ = "the other writers";
    std::unique_ptr<Presence> presence_;
    mutable int exchanges_ = 0;
    std::function<void()> guard_;
    mutable std::string trouble_; ///< on this writer; empty: none
    mutable std::string broken_;  ///< why; empty: it is not
};

} // namespace squall::io
