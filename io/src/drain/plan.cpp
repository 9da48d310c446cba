#include "drain/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/box.hpp"

namespace squall::io {
namespace {

using Words = std::vector<std::int64_t>;

/// Parts of the writer's boxes in the shares, in the order of boxes, then of shares.
struct Part {
    std::size_t box, share;
    Box common;
};

std::vector<Part> parts_of(const std::vector<Box> &boxes, const Shares &shares) {
    std::vector<Part> parts;
    for (std::size_t b = 0; b < boxes.size(); ++b)
        for (std::size_t s = 0; s < shares.size(); ++s) {
            auto common = intersection(boxes[b], shares[s].box);
            if (volume(common) > 0) parts.push_back({b, s, std::move(common)});
        }
    return parts;
}

/// Rows dealt to the writers, each of whom sees to it that nothing of his is missing: as far as this writer
/// has to do with them.
Shares watches(const Layout &layout, int field, int writer, int writers, const std::vector<Box> &boxes) {
    const auto &shape = layout.fields[field].shape;
    const auto whole = whole_of(shape);
    if (shape.empty()) return {{whole, field % writers}};
    const auto d = shape.size() < 2 ? 0 : shape.size() - 2;
    const auto n = std::min<std::int64_t>(shape[d], writers);
    const auto first = n < writers ? field : 0; // fields of few rows begin at different writers
    std::set<std::int64_t> numbers;
    if (const auto own = ((writer - first) % writers + writers) % writers; own < n) numbers.insert(own);
    for (const auto &box : boxes) // watch w has the rows from shape * w / n on
        for (auto w = box.start[d] * n / shape[d]; w < n && shape[d] * w / n < box.start[d] + box.count[d];
             ++w)
            numbers.insert(w);
    Shares rows;
    for (const auto w : numbers) {
        auto box = whole;
        box.start[d] = shape[d] * w / n;
        box.count[d] = shape[d] * (w + 1) / n - box.start[d];
        rows.push_back({std::move(box), static_cast<int>((w + first) % writers)});
    }
    return rows;
}

/// Who must have what of a field, or, where the engine takes what comes, who watches over it.
Shares shares_of(const Layout &layout, int field, int writer, int writers, const std::vector<Box> &boxes) {
    switch (layout.engine->distribution) {
    case Distribution::to_first:
        return {{whole_of(layout.fields[field].shape), 0}};
    case Distribution::by_shares:
        return layout.engine->shares(layout, field, writers);
    case Distribution::as_it_lies:
        break;
    }
    return watches(layout, field, writer, writers, boxes);
}

std::vector<Box> boxes_of(const Shares &shares, int writer) {
    std::vector<Box> boxes;
    for (const auto &s : shares)
        if (s.writer == writer) boxes.push_back(s.box);
    return boxes;
}

void append(Words &words, const Box &box) {
    words.insert(words.end(), box.start.begin(), box.start.end());
    words.insert(words.end(), box.count.begin(), box.count.end());
}

/// Before it is known what comes from others.
bool alike(const Plan &a, const Plan &b) {
    const auto same = [](const std::vector<Leg> &x, const std::vector<Leg> &y) {
        return std::ranges::equal(x, y, [](const Leg &p, const Leg &q) {
            return p.writer == q.writer && p.from == q.from && p.to == q.to && p.part == q.part;
        });
    };
    return a.from == b.from && a.to == b.to && same(a.sends, b.sends) && same(a.stays, b.stays);
}

} // namespace

/// How many dimensions, boxes and fields; the fields; the boxes.
void Planner::Notice::append_to(Words &words) const {
    const auto dimensions = boxes.front().start.size();
    for (const auto n : {dimensions, boxes.size(), fields.size()})
        words.push_back(static_cast<std::int64_t>(n));
    words.insert(words.end(), fields.begin(), fields.end());
    for (const auto &box : boxes) append(words, box);
}

Planner::Notice Planner::Notice::read(Words::const_iterator &at) {
    const auto dimensions = *at++, count = *at++, number = *at++;
    Notice notice;
    for (std::int64_t f = 0; f < number; ++f) notice.fields.push_back(static_cast<int>(*at++));
    for (std::int64_t b = 0; b < count; ++b) {
        notice.boxes.push_back({{at, at + dimensions}, {at + dimensions, at + 2 * dimensions}});
        at += 2 * dimensions;
    }
    return notice;
}

Planner::Planner(const Layout &layout, bool per_frame, int writer, int writers,
                 const std::vector<std::pair<int, Box>> &boxes)
    : layout_(layout), per_frame_(per_frame), writer_(writer), writers_(writers), mine_(layout.fields.size()),
      holders_(layout.fields.size()), plans_(layout.fields.size()) {
    for (const auto &[field, box] : boxes)
        if (volume(box) > 0) mine_[field].push_back(box);
    for (int f = 0; f < std::ssize(layout_.fields); ++f)
        if (concerned(f)) look_out(f);
}

/// What of this writer's goes where.
void Planner::look_out(int field) {
    const auto shares = shares_of(layout_, field, writer_, writers_, mine_[field]);
    Plan plan{mine_[field], boxes_of(shares, writer_), {}, {}, {}};
    std::vector<std::size_t> place(shares.size()); // index among the boxes of its writer
    std::size_t n = 0;
    for (std::size_t s = 0; s < shares.size(); ++s)
        if (shares[s].writer == writer_) place[s] = n++;
    std::map<int, std::vector<Box>> told; // whole boxes: the other end cuts them in the same order
    const std::size_t none = mine_[field].size();
    std::map<int, std::size_t> last_told;
    for (auto &part : parts_of(mine_[field], shares)) {
        const int to = shares[part.share].writer;
        const auto at = last_told.try_emplace(to, none).first;
        if (at->second != part.box) told[to].push_back(mine_[field][part.box]);
        at->second = part.box;
        if (to == writer_)
            plan.stays.push_back({to, part.box, place[part.share], std::move(part.common)});
        else
            plan.sends.push_back({to, part.box, 0, std::move(part.common)});
    }
    for (auto &[to, boxes] : told) {
        auto &notices = notices_[to];
        if (!notices.empty() && notices.back().boxes == boxes)
            notices.back().fields.push_back(field);
        else
            notices.push_back({{field}, std::move(boxes)});
    }
    plans_[field] = std::make_shared<Plan>(std::move(plan));
}

std::vector<RankGroup::Packet> Planner::packets() {
    std::vector<RankGroup::Packet> all;
    for (const auto &[to, notices] : notices_) {
        auto &packet = all.emplace_back(RankGroup::Packet{to, {}});
        for (const auto &notice : notices) notice.append_to(packet.words);
    }
    notices_.clear();
    return all;
}

std::string Planner::hear(const std::vector<RankGroup::Packet> &packets) {
    for (const auto &packet : packets)
        for (auto at = packet.words.begin(); at != packet.words.end();) {
            const auto notice = Notice::read(at);
            for (const int f : notice.fields) holders_[f].push_back({packet.writer, notice.boxes});
        }
    std::string faults;
    for (int f = 0; f < std::ssize(layout_.fields); ++f) {
        if (!concerned(f)) continue;
        const auto hole = complete(f);
        if (!hole.empty())
            faults += fmt::format("{}field {}{}; every point must be put by exactly one rank",
                                  faults.empty() ? "" : "\n", layout_.fields[f].field.name, hole);
    }
    return faults;
}

/// What comes from others, and whether it makes up this writer's shares. A field that is cut up like the one
/// before shares its plan. Returns what is missing.
std::string Planner::complete(int field) {
    auto &plan = *std::const_pointer_cast<Plan>(plans_[field]);
    if (previous_ && holders_[field] == holders_[previous_field_] && alike(plan, *previous_)) {
        plans_[field] = previous_;
        return previous_hole_;
    }
    for (const auto &holder : holders_[field]) {
        if (holder.writer == writer_) continue;
        for (const auto &box : holder.boxes)
            for (std::size_t s = 0; s < plan.to.size(); ++s) {
                auto common = intersection(box, plan.to[s]);
                if (volume(common) > 0) plan.receives.push_back({holder.writer, 0, s, std::move(common)});
            }
    }
    previous_ = plans_[field];
    previous_field_ = field;
    return previous_hole_ = hole_in(field, plan.to);
}

std::string Planner::hole_in(int field, const std::vector<Box> &shares) const {
    for (const auto &share : shares) {
        std::vector<Box> parts;
        for (const auto &holder : holders_[field])
            for (const auto &box : holder.boxes) parts.push_back(intersection(box, share));
        const auto hole = tiling_fault_in(share, parts);
        if (hole.empty()) continue;
        const bool all = share.count == layout_.fields[field].shape;
        return all ? ": " + hole : fmt::format(", in {}: {}", text(share), hole);
    }
    return "";
}

Plan plan_between(const Shares &from, const Shares &to, int writer) {
    Plan plan{boxes_of(from, writer), boxes_of(to, writer), {}, {}, {}};
    std::map<int, std::size_t> of_from, of_to; // counted among the boxes of each writer
    std::vector<std::size_t> place(to.size());
    for (std::size_t b = 0; b < to.size(); ++b) place[b] = of_to[to[b].writer]++;
    for (const auto &a : from) {
        const auto number = of_from[a.writer]++;
        for (std::size_t b = 0; b < to.size(); ++b) {
            if (a.writer != writer && to[b].writer != writer) continue;
            auto part = intersection(a.box, to[b].box);
            if (volume(part) == 0) continue;
            if (a.writer == to[b].writer)
                plan.stays.push_back({writer, number, place[b], std::move(part)});
            else if (a.writer == writer)
                plan.sends.push_back({to[b].writer, number, 0, std::move(part)});
            else
                plan.receives.push_back({a.writer, 0, place[b], std::move(part)});
        }
    }
    return plan;
}

void make_plans(const RankGroup &group, const Layout &layout, bool per_frame,
                const std::vector<std::pair<int, Box>> &boxes,
                std::vector<std::shared_ptr<const Plan>> &plans) {
    Planner planner(layout, per_frame, group.rank(), group.size(), boxes);
    group.agree(planner.hear(group.exchange(planner.packets())));
    plans.resize(layout.fields.size());
    if (layout.engine->distribution == Distribution::as_it_lies) return;
    for (int f = 0; f < std::ssize(layout.fields); ++f)
        if (planner.concerned(f)) plans[f] = planner.plan(f);
}

} // namespace squall::io
