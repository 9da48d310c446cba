/// A stream as one of its servers knows it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "placements/servers/server_queue.hpp"
#include "stage/stage.hpp"

namespace squall::io::servers {

/// Staging memory of a computing rank of this node, mapped to be read.
class Window {
  public:
    /// Throws Error.
    explicit Window(const SharedMemory &memory);
    ~Window();
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;

    /// So many bytes from a place in it. Throws Error where there are not as many.
    const std::byte *at(std::int64_t offset, std::int64_t bytes) const;

  private:
    const std::byte *base_ = nullptr;
    std::int64_t bytes_ = 0;
};

/// What a server has to put together of a field: one share of it.
struct Assembly {
    int field = 0;
    std::size_t share = 0;
    Box box;
    std::size_t bytes = 0;
};

struct Served {
    /// This is number `me` of so many servers of the group.
    /// `memory`: of all streams of this server.
    Served(const Bytes &declaration, int me, int servers, const std::string &assignment,
           std::shared_ptr<Arena> memory);

    /// What this server has of the frames, or of the fields fixed in time: field by field.
    const std::vector<Assembly> &assemblies(bool per_frame) const { return per_frame ? moving_ : fixed_; }
    /// The number of a share's assembly among these.
    std::size_t assembly_of(int field, std::size_t share) const {
        return first_[static_cast<std::size_t>(field)] +
               ordinals_[static_cast<std::size_t>(maps->map_of[static_cast<std::size_t>(field)])][share];
    }
    /// Bytes of this server's points that are taken at once when a frame is stored: of fields that are
    /// written together, or of one that others are made of with all weights and masks, beside what is made.
    std::size_t at_once() const { return at_once_; }
    /// What is wrong with what these arrivals bring to this server together: holes, overlaps; "" if nothing.
    /// The answer is kept for as long as they come by the same plans.
    const std::string &fault_of(const std::vector<Arrival> &arrivals, bool per_frame);
    /// The mapped memory of an arrival's rank: points and tables. Throws Error.
    const Window &window(int client, const SharedMemory &memory);

    std::shared_ptr<const Layout> layout;
    std::uint64_t declaration = 0; ///< its hash
    std::shared_ptr<const ShareMaps> maps;
    std::shared_ptr<StagedHere> fixed = std::make_shared<StagedHere>(); ///< once they have come
    std::string fixed_fault =
        "the fields that are fixed in time have not arrived"; ///< what is wrong with them
    std::shared_ptr<Pool> pool;                               ///< of its frames
    std::unique_ptr<Encoder> encoder; ///< of chunks that come compressed; null: none do
    bool closing = false;
    std::string late_fault; ///< what went wrong in closing

  private:
    std::size_t most_at_once(int servers) const;
    std::string find_fault(const std::vector<Arrival> &arrivals, bool per_frame) const;

    std::vector<Assembly> moving_, fixed_;
    std::size_t at_once_ = 0;
    std::vector<std::size_t> first_;                 ///< per field: its first assembly
    std::vector<std::vector<std::size_t>> ordinals_; ///< per map and share: which of the server's own it is
    struct Checked {
        std::vector<std::shared_ptr<const KnownPlan>> plans;
        std::string fault;
    };
    Checked checked_[2]; ///< fixed in time, per frame
    std::map<std::pair<int, std::int64_t>, std::unique_ptr<Window>>
        windows_; ///< by computing rank and descriptor
};

} // namespace squall::io::servers
