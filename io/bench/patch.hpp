/// A rank's part of the fields in memory.
#pragma once

#include <vector>

#include <mpi.h>

#include "contents.hpp"

namespace squall::bench {

/// How it lies in memory.
enum class Order {
    model, ///< as the model has it: i fastest, then k, then j, with a halo
    file   ///< k, j, i, contiguous
};

struct Patch {
    Patch(const Contents &contents, io::Box part, Order order);

    const float *first(int field) const { return values[field].data() + offset; }
    std::int64_t points() const { return box.count[0] * box.count[1] * box.count[2]; }

    io::Box box; ///< z, y, x
    io::Strides strides;
    std::ptrdiff_t offset = 0; ///< of the box's first point
    std::vector<std::vector<float>> values;
};

/// The part of a rank: columns of air, as the model cuts them.
io::Box part_of(const Contents &contents, MPI_Comm comm);
io::Box whole(const Contents &contents);

} // namespace squall::bench
