#include "parcels.hpp"

#include <algorithm>

#include "box.hpp"

namespace squall::io {
namespace {

constexpr std::int64_t least_bytes = 64 << 10; ///< in a message
constexpr std::int64_t most_messages = 64;     ///< for a part

MPI_Datatype mpi_type(Type element) {
    switch (size_of(element)) {
    case 1:
        return MPI_INT8_T;
    case 2:
        return MPI_INT16_T;
    case 4:
        return MPI_INT32_T;
    default:
        return MPI_INT64_T;
    }
}

/// Whether the part is one run in the memory of the box: after the first dimension that has several
/// points, it takes all.
bool is_one_run(const Box &part, const Box &box) {
    std::size_t d = 0;
    while (d < part.count.size() && part.count[d] == 1) ++d;
    for (++d; d < part.count.size(); ++d)
        if (part.count[d] != box.count[d]) return false;
    return true;
}

} // namespace

std::vector<Box> parcels(const Box &part, Type element) {
    const auto bytes = volume(part) * static_cast<std::int64_t>(size_of(element));
    const auto d = std::ranges::find_if(part.count, [](auto n) { return n > 1; }) - part.count.begin();
    if (d == std::ssize(part.count)) return {part};
    const auto rows = part.count[d], n = std::clamp(bytes / least_bytes, std::int64_t(1), most_messages);
    std::vector<Box> all;
    for (std::int64_t first = 0; first < rows; first += all.back().count[d]) {
        auto slice = part;
        slice.start[d] += first;
        slice.count[d] = std::min((rows + n - 1) / n, rows - first);
        all.push_back(std::move(slice));
    }
    return all;
}

MessageType::MessageType(const Box &part, const Box &box, Type element) {
    if (is_one_run(part, box)) {
        MPI_Type_contiguous(static_cast<int>(volume(part)), mpi_type(element), &type_);
        offset_ = offset_in(box, part.start) * static_cast<std::ptrdiff_t>(size_of(element));
    } else {
        std::vector<int> sizes, counts, starts;
        for (std::size_t d = 0; d < box.start.size(); ++d) {
            sizes.push_back(static_cast<int>(box.count[d]));
            counts.push_back(static_cast<int>(part.count[d]));
            starts.push_back(static_cast<int>(part.start[d] - box.start[d]));
        }
        MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), counts.data(), starts.data(),
                                 MPI_ORDER_C, mpi_type(element), &type_);
    }
    MPI_Type_commit(&type_);
}

} // namespace squall::io
