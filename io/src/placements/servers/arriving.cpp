#include "placements/servers/arriving.hpp"

#include <fmt/format.h>

#include "box.hpp"
#include "parcels.hpp"

namespace squall::io {

Arriving::Arriving(const Slot &slot, bool per_frame) : slot_(slot) {
    for (std::size_t f = 0; f < slot.layout.fields.size(); ++f) {
        if (slot.layout.fields[f].field.per_frame != per_frame) continue;
        for (std::size_t s = 0; s < slot.holdings[f].size(); ++s) {
            if (slot.holdings[f][s].writer != slot.server) continue;
            index_[{static_cast<int>(f), s}] = assemblies_.size();
            assemblies_.push_back({static_cast<int>(f), slot.holdings[f][s].box, {}, {}, {}});
        }
    }
}

std::size_t Arriving::bytes_of(const Assembly &a) const {
    return static_cast<std::size_t>(volume(a.box)) * size_of(slot_.layout.fields[a.field].staged);
}

void Arriving::see(const std::vector<Offer> &offers, const std::byte *base) {
    for (const auto &part : parts_for(slot_.server, offers, slot_.holdings)) {
        const auto &offer = offers[part.offer];
        auto &a = assembly(offer.field, part.share);
        a.parts.push_back(part.box);
        a.seen.push_back({part.box, offer.box, base + offer.offset});
    }
}

bool Arriving::make_room() {
    if (has_room_) return true;
    std::vector<Memory> memory;
    bool alone = slot_.pool->used() == 0;
    for (const auto &a : assemblies_) {
        const auto bytes = bytes_of(a);
        auto *block = slot_.pool->take(bytes);
        if (!block && !alone) return false; // what was taken goes back
        if (!block && fault.empty())
            fault = fmt::format(
                "a server's part of a frame needs more than staging_limit, {} bytes; raise it, or "
                "use more servers",
                slot_.pool->limit());
        // The messages must go somewhere, so that nobody waits for ever.
        memory.push_back(block ? Memory(slot_.pool, block, bytes) : Memory::on_heap(bytes));
    }
    for (std::size_t i = 0; i < memory.size(); ++i) assemblies_[i].memory = std::move(memory[i]);
    return has_room_ = true;
}

bool Arriving::expect(const std::vector<Offer> &offers, int from, int tag, MPI_Comm comm) {
    const auto parts = parts_for(slot_.server, offers, slot_.holdings);
    if (parts.empty()) return true;
    if (!make_room()) return false;
    for (const auto &part : parts) {
        auto &a = assembly(offers[part.offer].field, part.share);
        a.parts.push_back(part.box);
        const Type type = slot_.layout.fields[a.field].staged;
        for (const auto &parcel : parcels(part.box, type)) {
            const MessageType message(parcel, a.box, type);
            MPI_Irecv(message.in(a.memory.data()), 1, message, from, tag, comm, &requests_.emplace_back());
        }
    }
    return true;
}

bool Arriving::received() {
    int done = 1;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (done) requests_.clear();
    return done != 0;
}

std::string Arriving::holes() const {
    std::string all;
    for (const auto &a : assemblies_) {
        auto parts = a.parts;
        for (auto &part : parts)
            for (std::size_t d = 0; d < part.start.size(); ++d) part.start[d] -= a.box.start[d];
        const auto hole = tiling_fault(parts, a.box.count);
        if (!hole.empty())
            all += fmt::format("{}field {}, in {}: {}; every point must be put by exactly one rank",
                               all.empty() ? "" : "\n", slot_.layout.fields[a.field].field.name, text(a.box),
                               hole);
    }
    return all;
}

std::vector<std::pair<int, Box>> Arriving::boxes() const {
    std::vector<std::pair<int, Box>> all;
    for (const auto &a : assemblies_) all.emplace_back(a.field, a.box);
    return all;
}

std::vector<Block> Arriving::take(int field) {
    std::vector<Block> blocks;
    for (auto &a : assemblies_) {
        if (a.field != field) continue;
        if (a.memory.bytes() == 0) {
            auto *block = slot_.pool->take(bytes_of(a));
            a.memory = block ? Memory(slot_.pool, block, bytes_of(a)) : Memory::on_heap(bytes_of(a));
        }
        for (const auto &s : a.seen)
            copy_part(s.part, s.box, s.points, a.box, a.memory.data(), slot_.layout.fields[field].staged);
        blocks.push_back({field, a.box, std::move(a.memory)});
    }
    return blocks;
}

std::unique_ptr<StagedHere> Arriving::take_all() {
    auto all = std::make_unique<StagedHere>();
    for (const auto &a : assemblies_) {
        if (!all->blocks.empty() && all->blocks.back().field == a.field) continue;
        for (auto &block : take(a.field)) all->blocks.push_back(std::move(block));
    }
    all->seal();
    return all->copy();
}

} // namespace squall::io
