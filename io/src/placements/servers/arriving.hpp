/// A frame as it arrives at a server, in parts from many computing ranks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "placements/servers/encoded.hpp"
#include "placements/servers/point_messages.hpp"
#include "placements/servers/served.hpp"

namespace squall::io::servers {

/// What is in the memory of computing ranks of this node is copied when it is taken; what comes in
/// messages is received into memory of this server, chunks that ranks have compressed as they are.
class Arriving final : public Staged {
  public:
    /// The arrivals cover what the server has of the stream, without holes: see Served::fault_of.
    Arriving(std::shared_ptr<Served> served, bool per_frame, std::shared_ptr<Pool> pool,
             std::vector<Arrival> arrivals);

    /// Makes room for the frame: for all of it, or, where only memory of ranks of this node has it, for what
    /// is copied from there at once. False if there is none now. What needs more than the whole limit is a
    /// fault.
    bool make_room();
    /// Begins to receive; maps memory. Throws Error.
    void receive(const std::vector<int> &client_ranks, MPI_Comm comm);
    bool received(); ///< whether all messages have come
    /// Whose messages have not come although none has for longer than the deadline; "" while there is hope.
    std::string overdue(double now, double deadline);
    /// Waits for no message any more, and lets go of the memory, but where one is on its way into it; what
    /// comes all the same is refused.
    void give_up(const std::vector<int> &client_ranks, Refuse &refuse);

    std::vector<std::pair<int, Box>> boxes() const override;
    std::vector<Block> take(int field) override;
    std::vector<Block> look(int field) const override;
    /// Everything, with memory of its own.
    std::unique_ptr<StagedHere> take_all();

    const std::vector<Arrival> &arrivals() const { return arrivals_; }

    bool useless = false; ///< nothing of it is received: somebody has found fault with it, or it is skipped

    /// Called when memory of computing ranks has been read; throws Error if they may have used it for
    /// something else by now.
    std::function<void()> still_valid = [] {};

  private:
    /// Of an arrival that brings compressed chunks.
    struct Bundle {
        Split split;
        Memory memory;
    };
    /// What an assembly is made of where chunks come: these, by arrival and number there, and points.
    struct Mixture {
        std::vector<std::pair<std::size_t, std::size_t>> chunks;
        std::vector<Box> points;
    };
    /// Points that come by messages, of which another arrival brings some, too.
    struct Aside {
        std::size_t assembly = 0;
        Box box;
        Memory memory;
    };
    bool held_here() const;
    const ServerPlan &points_of(std::size_t arrival) const;
    void look_for_overlaps();
    void put_asides_in_place();
    bool is_copied(std::size_t assembly) const;
    std::size_t room_needed() const;
    std::string too_much(std::size_t needed) const;
    bool brings_chunks(const Arrival &arrival) const;
    void look_for_chunks();
    bool of_chunks_alone(std::size_t assembly) const;
    void add_encoded(Block &block, std::size_t assembly);
    std::vector<std::size_t> count_to_come() const;
    template <class F> std::vector<Block> blocks_of(int field, F received) const;
    void copy_seen(std::size_t arrival, int field, std::vector<Block> &blocks, std::size_t first) const;
    Memory copied_memory(std::size_t bytes) const;

    std::shared_ptr<Served> served_;
    bool per_frame_;
    std::shared_ptr<Pool> pool_;
    std::vector<Arrival> arrivals_;
    struct Seen {
        const Window *points = nullptr, *tables = nullptr;
    };
    std::vector<Seen> seen_;     ///< per arrival
    std::vector<Memory> memory_; ///< per assembly, none for one of chunks alone; empty: only shared memory
                                 ///< has any of the frame
    std::shared_ptr<Reserve> for_copies_;   ///< then: room for what is copied from there at once
    std::map<std::size_t, Bundle> bundles_; ///< by arrival
    std::vector<Mixture> mixtures_;         ///< per assembly; empty: no chunks come
    std::map<std::size_t, std::vector<Encoded>> encoded_;          ///< by arrival, once they are there
    std::map<std::pair<const Part *, std::size_t>, Aside> asides_; ///< by part and field in its region
    std::vector<MPI_Request> requests_;                            ///< in the order of arrivals
    std::vector<std::size_t> ends_;                                ///< per arrival: the end of its requests
    std::size_t to_come_ = 0;                                      ///< messages, when they were counted last
    double came_ = 0;                                              ///< when that number last changed
};

} // namespace squall::io::servers
