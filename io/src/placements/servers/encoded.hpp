/// What a rank compresses before it sends it: the chunks of which it holds every point. A chunk that a
/// patch's edge cuts travels as points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <mpi.h>

#include "placements/servers/server_plan.hpp"
#include "publish/writer.hpp"

namespace squall::io::servers {

/// A server's plan in two: chunks, and what is left of it.
struct Split {
    struct Chunk {
        int field = 0;
        std::size_t share = 0;  ///< number in the map of the field
        Box box, around;        ///< around: the rank's box that it lies in
        std::int64_t place = 0; ///< of that in the rank's table of blocks
    };
    std::vector<Chunk> chunks;
    ServerPlan points;

    bool any() const { return !chunks.empty(); }
};

/// The same on both ends. Fields that servers make something of stay points.
Split split(const ServerPlan &plan, const Layout &layout, const Encoder &encoder);

/// Bytes of the points in the chunks of a split, as the file has them.
std::size_t bytes_of(const Split &split, const Layout &layout);

/// All chunks of a split one after the other, behind what each of them is: bytes and checksum.
/// `points`: of the rank's box at a place of its table, in the field's staged type. Returns how many bytes of
/// `room` it has filled, or 0 if there is not enough. Throws Error on a value that the field's precision
/// cannot hold.
std::size_t encode(const Split &split, const Layout &layout, Encoder &encoder,
                   const std::function<const std::byte *(std::int64_t place)> &points,
                   std::span<std::byte> room);

struct Encoded {
    std::span<const std::byte> bytes;
    std::uint64_t checksum = 0; ///< see declare/encode.hpp
};
/// Finds them again, in their order, in these bytes. Throws Error where they are not what encode() made.
std::vector<Encoded> find_encoded(const Split &split, std::span<const std::byte> bundle);

/// The messages in which so many bytes travel, and what starts them, on one end and the other.
int messages_of(std::int64_t bytes);
void send_bytes(const std::byte *bytes, std::int64_t size, int to, int tag, MPI_Comm comm,
                std::vector<MPI_Request> &requests);
void receive_bytes(std::byte *bytes, std::int64_t size, int from, int tag, MPI_Comm comm,
                   std::vector<MPI_Request> &requests);

} // namespace squall::io::servers
