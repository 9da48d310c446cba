/// Agreement on what comes next, among writers whose work becomes ready in different orders, and on
/// that they mean the same by it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agree/order.hpp"
#include "agree/rank_group.hpp"

namespace squall::io {

/// A piece of work for all writers together: what a stream's number says.
struct Ticket {
    std::int64_t stream = 0, number = 0;
    friend auto operator<=>(const Ticket &, const Ticket &) = default;
};

/// Tickets of a stream become ready in their order on each writer, but for those with numbers from here on.
inline constexpr std::int64_t arrival_numbers = std::int64_t(1) << 40;

/// What a writer means by a ticket: the same on all, or the work is not done.
struct Meaning {
    std::uint64_t declaration = 0; ///< hash of the stream's declaration
    double seconds = 0; ///< the frame's time; for what is no frame, any number that says what it is
    friend bool operator==(const Meaning &, const Meaning &) = default;
};

/// Two writers that mean different things.
struct Discord {
    int writer = -1, other = -1; ///< -1: there is none
    Meaning means, other_means;
};

/// A ticket whose turn it is.
struct Turn {
    Ticket ticket;
    Discord discord; ///< the same on all writers
    Stamp stamp;     ///< the same on all writers; of a ticket that needs an order
};

/// A turn on its way from writer to writer.
struct TurnMessage final : InTransit {
    std::array<std::int64_t, 12> words{};
};

/// Hands out, on every writer in the same order, the tickets that are ready on all. Nobody ever
/// waits for a rank's model: what is ready elsewhere goes first. Local calls, one thread. Messages
/// go up and down a tree, a hundred bytes each: two per writer and ticket, and a handful on any one writer. A
/// ticket that needs an order among all groups of each process (order.hpp) costs two more.
class Turns {
  public:
    explicit Turns(const RankGroup &group);
    ~Turns();
    Turns(const Turns &) = delete;
    Turns &operator=(const Turns &) = delete;

    /// This writer is ready for the ticket. `in_order`: other threads of this process may wait for other
    /// processes, too, under a lock that it needs.
    void ready(const Ticket &ticket, const Meaning &meaning, bool in_order);
    /// The next ticket, if one is ready on all as far as is known by now. Throws Timeout, and breaks the
    /// group, where the message of one before it is lost: whoever went on would mix two frames.
    std::optional<Turn> next();
    /// What was to be done of this one is done.
    void done(const Turn &turn);
    /// Nothing more will be done here: other groups of this process go on.
    void give_up();
    /// Whether the order of a ticket is being agreed upon.
    bool is_voting() const { return vote_.has_value(); }
    /// Whether the next ticket waits for those of other groups.
    bool is_held_back() const;
    /// The writers right below this one in the tree which are not ready for the ticket, they or one
    /// below them: "writers 1, 3"; "" if it is not theirs that is missing.
    std::string missing(const Ticket &ticket) const;

  private:
    static constexpr int branches = 4; ///< of the tree

    int parent() const { return (group_.rank() - 1) / branches; }
    int first_child() const { return group_.rank() * branches + 1; }
    /// Up the tree go readiness and votes, down it what to vote on and what comes next.
    enum class Word : std::int64_t { ready, ready_in_order, vote, propose, go };

    void count(const Ticket &ticket, int writer, const Meaning &meaning, const Discord &below, bool in_order);
    void complete(const Turn &turn, bool in_order);
    void propose(const Turn &turn);
    void count_vote(const Stamp &stamp);
    void agree(const Turn &turn);
    void require_in_order(std::int64_t place) const;
    void require_none_before(const Ticket &ticket) const;
    void send(Word word, const Turn &turn, const Meaning &meaning, int to);
    void receive();
    bool receive(int tag);

    /// What is known of a ticket that is not ready on all of this writer and those below it.
    struct Known {
        int writers = 0; ///< of this one and its children
        std::array<bool, branches> children{};
        Meaning meaning; ///< of `writer`
        int writer = -1;
        Discord discord;
        bool in_order = false; ///< on any of them
    };
    /// On when a ticket's turn is, by this writer and those below it.
    struct Vote {
        Turn turn;
        int writers = 0;
        Stamp proposed, latest; ///< by this one; of all
    };
    struct Sent {
        std::shared_ptr<TurnMessage> message;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    const RankGroup &group_;
    int children_ = 0;
    std::map<Ticket, Known> known_;
    std::deque<Turn> agreed_;
    std::optional<Vote> vote_;
    std::deque<Turn> to_vote_; ///< on writer 0: one after the other, so that later turns have later stamps
    std::vector<Stamp> here_;  ///< that this group has in the process's order
    bool given_up_ = false;
    std::int64_t agreed_upon_ = 0; ///< turns so far, those that were handed out too
    std::list<Sent> sent_;
};

} // namespace squall::io
