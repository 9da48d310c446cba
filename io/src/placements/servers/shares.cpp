#include "placements/servers/shares.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "common/box.hpp"
#include "drain/exchange.hpp"

namespace squall::io::servers {
namespace {

constexpr std::int64_t strips_per_server = 4; ///< of round-robin

std::vector<Share> slabs_of(const Layout &layout, int field, int servers, bool consecutive) {
    const auto &f = layout.staged(field);
    const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    const int along = layout.shared_along(field);
    if (along < 0 || servers == 1) return {{whole, 0}};
    const auto d = static_cast<std::size_t>(along);
    const auto strips =
        std::min<std::int64_t>(f.shape[d], consecutive ? servers : servers * strips_per_server);
    std::vector<Share> slabs;
    for (std::int64_t s = 0; s < strips; ++s) {
        Box box = whole;
        box.start[d] = f.shape[d] * s / strips;
        box.count[d] = f.shape[d] * (s + 1) / strips - box.start[d];
        slabs.push_back({box, static_cast<int>(s % servers)});
    }
    return slabs;
}

std::vector<Share> one_for_each(const FieldLayout &f, int servers) {
    std::vector<Share> all;
    for (int s = 0; s < servers; ++s) all.push_back({whole_of(f.shape), s});
    return all;
}

/// What lies beside others: each server has of it what belongs to its shares of those.
std::vector<Share> shares_beside(const Layout &layout, int field, const ShareMaps &known) {
    std::vector<Share> shares;
    std::set<std::pair<int, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>> there;
    for (const auto &fold : layout.folds)
        for (const auto *companion : {&fold.weight, &fold.mask}) {
            if (companion->received != field) continue;
            for (const auto &share : known.map(fold.received).shares()) {
                const auto box = companion->box_for(share.box);
                if (there.insert({share.writer, {box.start, box.count}}).second)
                    shares.push_back({box, share.writer});
            }
        }
    return shares;
}

/// The shares as numbers, to find equal ones.
std::vector<std::int64_t> code_of(const std::vector<Share> &shares) {
    std::vector<std::int64_t> code;
    for (const auto &s : shares) {
        code.push_back(s.writer);
        code.insert(code.end(), s.box.start.begin(), s.box.start.end());
        code.insert(code.end(), s.box.count.begin(), s.box.count.end());
    }
    return code;
}

} // namespace

ShareMap::ShareMap(std::vector<Share> shares) : shares_(std::move(shares)), by_start_(shares_.size()) {
    std::size_t most = 0;
    const auto dimensions = shares_.empty() ? 0 : shares_.front().box.start.size();
    for (std::size_t d = 0; d < dimensions; ++d) {
        std::set<std::int64_t> starts;
        for (const auto &s : shares_) starts.insert(s.box.start[d]);
        if (starts.size() <= most) continue;
        most = starts.size();
        dimension_ = d;
    }
    for (std::size_t s = 0; s < shares_.size(); ++s) by_start_[s] = s;
    if (dimensions == 0) return;
    std::ranges::stable_sort(by_start_, {},
                             [this](std::size_t s) { return shares_[s].box.start[dimension_]; });
    for (const auto s : by_start_) {
        starts_.push_back(shares_[s].box.start[dimension_]);
        longest_ = std::max(longest_, shares_[s].box.count[dimension_]);
    }
}

std::vector<std::size_t> ShareMap::touched(const Box &box) const {
    std::vector<std::size_t> numbers;
    if (volume(box) == 0) return numbers;
    auto first = by_start_.begin(), last = by_start_.end();
    if (!starts_.empty()) { // who starts too early or too late to reach the box is not looked at
        const auto begin = box.start[dimension_], end = begin + box.count[dimension_];
        first += std::ranges::upper_bound(starts_, begin - longest_) - starts_.begin();
        last = by_start_.begin() + (std::ranges::lower_bound(starts_, end) - starts_.begin());
    }
    for (; first < last; ++first)
        if (volume(intersection(box, shares_[*first].box)) > 0) numbers.push_back(*first);
    std::ranges::sort(numbers);
    return numbers;
}

std::vector<int> ShareMaps::fields_of(int map, bool frame) const {
    std::vector<int> fields;
    for (int f = 0; f < static_cast<int>(map_of.size()); ++f)
        if (map_of[f] == map && per_frame[f] == frame) fields.push_back(f);
    return fields;
}

std::shared_ptr<const ShareMaps> share_maps(const Layout &layout, int servers,
                                            const std::string &assignment) {
    auto all = std::make_shared<ShareMaps>();
    std::map<std::vector<std::int64_t>, int> known;
    const bool by_engine = layout.engine->distribution == Distribution::by_shares;
    for (int f = 0; f < layout.staged_fields(); ++f) {
        auto shares = layout.goes_to_all(f)   ? one_for_each(layout.staged(f), servers)
                      : layout.lies_beside(f) ? shares_beside(layout, f, *all)
                      : by_engine && layout.in_file(f)
                          ? layout.engine->shares(layout, f, servers)
                          : slabs_of(layout, f, servers, assignment == "consecutive");
        const auto [at, fresh] = known.try_emplace(code_of(shares), static_cast<int>(all->maps.size()));
        if (fresh) all->maps.emplace_back(std::move(shares));
        all->map_of.push_back(at->second);
        all->per_frame.push_back(layout.staged(f).field.per_frame);
    }
    return all;
}

} // namespace squall::io::servers
