#include "placements/manifest.hpp"

#include <numeric>

#include <fmt/format.h>

#include "box.hpp"

namespace squall::io {
namespace {

/// A rank's stage as numbers: length of its fault, the fault's characters, then for each block
/// the field, starts and counts.
std::vector<std::int64_t> encode(const Stage &stage) {
    std::vector<std::int64_t> code{static_cast<std::int64_t>(stage.fault().size())};
    code.insert(code.end(), stage.fault().begin(), stage.fault().end());
    for (const auto &block : stage.blocks()) {
        code.push_back(block.field);
        code.insert(code.end(), block.box.start.begin(), block.box.start.end());
        code.insert(code.end(), block.box.count.begin(), block.box.count.end());
    }
    return code;
}

void decode(const std::int64_t *at, const std::int64_t *end, int rank, const Layout &layout,
            Manifest &manifest) {
    const auto fault_length = *at++;
    if (fault_length > 0)
        manifest.fault += fmt::format("rank {}: {}\n", rank, std::string(at, at + fault_length));
    at += fault_length;
    while (at < end) {
        const auto field = static_cast<std::size_t>(*at++);
        const auto n = layout.fields[field].shape.size();
        Piece piece{rank, {{at, at + n}, {at + n, at + 2 * n}}};
        at += 2 * n;
        manifest.pieces[field].push_back(std::move(piece));
    }
}

} // namespace

Manifest gather_manifest(const Layout &layout, const Stage &stage, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const auto code = encode(stage);
    const int size = static_cast<int>(code.size());
    std::vector<int> sizes(ranks), offsets(ranks + 1);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm);
    std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1);
    std::vector<std::int64_t> all(rank == 0 ? offsets.back() : 0);
    MPI_Gatherv(code.data(), size, MPI_INT64_T, all.data(), sizes.data(), offsets.data(), MPI_INT64_T, 0,
                comm);

    Manifest manifest{std::vector<std::vector<Piece>>(layout.fields.size()), ""};
    if (rank == 0)
        for (int r = 0; r < ranks; ++r)
            decode(&all[offsets[r]], all.data() + offsets[r + 1], r, layout, manifest);
    return manifest;
}

void check_tiling(Manifest &manifest, const Layout &layout, bool per_frame) {
    for (std::size_t f = 0; f < layout.fields.size(); ++f) {
        if (layout.fields[f].field.per_frame != per_frame) continue;
        std::vector<Box> boxes;
        for (const auto &piece : manifest.pieces[f]) boxes.push_back(piece.box);
        const auto fault = tiling_fault(boxes, layout.fields[f].shape);
        if (!fault.empty())
            manifest.fault += fmt::format("field {}: {}; every point must be put by exactly one rank\n",
                                          layout.fields[f].field.name, fault);
    }
}

void agree(const std::string &fault, MPI_Comm comm) {
    int length = static_cast<int>(fault.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    if (length == 0) return;
    std::string text = fault;
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
    throw Error(text);
}

} // namespace squall::io
