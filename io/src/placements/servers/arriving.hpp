/// A frame as it arrives at a server, in parts from many computing ranks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "placements/servers/slabs.hpp"
#include "placements/servers/wire.hpp"
#include "stage.hpp"

namespace squall::io {

/// What a server has of one stream: the same for all of its frames.
struct Slot {
    const Layout &layout;
    const std::vector<Holdings> &holdings;
    int server = 0; ///< this one, in its group
    std::shared_ptr<Pool> pool;
};

class Arriving final : public Staged {
  public:
    Arriving(const Slot &slot, bool per_frame);

    /// Parts that lie in memory mapped at `base`, which stays until the frame is gone.
    void see(const std::vector<Offer> &offers, const std::byte *base);
    /// Parts that come in messages from a rank: makes room for the whole frame, which may need more
    /// than there is: false, and nothing has happened.
    bool expect(const std::vector<Offer> &offers, int from, int tag, MPI_Comm comm);
    bool received(); ///< whether all messages that were expected have come

    /// What is wrong with the parts: holes, overlaps; "" if nothing.
    std::string holes() const;

    std::vector<std::pair<int, Box>> boxes() const override;
    std::vector<Block> take(int field) override;
    /// Everything, with memory of its own.
    std::unique_ptr<StagedHere> take_all();

  private:
    struct Seen {
        Box part, box; ///< of the points
        const std::byte *points = nullptr;
    };
    struct Assembly { ///< of one share
        int field = 0;
        Box box;
        std::vector<Box> parts;
        std::vector<Seen> seen;
        Memory memory;
    };
    Assembly &assembly(int field, std::size_t share) { return assemblies_[index_.at({field, share})]; }
    bool make_room();
    std::size_t bytes_of(const Assembly &a) const;

    const Slot &slot_;
    std::vector<Assembly> assemblies_;
    std::map<std::pair<int, std::size_t>, std::size_t> index_;
    std::vector<MPI_Request> requests_;
    bool has_room_ = false;
};

} // namespace squall::io
