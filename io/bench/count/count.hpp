/// What making fields where they lie sends, on any number of ranks: counted with the runtime's own code, in
/// one process and without sending anything.
#pragma once

#include <cstdint>
#include <vector>

namespace squall::bench {

/// A domain cut into px x py patches, and what is made of each of its fields (of 4 bytes a point) in a frame.
struct Diagnostics {
    std::int64_t nx = 0, ny = 0, nz = 0;
    int px = 1, py = 1;
    int fields = 1;
    int stations = 0;    ///< at which all levels of all fields are sampled
    bool zonal = false;  ///< means of all fields over x
    bool domain = false; ///< means of all fields over the domain
};

/// What a rank sends to the one above it in the tree.
struct Message {
    int from = 0, to = 0;
    std::int64_t bytes = 0;
};

/// Of one frame.
struct Sent {
    std::vector<Message> each;
    std::int64_t messages = 0, bytes = 0;
    std::int64_t largest = 0;       ///< message, in bytes
    std::int64_t heard = 0;         ///< bytes that a rank hears at most
    std::int64_t gathered = 0;      ///< bytes that rank 0 hears where whole fields are gathered
    std::int64_t left_at_first = 0; ///< results that were not complete in the end: none
};
Sent count(const Diagnostics &what);

/// Where the n-th of the stations lies: between cells, anywhere in the domain [cells].
struct Station {
    double x = 0, y = 0;
};
Station station(const Diagnostics &what, int n);

/// Patches as near to squares as can be.
void choose_patches(Diagnostics &what, int ranks);

} // namespace squall::bench
