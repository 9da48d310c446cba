#include "drain/parcels.hpp"

#include <algorithm>

#include "common/box.hpp"

namespace squall::io {
namespace {

constexpr std::int64_t most_bytes = 1 << 30; ///< in a message: MPI counts with 32 bits

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

/// Halves of a part along its slowest dimension, until each fits into a message.
void halve(const Box &part, std::int64_t element, std::vector<Box> &into) {
    const auto d = std::ranges::find_if(part.count, [](auto n) { return n > 1; }) - part.count.begin();
    if (d == std::ssize(part.count) || volume(part) <= most_bytes / element) return into.push_back(part);
    Box low = part, high = part;
    low.count[d] /= 2;
    high.count[d] -= low.count[d];
    high.start[d] += low.count[d];
    halve(low, element, into);
    halve(high, element, into);
}

void slice(const Box &part, std::int64_t element, const Grain &grain, std::vector<Box> &into) {
    const auto d = std::ranges::find_if(part.count, [](auto n) { return n > 1; }) - part.count.begin();
    if (d == std::ssize(part.count)) return into.push_back(part);
    const auto n = std::clamp(volume(part) * element / grain.least, std::int64_t(1), grain.most);
    const auto rows = part.count[d], each = (rows + n - 1) / n;
    for (std::int64_t first = 0; first < rows; first += each) {
        auto &one = into.emplace_back(part);
        one.start[d] += first;
        one.count[d] = std::min(each, rows - first);
    }
}

} // namespace

std::vector<Box> parcels(const Box &part, Type type, const Grain &grain) {
    const auto element = static_cast<std::int64_t>(size_of(type));
    std::vector<Box> large, all;
    halve(part, element, large);
    for (const auto &box : large) slice(box, element, grain, all);
    return all;
}

MessageType::MessageType(const Box &part, const Box &box, Type element) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(element));
    offset_ = offset_in(box, part.start) * size;
    if (is_one_run(part, box)) {
        MPI_Type_contiguous(static_cast<int>(volume(part)), mpi_type(element), &type_);
    } else { // runs of the last dimension, and these again and again: strides have 64 bits
        const auto strides = contiguous(box.count);
        MPI_Type_contiguous(static_cast<int>(part.count.back()), mpi_type(element), &type_);
        for (std::size_t d = part.count.size() - 1; d-- > 0;) {
            MPI_Datatype inner = type_;
            MPI_Type_create_hvector(static_cast<int>(part.count[d]), 1, strides[d] * size, inner, &type_);
            MPI_Type_free(&inner);
        }
    }
    MPI_Type_commit(&type_);
}

MessageMemory::MessageMemory(const std::vector<PlacedParcel> &parcels) {
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;
    for (const auto &p : parcels) {
        const auto &type = parts_.emplace_back(*p.parcel, *p.box, p.type);
        types.push_back(type);
        address_ = type.in(p.points);
        MPI_Get_address(address_, &addresses.emplace_back());
    }
    if (types.size() == 1) return;
    const std::vector<int> ones(types.size(), 1);
    MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), addresses.data(), types.data(),
                           &together_);
    MPI_Type_commit(&together_);
    address_ = MPI_BOTTOM;
}

} // namespace squall::io
