#include "placements/servers/arriving.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/encode.hpp"
#include "drain/exchange.hpp"

namespace squall::io::servers {

namespace {

/// Of what lies beside others.
std::size_t bytes_of(const Box &box) { return static_cast<std::size_t>(volume(box)) * size_of(Type::f64); }

} // namespace

Arriving::Arriving(std::shared_ptr<Served> served, bool per_frame, std::shared_ptr<Pool> pool,
                   std::vector<Arrival> arrivals)
    : served_(std::move(served)), per_frame_(per_frame), pool_(std::move(pool)),
      arrivals_(std::move(arrivals)) {
    std::erase_if(arrivals_, [](const Arrival &a) { return !a.known && a.message.messages == 0; });
    look_for_chunks();
    look_for_overlaps();
}

bool Arriving::brings_chunks(const Arrival &arrival) const {
    return per_frame_ && arrival.known && arrival.message.encoded > 0 && served_->encoder;
}

void Arriving::look_for_chunks() {
    for (std::size_t a = 0; a < arrivals_.size(); ++a)
        if (brings_chunks(arrivals_[a]))
            bundles_[a].split = split(arrivals_[a].known->plan, *served_->layout, *served_->encoder);
    if (bundles_.empty()) return;
    mixtures_.resize(served_->assemblies(per_frame_).size());
    for (std::size_t a = 0; a < arrivals_.size(); ++a) {
        if (!arrivals_[a].known) continue;
        const auto bundle = bundles_.find(a);
        const bool chunks = bundle != bundles_.end();
        for (std::size_t c = 0; chunks && c < bundle->second.split.chunks.size(); ++c) {
            const auto &chunk = bundle->second.split.chunks[c];
            mixtures_[served_->assembly_of(chunk.field, chunk.share)].chunks.emplace_back(a, c);
        }
        for (const auto &region : points_of(a).regions)
            for (const int field : region.fields)
                for (const auto &part : region.parts)
                    mixtures_[served_->assembly_of(field, part.share)].points.push_back(part.box);
    }
}

/// What of an arrival comes as points.
const ServerPlan &Arriving::points_of(std::size_t arrival) const {
    const auto bundle = bundles_.find(arrival);
    return bundle == bundles_.end() ? arrivals_[arrival].known->plan : bundle->second.split.points;
}

/// Messages must not be received into the same memory at once.
void Arriving::look_for_overlaps() {
    if (served_->layout->sent.empty()) return;     // of what is written every point comes once
    std::map<std::size_t, std::vector<Box>> there; // by assembly
    for (std::size_t a = 0; a < arrivals_.size(); ++a) {
        if (!arrivals_[a].known || arrivals_[a].message.messages == 0) continue;
        for (const auto &region : points_of(a).regions)
            for (std::size_t f = 0; f < region.fields.size(); ++f)
                for (const auto &part : region.parts) {
                    if (!served_->layout->lies_beside(region.fields[f])) continue;
                    const auto at = served_->assembly_of(region.fields[f], part.share);
                    const bool again = std::ranges::any_of(
                        there[at], [&](const Box &b) { return volume(intersection(b, part.box)) > 0; });
                    if (again)
                        asides_[{&part, f}] = {at, part.box, {}};
                    else
                        there[at].push_back(part.box);
                }
    }
}

/// They are the same there. Of a frame that nobody receives they have no memory.
void Arriving::put_asides_in_place() {
    const auto &list = served_->assemblies(per_frame_);
    for (const auto &[part, aside] : asides_)
        if (aside.memory.bytes() > 0)
            copy_part(aside.box, aside.box, aside.memory.points(), list[aside.assembly].box,
                      memory_[aside.assembly].data(), Type::f64);
    asides_.clear();
}

bool Arriving::of_chunks_alone(std::size_t assembly) const {
    return !mixtures_.empty() && !mixtures_[assembly].chunks.empty() && mixtures_[assembly].points.empty();
}

/// Whether all points are in memory of this server before any is stored: those that messages bring, and the
/// fields fixed in time, which stay.
bool Arriving::held_here() const {
    return !per_frame_ ||
           std::ranges::any_of(arrivals_, [](const Arrival &a) { return a.message.messages > 0; });
}

/// Whether an assembly is copied before it is stored: where values change on their way to every file, or to
/// lie beside compressed chunks; where others are made of points of which messages bring some.
bool Arriving::is_copied(std::size_t assembly) const {
    const auto &layout = *served_->layout;
    const int field = served_->assemblies(per_frame_)[assembly].field;
    const bool beside_chunks = !mixtures_.empty() && !mixtures_[assembly].chunks.empty();
    if (encodes(layout.staged(field)) && (!per_frame_ || beside_chunks)) return true;
    const bool source = layout.in_file(field) && std::ranges::any_of(layout.folds, [&](const Fold &f) {
                            return f.on_servers && f.received == field;
                        });
    return source && std::ranges::any_of(arrivals_, [](const Arrival &a) { return a.message.messages == 0; });
}

/// Bytes of the pool that the frame takes.
std::size_t Arriving::room_needed() const {
    if (!held_here()) return served_->at_once();
    const auto &list = served_->assemblies(per_frame_);
    std::size_t needed = 0;
    for (std::size_t n = 0; n < list.size(); ++n)
        if (!of_chunks_alone(n)) needed += Pool::rounded(list[n].bytes) * (is_copied(n) ? 2 : 1);
    for (const auto &[a, bundle] : bundles_)
        needed += Pool::rounded(static_cast<std::size_t>(arrivals_[a].message.encoded));
    for (const auto &[part, aside] : asides_) needed += Pool::rounded(bytes_of(aside.box));
    return needed;
}

/// What is wrong where the limit does not hold as much.
std::string Arriving::too_much(std::size_t needed) const {
    const auto kept = pool_->arena().pinned();
    return fmt::format("a server's part of {} needs {} bytes{}{}, more than staging_limit, {} bytes; raise "
                       "it, or use more servers{}",
                       per_frame_ ? "a frame" : "the fields fixed in time", needed,
                       bundles_.empty() ? "" : " with chunks that computing ranks have compressed",
                       kept > 0 ? fmt::format(" in addition to {} of fields fixed in time", kept) : "",
                       pool_->limit(), bundles_.empty() ? "" : ", or set option encode = \"servers\"");
}

bool Arriving::make_room() {
    const auto needed = room_needed();
    if (pool_->hopeless(needed)) {
        fault = too_much(needed);
        return true;
    }
    if (!held_here()) {
        for_copies_ = Reserve::of(pool_, needed);
        return for_copies_ != nullptr;
    }
    const auto &list = served_->assemblies(per_frame_);
    std::vector<Memory> memory(list.size());
    std::map<std::size_t, Memory> compressed;
    std::vector<Memory> beside; // of the asides, in their order
    const auto take = [&](Memory &to, std::size_t bytes) {
        auto *block = pool_->take(bytes);
        if (block) to = Memory(pool_, block, bytes);
        return block != nullptr;
    };
    try { // what was taken goes back where there is not room for all
        for (std::size_t n = 0; n < list.size(); ++n) {
            if (of_chunks_alone(n)) continue;
            if (!take(memory[n], list[n].bytes)) return false;
            if (!is_copied(n)) continue;
            auto room = Reserve::of(pool_, list[n].bytes);
            if (!room) return false;
            memory[n].keep_room(std::move(room));
        }
        for (const auto &[a, bundle] : bundles_)
            if (!take(compressed[a], static_cast<std::size_t>(arrivals_[a].message.encoded))) return false;
        for (const auto &[part, aside] : asides_)
            if (!take(beside.emplace_back(), bytes_of(aside.box))) return false;
    } catch (const std::bad_alloc &) {
        fault = "a server runs out of memory for its part of a frame; use more servers, or set a smaller "
                "staging_limit";
        return true;
    }
    memory_ = std::move(memory);
    for (auto &[a, bundle] : bundles_) bundle.memory = std::move(compressed[a]);
    auto room = beside.begin();
    for (auto &[part, aside] : asides_) aside.memory = std::move(*room++);
    return true;
}

void Arriving::receive(const std::vector<int> &client_ranks, MPI_Comm comm) {
    const auto &list = served_->assemblies(per_frame_);
    for (std::size_t n = 0; n < arrivals_.size(); ++n) {
        const auto &a = arrivals_[n];
        const auto bundle = bundles_.find(n);
        const bool chunks = bundle != bundles_.end();
        auto &seen = seen_.emplace_back();
        ends_.push_back(requests_.size());
        if (a.message.messages == 0) {
            seen = {&served_->window(a.client, a.known->points), &served_->window(a.client, a.known->tables)};
            continue;
        }
        const int from = client_ranks[static_cast<std::size_t>(a.client)];
        receive_points(
            points_of(n), *served_->layout,
            [&](const Region &region, std::size_t f, const Part &part) -> Place {
                const auto aside = asides_.find({&part, f});
                if (aside != asides_.end()) return {&aside->second.box, aside->second.memory.data()};
                const auto at = served_->assembly_of(region.fields[f], part.share);
                return {&list[at].box, memory_[at].data()};
            },
            from, a.message.tag, comm, requests_);
        if (chunks)
            receive_bytes(bundle->second.memory.data(), a.message.encoded, from, a.message.tag, comm,
                          requests_);
        ends_.back() = requests_.size();
    }
}

bool Arriving::received() {
    int done = 1;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (done) {
        requests_.clear();
        put_asides_in_place();
    }
    return done != 0;
}

/// Messages that have not come, per arrival.
std::vector<std::size_t> Arriving::count_to_come() const {
    std::vector<std::size_t> all(ends_.size());
    std::size_t request = 0;
    for (std::size_t a = 0; a < ends_.size(); ++a)
        for (; request < ends_[a]; ++request) {
            int done = 0;
            MPI_Request_get_status(requests_[request], &done, MPI_STATUS_IGNORE);
            all[a] += !done;
        }
    return all;
}

std::string Arriving::overdue(double now, double deadline) {
    const auto lacking = count_to_come();
    const auto n = std::accumulate(lacking.begin(), lacking.end(), std::size_t(0));
    if (n != std::exchange(to_come_, n)) came_ = now;
    if (n == 0 || now - came_ <= deadline) return "";
    std::vector<int> silent;
    for (std::size_t a = 0; a < lacking.size(); ++a)
        if (lacking[a] > 0) silent.push_back(arrivals_[a].client);
    return fmt::format("points from computing rank{} {} have not arrived for {:.0f} s, longer than timeout; "
                       "see what {} doing",
                       silent.size() > 1 ? "s" : "", fmt::join(silent, ", "), now - came_,
                       silent.size() > 1 ? "these ranks are" : "that rank is");
}

void Arriving::give_up(const std::vector<int> &client_ranks, Refuse &refuse) {
    std::vector<MPI_Request> begun;
    std::size_t request = 0;
    for (std::size_t a = 0; a < ends_.size(); ++a) {
        int never_came = 0;
        for (; request < ends_[a]; ++request) {
            auto &r = requests_[request];
            int done = 0, cancelled = 0;
            MPI_Status status;
            MPI_Test(&r, &done, MPI_STATUS_IGNORE); // one that is null is done
            if (done) continue;
            MPI_Cancel(&r);
            MPI_Test(&r, &done, &status);
            if (done)
                MPI_Test_cancelled(&status, &cancelled);
            else
                begun.push_back(r);
            never_came += cancelled;
        }
        refuse.expect(client_ranks[static_cast<std::size_t>(arrivals_[a].client)], arrivals_[a].message.tag,
                      never_came);
    }
    requests_.clear();
    for (auto &[arrival, bundle] : bundles_) memory_.push_back(std::move(bundle.memory));
    for (auto &[part, aside] : asides_) memory_.push_back(std::move(aside.memory));
    bundles_.clear();
    asides_.clear();
    if (!begun.empty()) refuse.keep(std::move(begun), std::move(memory_));
    memory_.clear();
}

std::vector<std::pair<int, Box>> Arriving::boxes() const {
    std::vector<std::pair<int, Box>> all;
    for (const auto &a : served_->assemblies(per_frame_)) all.emplace_back(a.field, a.box);
    return all;
}

/// For what is copied from memory of ranks of this node.
Memory Arriving::copied_memory(std::size_t bytes) const {
    auto memory = Memory::out_of(for_copies_, bytes);
    if (memory.bytes() != bytes)
        throw Error(fmt::format(
            "the room reserved for {} contiguous bytes is used up; this is a bug in Squall, please report it",
            served_->at_once()));
    return memory;
}

std::vector<Block> Arriving::take(int field) {
    auto blocks = blocks_of(field, [this](std::size_t assembly) { return std::move(memory_[assembly]); });
    const auto &list = served_->assemblies(per_frame_);
    const auto first =
        static_cast<std::size_t>(std::ranges::lower_bound(list, field, {}, &Assembly::field) - list.begin());
    for (std::size_t n = 0; n < blocks.size() && !mixtures_.empty(); ++n) add_encoded(blocks[n], first + n);
    return blocks;
}

std::vector<Block> Arriving::look(int field) const {
    return blocks_of(field, [this](std::size_t assembly) { return memory_[assembly].share(); });
}

/// `received`: the memory of an assembly, if this server has some for all of the frame. To this comes what is
/// in the memory of ranks of this node.
template <class F> std::vector<Block> Arriving::blocks_of(int field, F received) const {
    const auto &list = served_->assemblies(per_frame_);
    const auto begin = std::ranges::lower_bound(list, field, {}, &Assembly::field);
    const auto end = std::ranges::upper_bound(list, field, {}, &Assembly::field);
    const auto first = static_cast<std::size_t>(begin - list.begin());
    std::vector<Block> blocks;
    for (std::size_t n = first; n < static_cast<std::size_t>(end - list.begin()); ++n)
        blocks.push_back({field, list[n].box, memory_.empty() ? copied_memory(list[n].bytes) : received(n)});
    for (std::size_t a = 0; a < arrivals_.size(); ++a)
        if (arrivals_[a].message.messages == 0) copy_seen(a, field, blocks, first);
    still_valid();
    return blocks;
}

/// Adds the chunks that came compressed, and says where the other points are.
void Arriving::add_encoded(Block &block, std::size_t assembly) {
    for (const auto &[a, c] : mixtures_[assembly].chunks) {
        const auto &bundle = bundles_.at(a);
        auto &all = encoded_[a];
        if (all.empty()) all = find_encoded(bundle.split, {bundle.memory.points(), bundle.memory.bytes()});
        block.encoded.push_back({bundle.split.chunks[c].box, all[c].bytes});
        block.encoded_sum += all[c].checksum;
    }
    std::ranges::sort(block.encoded, {}, [](const EncodedChunk &e) { return e.box.start; });
    block.rest = mixtures_[assembly].points;
}

/// Copies what a rank of this node has of a field. `first`: the number of the first block's assembly.
void Arriving::copy_seen(std::size_t arrival, int field, std::vector<Block> &blocks,
                         std::size_t first) const {
    const auto &known = *arrivals_[arrival].known;
    const auto table = arrivals_[arrival].message.table;
    const Type type = served_->layout->staged(field).staged;
    for (const auto &region : known.plan.regions) {
        const auto [from, to] = std::equal_range(region.fields.begin(), region.fields.end(), field);
        for (auto f = from; f != to; ++f) {
            const auto place = region.first + (f - region.fields.begin());
            constexpr std::int64_t entry = sizeof(std::int64_t);
            std::int64_t offset = 0;
            std::memcpy(&offset, seen_[arrival].tables->at(table + entry * place, entry), sizeof offset);
            const auto bytes = volume(region.box) * static_cast<std::int64_t>(size_of(type));
            const auto *points = seen_[arrival].points->at(offset, bytes);
            for (const auto &part : region.parts) {
                auto &block = blocks[served_->assembly_of(field, part.share) - first];
                copy_part(part.box, region.box, points, block.box, block.memory.data(), type);
            }
        }
    }
}

std::unique_ptr<StagedHere> Arriving::take_all() {
    auto all = std::make_unique<StagedHere>();
    int last = -1;
    for (const auto &a : served_->assemblies(per_frame_)) {
        if (a.field == last) continue;
        last = a.field;
        for (auto &block : take(a.field)) all->blocks.push_back(std::move(block));
    }
    for (auto &block : all->blocks) block.memory.pin(); // until the stream is closed
    all->seal();
    return all;
}

} // namespace squall::io::servers
