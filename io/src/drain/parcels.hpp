/// How a part of a box travels: as MPI messages straight from memory to memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <mpi.h>

#include "declare/layout.hpp"

namespace squall::io {

/// Up to so many writers send each other a field layer by layer.
constexpr int few_writers = 16;

/// What goes from one writer to another in a message.
struct Grain {
    /// Parts of a part of a field, at most: several under way at once, as MPI libraries keep only a few
    /// fragments of a message in flight, and none while nobody waits for it. Of many writers, who all send to
    /// the same one, so many are under way anyway.
    std::int64_t most = 64;
    /// Bytes that make up for the cost of a message: parts of one or of several fields are put together until
    /// they have as many. A layer of a patch is one run of memory mostly, and has 16 KiB in small domains,
    /// too: several layers in a message would go through MPI's buffers.
    std::int64_t least = 16 << 10;
};

/// The same on all of them.
constexpr Grain grain_among(int writers) {
    if (writers <= few_writers) return {};
    return {std::max(1, 1024 / writers), 256 << 10};
}

/// The boxes in which a part travels, the same on both ends: slices along its slowest dimension.
std::vector<Box> parcels(const Box &part, Type element, const Grain &grain = {});

/// Where the points of `part` lie within the contiguous points of `box`, as MPI takes it. One run of
/// memory is described as such: then libraries copy it once, from one process to the other.
class MessageType {
  public:
    MessageType(const Box &part, const Box &box, Type element);
    ~MessageType() { MPI_Type_free(&type_); } // messages under way keep it alive
    MessageType(const MessageType &) = delete;
    MessageType &operator=(const MessageType &) = delete;

    operator MPI_Datatype() const { return type_; }
    /// The address for the message, from that of the box's first point.
    void *in(void *points) const { return static_cast<std::byte *>(points) + offset_; }
    const void *in(const void *points) const { return static_cast<const std::byte *>(points) + offset_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    std::ptrdiff_t offset_ = 0; ///< bytes
};

/// A parcel, and the contiguous points of the box that it lies in.
struct PlacedParcel {
    const Box *parcel = nullptr, *box = nullptr;
    void *points = nullptr;
    Type type = Type::f32;
};

/// Parcels that travel together in one message, from or to where they lie, as MPI takes it. One of them is
/// described as such.
class MessageMemory {
  public:
    explicit MessageMemory(const std::vector<PlacedParcel> &parcels);
    ~MessageMemory() {
        if (together_ != MPI_DATATYPE_NULL) MPI_Type_free(&together_); // messages under way keep it alive
    }
    MessageMemory(const MessageMemory &) = delete;
    MessageMemory &operator=(const MessageMemory &) = delete;

    void *address() const { return address_; }
    MPI_Datatype type() const {
        return together_ == MPI_DATATYPE_NULL ? static_cast<MPI_Datatype>(parts_.front()) : together_;
    }

  private:
    std::deque<MessageType> parts_;
    void *address_ = nullptr;
    MPI_Datatype together_ = MPI_DATATYPE_NULL; ///< of several parts, whose addresses are in it
};

} // namespace squall::io
