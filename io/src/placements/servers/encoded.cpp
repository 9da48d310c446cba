#include "placements/servers/encoded.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/encode.hpp"

namespace squall::io::servers {
namespace {

constexpr std::int64_t most_bytes = 1 << 30; ///< in a message: MPI counts with 32 bits

/// Whether servers need a field's points for the file alone.
bool goes_into_the_file(const Layout &layout, int field) {
    return layout.in_file(field) && !layout.made_by_servers(field) &&
           std::ranges::none_of(layout.folds,
                                [&](const Fold &fold) { return fold.on_servers && fold.received == field; });
}

/// The box that chunks make up together, in the order of their starts.
Box all_of(const std::vector<Box> &chunks) {
    auto box = chunks.front();
    const auto &last = chunks.back();
    for (std::size_t d = 0; d < box.start.size(); ++d)
        box.count[d] = last.start[d] + last.count[d] - box.start[d];
    return box;
}

/// Moves the whole chunks of a field's parts from `region` to `chunks`.
void take_chunks(Region &region, const Encoder &encoder, std::vector<Split::Chunk> &chunks) {
    const int field = region.fields.front();
    std::vector<Part> rest;
    for (const auto &part : region.parts) {
        const auto whole = encoder.whole_in(field, part.box);
        for (const auto &box : whole) chunks.push_back({field, part.share, box, region.box, region.first});
        if (whole.empty())
            rest.push_back(part);
        else
            for (auto &box : around(part.box, all_of(whole))) rest.push_back({part.share, std::move(box)});
    }
    region.parts = std::move(rest);
}

/// What stands before the bytes of the chunks, for each of them.
struct Entry {
    std::uint64_t bytes, checksum;
};

/// Calls start(from, bytes) for each message.
template <class Start> void for_each_message(std::int64_t size, Start start) {
    for (std::int64_t at = 0; at < size; at += most_bytes)
        start(at, static_cast<int>(std::min(most_bytes, size - at)));
}

} // namespace

Split split(const ServerPlan &plan, const Layout &layout, const Encoder &encoder) {
    Split two;
    for (const auto &region : plan.regions)
        for (std::size_t f = 0; f < region.fields.size(); ++f) {
            auto one = region;
            one.fields = {region.fields[f]};
            one.first = region.first + static_cast<std::int64_t>(f);
            if (goes_into_the_file(layout, region.fields[f])) take_chunks(one, encoder, two.chunks);
            if (!one.parts.empty()) two.points.regions.push_back(std::move(one));
        }
    return two;
}

std::size_t bytes_of(const Split &split, const Layout &layout) {
    std::size_t bytes = 0;
    for (const auto &c : split.chunks)
        bytes += static_cast<std::size_t>(volume(c.box)) *
                 size_of(layout.fields[static_cast<std::size_t>(c.field)].field.type);
    return bytes;
}

std::size_t encode(const Split &split, const Layout &layout, Encoder &encoder,
                   const std::function<const std::byte *(std::int64_t place)> &points,
                   std::span<std::byte> room) {
    auto filled = split.chunks.size() * sizeof(Entry);
    if (filled > room.size()) return 0;
    auto *entry = room.data();
    std::vector<std::byte> chunk, bytes;
    for (const auto &c : split.chunks) {
        const auto &f = layout.fields[static_cast<std::size_t>(c.field)];
        chunk.resize(static_cast<std::size_t>(volume(c.box)) * size_of(f.staged));
        copy_part(c.box, c.around, points(c.place), c.box, chunk.data(), f.staged);
        if (encodes(f)) io::encode(f, chunk.data(), volume(c.box));
        bytes.clear();
        encoder.encode(c.field, c.box, chunk.data(), bytes);
        if (bytes.size() > room.size() - filled) return 0;
        const Entry what{bytes.size(), checksum(c.box, f.shape, chunk.data(), f.field.type)};
        std::memcpy(entry, &what, sizeof what);
        entry += sizeof what;
        std::ranges::copy(bytes, room.begin() + static_cast<std::ptrdiff_t>(filled));
        filled += bytes.size();
    }
    return filled;
}

std::vector<Encoded> find_encoded(const Split &split, std::span<const std::byte> bundle) {
    const auto n = split.chunks.size();
    std::vector<Encoded> all;
    if (bundle.size() / sizeof(Entry) >= n) {
        auto rest = bundle.subspan(n * sizeof(Entry));
        for (std::size_t c = 0; c < n; ++c) {
            Entry entry{};
            std::memcpy(&entry, bundle.data() + c * sizeof entry, sizeof entry);
            if (entry.bytes > rest.size()) break;
            all.push_back({rest.first(entry.bytes), entry.checksum});
            rest = rest.subspan(entry.bytes);
        }
        if (all.size() == n && rest.empty()) return all;
    }
    throw Error(fmt::format("{} bytes from a computing rank are not the {} chunks that it announced; do all "
                            "ranks run the same build?",
                            bundle.size(), n));
}

int messages_of(std::int64_t bytes) {
    int n = 0;
    for_each_message(bytes, [&](std::int64_t, int) { ++n; });
    return n;
}

void send_bytes(const std::byte *bytes, std::int64_t size, int to, int tag, MPI_Comm comm,
                std::vector<MPI_Request> &requests) {
    for_each_message(size, [&](std::int64_t at, int n) {
        MPI_Isend(bytes + at, n, MPI_BYTE, to, tag, comm, &requests.emplace_back());
    });
}

void receive_bytes(std::byte *bytes, std::int64_t size, int from, int tag, MPI_Comm comm,
                   std::vector<MPI_Request> &requests) {
    for_each_message(size, [&](std::int64_t at, int n) {
        MPI_Irecv(bytes + at, n, MPI_BYTE, from, tag, comm, &requests.emplace_back());
    });
}

} // namespace squall::io::servers
