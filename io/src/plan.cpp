#include "plan.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "box.hpp"

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

/// Who must have what of a field, or, where the engine takes what comes, who sees to it that nothing of
/// it is missing: rows dealt to the writers.
Shares shares_of(const Layout &layout, int field, int writers) {
    const auto &shape = layout.fields[field].shape;
    const auto whole = whole_of(shape);
    if (layout.engine->holding == Holding::first) return {{whole, 0}};
    if (layout.engine->holding == Holding::shares) return layout.engine->shares(layout, field, writers);
    if (shape.empty()) return {{whole, field % writers}};
    const auto d = shape.size() < 2 ? 0 : shape.size() - 2;
    const auto n = std::min<std::int64_t>(shape[d], writers);
    Shares rows;
    for (std::int64_t r = 0; r < n; ++r) {
        auto box = whole;
        box.start[d] = shape[d] * r / n;
        box.count[d] = shape[d] * (r + 1) / n - box.start[d];
        rows.push_back({std::move(box), static_cast<int>((r + (n < writers ? field : 0)) % writers)});
    }
    return rows;
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

/// This writer's boxes of a field that another one must know: those that reach into its shares.
struct Notice {
    std::vector<int> fields;
    std::vector<Box> boxes;
};

/// How many dimensions, boxes and fields; the fields; the boxes.
void append(Words &words, const Notice &notice) {
    const auto dimensions = notice.boxes.front().start.size();
    for (const auto n : {dimensions, notice.boxes.size(), notice.fields.size()})
        words.push_back(static_cast<std::int64_t>(n));
    words.insert(words.end(), notice.fields.begin(), notice.fields.end());
    for (const auto &box : notice.boxes) append(words, box);
}

template <class At> std::int64_t word(At &at) { return *at++; }

Notice read_notice(Words::const_iterator &at) {
    const auto dimensions = word(at), boxes = word(at), fields = word(at);
    Notice notice;
    for (std::int64_t f = 0; f < fields; ++f) notice.fields.push_back(static_cast<int>(word(at)));
    for (std::int64_t b = 0; b < boxes; ++b) {
        notice.boxes.push_back({{at, at + dimensions}, {at + dimensions, at + 2 * dimensions}});
        at += 2 * dimensions;
    }
    return notice;
}

/// A writer and its boxes.
struct Holder {
    int writer;
    std::vector<Box> boxes;
    friend bool operator==(const Holder &, const Holder &) = default;
};

class Planner {
  public:
    Planner(const Crew &crew, const Layout &layout, bool per_frame,
            const std::vector<std::pair<int, Box>> &boxes)
        : crew_(crew), layout_(layout), per_frame_(per_frame), mine_(layout.fields.size()),
          holders_(layout.fields.size()), plans_(layout.fields.size()) {
        for (const auto &[field, box] : boxes)
            if (volume(box) > 0) mine_[field].push_back(box);
    }

    void run(std::vector<std::shared_ptr<const Plan>> &plans) {
        for (int f = 0; f < std::ssize(layout_.fields); ++f)
            if (concerned(f)) look_out(f);
        hear(crew_.exchange(letters()));
        std::string faults;
        for (int f = 0; f < std::ssize(layout_.fields); ++f)
            if (concerned(f)) faults += complete(f, faults.empty());
        crew_.agree(faults);
        if (layout_.engine->holding == Holding::any) return;
        for (int f = 0; f < std::ssize(layout_.fields); ++f)
            if (concerned(f)) plans[f] = plans_[f];
    }

  private:
    bool concerned(int field) const { return layout_.fields[field].field.per_frame == per_frame_; }

    /// What of this writer's goes where.
    void look_out(int field) {
        const auto shares = shares_of(layout_, field, crew_.size());
        Plan plan{mine_[field], boxes_of(shares, crew_.rank()), {}, {}, {}};
        std::vector<std::size_t> place(shares.size()); // index among the boxes of its writer
        std::size_t n = 0;
        for (std::size_t s = 0; s < shares.size(); ++s)
            if (shares[s].writer == crew_.rank()) place[s] = n++;
        std::map<int, std::vector<Box>> told; // whole boxes: the other end cuts them in the same order
        std::size_t last = mine_[field].size();
        std::map<int, std::size_t> last_told;
        for (auto &part : parts_of(mine_[field], shares)) {
            const int to = shares[part.share].writer;
            const auto at = last_told.try_emplace(to, last).first;
            if (at->second != part.box) told[to].push_back(mine_[field][part.box]);
            at->second = part.box;
            if (to == crew_.rank())
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

    std::vector<Crew::Letter> letters() {
        std::vector<Crew::Letter> all;
        for (const auto &[to, notices] : notices_) {
            auto &letter = all.emplace_back(Crew::Letter{to, {}});
            for (const auto &notice : notices) append(letter.words, notice);
        }
        notices_.clear();
        return all;
    }

    void hear(const std::vector<Crew::Letter> &letters) {
        for (const auto &letter : letters)
            for (auto at = letter.words.begin(); at != letter.words.end();) {
                const auto notice = read_notice(at);
                for (const int f : notice.fields) holders_[f].push_back({letter.writer, notice.boxes});
            }
    }

    /// What comes from others, and whether it makes up this writer's shares. Fields that are cut up like
    /// the one before share its plan. Returns what is missing.
    std::string complete(int field, bool first) {
        auto &plan = *std::const_pointer_cast<Plan>(plans_[field]);
        std::string fault;
        if (previous_ && holders_[field] == holders_[previous_field_] && alike(plan, *previous_)) {
            plans_[field] = previous_;
            fault = previous_fault_;
        } else {
            for (const auto &holder : holders_[field]) {
                if (holder.writer == crew_.rank()) continue;
                for (std::size_t t = 0, n = holder.boxes.size() * plan.to.size(); t < n; ++t) {
                    const auto b = t / plan.to.size(), s = t % plan.to.size();
                    auto common = intersection(holder.boxes[b], plan.to[s]);
                    if (volume(common) > 0) plan.receives.push_back({holder.writer, 0, s, std::move(common)});
                }
            }
            fault = hole_in(field, plan.to);
            previous_ = plans_[field];
            previous_field_ = field;
            previous_fault_ = fault;
        }
        if (fault.empty()) return "";
        return fmt::format("{}field {}{}; every point must be put by exactly one rank", first ? "" : "\n",
                           layout_.fields[field].field.name, fault);
    }

    std::string hole_in(int field, const std::vector<Box> &shares) const {
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

    /// Before it is known what comes from others.
    static bool alike(const Plan &a, const Plan &b) {
        const auto same = [](const std::vector<Leg> &x, const std::vector<Leg> &y) {
            return std::ranges::equal(x, y, [](const Leg &p, const Leg &q) {
                return p.writer == q.writer && p.from == q.from && p.to == q.to && p.part == q.part;
            });
        };
        return a.from == b.from && a.to == b.to && same(a.sends, b.sends) && same(a.stays, b.stays);
    }

    const Crew &crew_;
    const Layout &layout_;
    bool per_frame_;
    std::vector<std::vector<Box>> mine_;
    std::vector<std::vector<Holder>> holders_;
    std::map<int, std::vector<Notice>> notices_; ///< per receiver
    std::vector<std::shared_ptr<const Plan>> plans_;
    std::shared_ptr<const Plan> previous_;
    int previous_field_ = 0;
    std::string previous_fault_;
};

} // namespace

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

void make_plans(const Crew &crew, const Layout &layout, bool per_frame,
                const std::vector<std::pair<int, Box>> &boxes,
                std::vector<std::shared_ptr<const Plan>> &plans) {
    plans.resize(layout.fields.size());
    Planner(crew, layout, per_frame, boxes).run(plans);
}

} // namespace squall::io
