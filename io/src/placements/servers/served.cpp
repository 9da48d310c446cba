#include "placements/servers/served.hpp"

#include <algorithm>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/box.hpp"
#include "drain/batches.hpp"

namespace squall::io::servers {

Window::Window(const SharedMemory &memory) : bytes_(memory.bytes) {
    const int fd = ::open(fmt::format("/proc/{}/fd/{}", memory.process, memory.descriptor).c_str(),
                          O_RDONLY | O_CLOEXEC);
    void *base =
        fd < 0 ? MAP_FAILED : mmap(nullptr, static_cast<std::size_t>(bytes_), PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0) ::close(fd);
    if (base == MAP_FAILED)
        throw Error(fmt::format("cannot map the staging memory of process {}, although it could be mapped "
                                "when the session began; set shared_memory to false",
                                memory.process));
    base_ = static_cast<const std::byte *>(base);
}

Window::~Window() { munmap(const_cast<std::byte *>(base_), static_cast<std::size_t>(bytes_)); }

const std::byte *Window::at(std::int64_t offset, std::int64_t bytes) const {
    if (offset < 0 || bytes < 0 || offset > bytes_ - bytes)
        throw Error(fmt::format("{} bytes at {} of a staging memory of {} bytes", bytes, offset, bytes_));
    return base_ + offset;
}

Served::Served(const Bytes &bytes, int me, int servers, const std::string &assignment,
               std::shared_ptr<Arena> memory)
    : layout(std::make_shared<const Layout>(unpack_spec(bytes))), declaration(hash(bytes)),
      maps(share_maps(*layout, servers, assignment)),
      pool(std::make_shared<Pool>(std::move(memory), layout->spec.staging_limit)) {
    if (layout->engine->encoder) encoder = layout->engine->encoder(*layout);
    for (const auto &map : maps->maps) {
        auto &ordinals = ordinals_.emplace_back();
        std::size_t mine = 0;
        for (const auto &share : map.shares()) ordinals.push_back(share.writer == me ? mine++ : 0);
    }
    for (int f = 0; f < layout->staged_fields(); ++f) {
        auto &list = layout->staged(f).field.per_frame ? moving_ : fixed_;
        first_.push_back(list.size());
        const auto &shares = maps->map(f).shares();
        for (std::size_t s = 0; s < shares.size(); ++s)
            if (shares[s].writer == me)
                list.push_back(
                    {f, s, shares[s].box,
                     static_cast<std::size_t>(volume(shares[s].box)) * size_of(layout->staged(f).staged)});
    }
    at_once_ = most_at_once(servers);
}

std::size_t Served::most_at_once(int servers) const {
    std::vector<std::size_t> bytes(static_cast<std::size_t>(layout->staged_fields()));
    std::size_t made = 0, beside = 0, most = 0;
    for (const auto &a : moving_) {
        bytes[static_cast<std::size_t>(a.field)] += Pool::rounded(a.bytes);
        if (layout->lies_beside(a.field)) beside += Pool::rounded(a.bytes);
    }
    const auto count = [&](const auto &one) {
        if (!one.on_servers) return;
        made += bytes[static_cast<std::size_t>(one.field)];
        most = std::max(most, beside + bytes[static_cast<std::size_t>(one.received)]);
    };
    std::ranges::for_each(layout->folds, count);
    std::ranges::for_each(layout->samples, count);
    const Batches batches(*layout, servers);
    for (const bool with_fixed : {false, true})
        for (const auto &fields : batches.of(with_fixed)) {
            std::size_t together = 0;
            for (const int f : fields) together += bytes[static_cast<std::size_t>(f)];
            most = std::max(most, together);
        }
    return made + most;
}

const std::string &Served::fault_of(const std::vector<Arrival> &arrivals, bool per_frame) {
    auto &checked = checked_[per_frame];
    std::vector<std::shared_ptr<const KnownPlan>> plans;
    for (const auto &a : arrivals)
        if (a.known) plans.push_back(a.known);
    const bool first = checked.plans.empty();
    if (first || plans != checked.plans) {
        checked.fault = find_fault(arrivals, per_frame);
        checked.plans = std::move(plans);
    }
    return checked.fault;
}

std::string Served::find_fault(const std::vector<Arrival> &arrivals, bool per_frame) const {
    const auto &list = assemblies(per_frame);
    std::vector<std::vector<Box>> parts(list.size());
    for (const auto &a : arrivals) {
        if (!a.known) continue;
        for (const auto &region : a.known->plan.regions)
            for (const int field : region.fields)
                for (const auto &part : region.parts)
                    parts[assembly_of(field, part.share)].push_back(part.box);
    }
    std::string all;
    for (std::size_t n = 0; n < list.size(); ++n) {
        if (layout->made_by_servers(list[n].field)) continue;
        for (auto &part : parts[n])
            for (std::size_t d = 0; d < part.start.size(); ++d) part.start[d] -= list[n].box.start[d];
        const bool beside = layout->lies_beside(list[n].field);
        const auto hole =
            beside ? covering_fault(parts[n], list[n].box.count) : tiling_fault(parts[n], list[n].box.count);
        if (!hole.empty())
            all += fmt::format("{}field {}, in {}: {}; every point must be put by {} one rank",
                               all.empty() ? "" : "\n", layout->staged(list[n].field).field.name,
                               text(list[n].box), hole, beside ? "at least" : "exactly");
    }
    return all;
}

const Window &Served::window(int client, const SharedMemory &memory) {
    auto &window = windows_[{client, memory.descriptor}];
    if (!window) window = std::make_unique<Window>(memory);
    return *window;
}

} // namespace squall::io::servers
