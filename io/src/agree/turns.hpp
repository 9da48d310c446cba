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

#include "agree/crew.hpp"

namespace squall::io {

/// A piece of work for all writers together: what a stream's number says.
struct Ticket {
    std::int64_t stream = 0, number = 0;
    friend auto operator<=>(const Ticket &, const Ticket &) = default;
};

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
};

/// A turn on its way from writer to writer.
struct TurnLetter final : InTransit {
    std::array<std::int64_t, 9> words{};
};

/// Hands out, on every writer in the same order, the tickets that are ready on all. Nobody ever
/// waits for a rank's model: what is ready elsewhere goes first. Local calls, one thread. Messages
/// go up and down a tree, a hundred bytes each: two per writer and ticket, and a handful on any one writer.
class Turns {
  public:
    explicit Turns(const Crew &crew);
    ~Turns();
    Turns(const Turns &) = delete;
    Turns &operator=(const Turns &) = delete;

    /// This writer is ready for the ticket.
    void ready(const Ticket &ticket, const Meaning &meaning);
    /// The next ticket, if one is ready on all as far as is known by now. Throws Timeout, and breaks the
    /// crew, where the letter of one before it is lost: whoever went on would mix two frames.
    std::optional<Turn> next();
    /// The writers right below this one in the tree which are not ready for the ticket, they or one
    /// below them: "writers 1, 3"; "" if it is not theirs that is missing.
    std::string missing(const Ticket &ticket) const;

  private:
    static constexpr int branches = 4; ///< of the tree

    int parent() const { return (crew_.rank() - 1) / branches; }
    int first_child() const { return crew_.rank() * branches + 1; }
    void count(const Ticket &ticket, int writer, const Meaning &meaning, const Discord &below);
    void agree(const Turn &turn);
    void require_in_order(std::int64_t place) const;
    void send(const Turn &turn, const Meaning &meaning, int to, int tag);
    void receive();
    bool receive(int tag);

    /// What is known of a ticket that is not ready on all of this writer and those below it.
    struct Known {
        int writers = 0; ///< of this one and its children
        std::array<bool, branches> children{};
        Meaning meaning; ///< of `writer`
        int writer = -1;
        Discord discord;
    };
    struct Sent {
        std::shared_ptr<TurnLetter> letter;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    const Crew &crew_;
    int children_ = 0;
    std::map<Ticket, Known> known_;
    std::deque<Turn> agreed_;
    std::int64_t agreed_upon_ = 0; ///< turns so far, those that were handed out too
    std::list<Sent> sent_;
};

} // namespace squall::io
