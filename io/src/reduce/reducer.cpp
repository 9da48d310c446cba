#include "reduce/reducer.hpp"

#include <algorithm>
#include <climits>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/declaration.hpp"
#include "reduce/checked.hpp"

namespace squall::io {
namespace {

constexpr int first_tag = 64, tags = 32000; ///< on the group's communicator; others have those below
/// What is made at places of a frame comes together on rank 0 if it is no more than this [bytes]: a rank has
/// places here and there, and hundreds of blocks of a column each cost more than to carry them.
constexpr std::int64_t few_enough = 128 << 20;

bool are_few(const Layout &layout) {
    std::int64_t bytes = 0;
    for (const auto &sample : layout.samples) {
        const auto &f = layout.fields[static_cast<std::size_t>(sample.field)];
        bytes += volume(whole_of(f.shape)) * static_cast<std::int64_t>(size_of(f.staged));
    }
    return bytes <= few_enough;
}

std::string name_of(const Layout &layout, std::int64_t number, const Time &time) {
    return fmt::format("frame {} of stream {} ({})", number, layout.spec.name,
                       format_time(time, "%Y-%m-%d_%H:%M:%S"));
}

} // namespace

Reducer::Reducer(std::shared_ptr<const Layout> layout, const RankGroup &group, int stream,
                 std::shared_ptr<Pool> pool, Deliver deliver)
    : layout_(std::move(layout)), group_(group), pool_(std::move(pool)), deliver_(std::move(deliver)),
      tag_(first_tag + stream % tags), brings_samples_together_(are_few(*layout_)),
      evaluator_(layout_, false), making_(evaluator_.begin()) {
    if (idle()) return;
    declaration_ = hash(layout_->spec_as_declared);
    const int rank = group_.rank(), size = group_.size();
    for (int bit = 1; rank + bit < size && (rank & bit) == 0; bit <<= 1)
        children_.emplace_back().rank = rank + bit;
}

/// MPI may still read or write what is on its way.
void Reducer::let_go(Message &message) {
    int done = 1;
    if (message.request != MPI_REQUEST_NULL) MPI_Test(&message.request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    MPI_Request_free(&message.request);
    keep_for_ever(std::move(message.text));
}

Reducer::~Reducer() {
    for (auto &message : sent_) let_go(message);
    for (auto &child : children_) let_go(child.message);
}

void Reducer::guarded(const std::string &field, bool per_frame, const std::function<void()> &f) {
    auto &fault = per_frame ? fault_ : fixed_fault_;
    if (!fault.empty() || !uses(field)) return;
    try {
        const bool of_frames = layout_->find_put(field)->field.per_frame;
        if (of_frames != per_frame)
            throw Error(fmt::format("it is {}; put it with {}", of_frames ? "per frame" : "fixed in time",
                                    of_frames ? "Frame::put" : "Stream::put, before the first commit"));
        f();
    } catch (const std::exception &e) {
        fault = fmt::format("field {}: {}", field, e.what());
    }
}

void Reducer::put(const Put &put, bool per_frame) {
    guarded(put.field, per_frame, [&] { add(put); });
}

void Reducer::put_points(const Put &put, bool per_frame) {
    guarded(put.field, per_frame,
            [&] { for_checked_boxes(*layout_, put, [&](const Put &part) { add(part); }); });
}

void Reducer::add(const Put &put) {
    if (checked(*layout_, put) && evaluator_.uses(put.field)) evaluator_.add(put, making_);
}

void Reducer::lie_at(const std::string &name, const std::vector<double> &positions) {
    try {
        evaluator_.lie_at(name, positions, making_);
    } catch (const Error &e) {
        if (fault_.empty()) fault_ = fmt::format("places {}: {}", name, e.what());
    }
}

void Reducer::clear() {
    making_ = evaluator_.begin();
    evaluator_.clear_frame();
    fault_.clear();
}

void Reducer::submit(std::unique_ptr<StagedHere> frame, bool wait) {
    if (frame->fault.empty()) frame->fault = fixed_fault_.empty() ? fault_ : fixed_fault_;
    if (idle()) {
        fault_.clear();
        return deliver_(std::move(frame));
    }
    const auto number = frame->number;
    pending_.push_back({std::move(frame), std::move(making_)});
    clear();
    progress();
    if (wait)
        wait_for(
            [&] { return told_.empty() && (pending_.empty() || pending_.front().frame->number > number); });
}

void Reducer::progress() {
    if (idle()) return;
    std::erase_if(sent_, [](Message &sent) {
        int done = 0;
        MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    for (auto told = std::exchange(told_, {}); !told.empty(); told.pop_front())
        deliver_(std::move(told.front()));
    for (auto &child : children_) listen(child);
    while (complete_first()) {
    }
}

/// Takes what has come from a child, all that there is.
void Reducer::listen(Child &child) {
    for (;;) {
        auto &[text, request] = child.message;
        if (request == MPI_REQUEST_NULL) {
            int there = 0, count = 0;
            MPI_Message message;
            MPI_Status status;
            MPI_Improbe(child.rank, tag_, group_.comm(), &there, &message, &status);
            if (!there) return;
            MPI_Get_count(&status, MPI_BYTE, &count);
            text->bytes.resize(static_cast<std::size_t>(count));
            MPI_Imrecv(text->bytes.data(), count, MPI_BYTE, &message, &request);
        }
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) return;
        child.reports.push_back(Report::unpack(text->bytes, *layout_));
        text->bytes = {};
    }
}

/// Whether the first frame was complete, and was delivered or told of.
bool Reducer::complete_first() {
    const auto silent = [](const Child &c) { return c.reports.empty(); };
    if (pending_.empty() || std::ranges::any_of(children_, silent)) return false;
    auto pending = std::move(pending_.front());
    pending_.pop_front();
    auto &frame = *pending.frame;
    const bool leads = group_.rank() == 0;
    Report report{frame.number,
                  frame.time,
                  declaration_,
                  !frame.fault.empty() || frame.skipped,
                  std::move(pending.work.partials),
                  std::move(pending.work.at_places)};
    for (auto &child : children_) take_in(pending, child, report);
    for (std::size_t f = 0; f < layout_->folds.size(); ++f) {
        if (layout_->folds[f].on_servers) continue;
        auto &done = pending.work.results[f];
        evaluator_.add_results(f, report.partials[f], done);
        for (const auto &result : done)
            if (!frame.skipped) put_block(frame, layout_->folds[f].field, result.box, result.values.data());
    }
    put_samples(pending, report);
    if (!leads)
        send(report);
    else if (!report.useless && frame.fault.empty())
        frame.fault = hole_in(report);
    frame.seal();
    if (leads)
        deliver_(std::move(pending.frame));
    else
        told_.push_back(std::move(pending.frame));
    return true;
}

/// Adds what a child has of the frame to ours.
void Reducer::take_in(Pending &pending, Child &child, Report &ours) {
    auto &theirs = child.reports.front();
    auto &fault = pending.frame->fault;
    if (theirs.number == Report::closed) {
        if (fault.empty())
            fault = fmt::format("rank {} has closed the stream without {}", child.rank,
                                name_of(*layout_, ours.number, ours.time));
        ours.useless = true;
        return;
    }
    const bool same = theirs.number == ours.number && theirs.time.seconds == ours.time.seconds &&
                      theirs.time.epoch == ours.time.epoch && theirs.declaration == ours.declaration;
    if (!same && fault.empty())
        fault = fmt::format("rank {} committed {}{}, but rank {} committed {}", child.rank,
                            name_of(*layout_, theirs.number, theirs.time),
                            theirs.declaration == ours.declaration ? "" : " with another declaration",
                            group_.rank(), name_of(*layout_, ours.number, ours.time));
    ours.useless |= theirs.useless || !same;
    if (same)
        for (std::size_t f = 0; f < ours.partials.size(); ++f)
            for (auto &partial : theirs.partials[f].take_all())
                ours.partials[f].add(layout_->folds[f], std::move(partial));
    if (same)
        for (std::size_t s = 0; s < ours.at_places.size(); ++s)
            ours.at_places[s].take(theirs.at_places[s], layout_->samples[s]);
    child.reports.pop_front();
}

/// On rank 0, where what is still not complete never will be.
std::string Reducer::hole_in(const Report &report) const {
    for (std::size_t f = 0; f < report.partials.size(); ++f) {
        if (report.partials[f].empty()) continue;
        const auto &fold = layout_->folds[f];
        const auto &box = report.partials[f].list().front().box;
        return fmt::format("field {}: points of its source {} are missing or were put twice{}; every point "
                           "must be put by exactly one rank",
                           layout_->spec.fields[static_cast<std::size_t>(fold.field)].name, fold.of,
                           box.start.empty() ? "" : fmt::format(", for {}", text(box)));
    }
    for (std::size_t s = 0; s < report.at_places.size(); ++s) {
        if (report.at_places[s].partly.empty()) continue;
        const auto &sample = layout_->samples[s];
        return fmt::format("field {}: points of its source {} around place {} of {} are missing or were put "
                           "twice; every point must be put by exactly one rank",
                           layout_->spec.fields[static_cast<std::size_t>(sample.field)].name, sample.of,
                           report.at_places[s].partly.begin()->first,
                           layout_->spec.places[sample.places].name);
    }
    return "";
}

void Reducer::put_block(StagedHere &frame, int field, const Box &box, const double *values) {
    const auto &f = layout_->fields[static_cast<std::size_t>(field)];
    const auto points = volume(box);
    const auto bytes = static_cast<std::size_t>(points) * size_of(f.staged);
    auto *room = pool_->take(bytes);
    auto memory = room ? Memory(pool_, room, bytes) : Memory::on_heap(bytes);
    copy_points({points}, values, Type::f64, {}, memory.data(), f.staged, {});
    frame.blocks.push_back({field, box, std::move(memory)});
}

/// What is made at places to which all points around them have come. On its way to rank 0 it is left in the
/// report.
void Reducer::put_samples(Pending &pending, Report &report) {
    for (std::size_t s = 0; s < report.at_places.size(); ++s) {
        const auto &sampler = pending.work.samplers[s];
        if (!sampler) continue;
        auto &here = report.at_places[s];
        sampler->make(here);
        if (group_.rank() == 0) sampler->add_nowhere(here);
        if (group_.rank() > 0 && brings_samples_together_) continue;
        if (!pending.frame->skipped) put_places(*pending.frame, layout_->samples[s], here);
        here.made.clear();
        here.values.clear();
    }
}

/// Places that follow each other are one block.
void Reducer::put_places(StagedHere &frame, const Sample &sample, AtPlaces &here) {
    const auto &shape = layout_->fields[static_cast<std::size_t>(sample.field)].shape;
    const auto depth = static_cast<std::size_t>(sample.depth());
    here.sort(depth);
    Box box{std::vector<std::int64_t>(shape.size(), 0), shape};
    for (std::size_t first = 0, next = 0; first < here.made.size(); first = next) {
        const auto follows = [&](std::size_t n) {
            return n < here.made.size() && here.made[n] == here.made[n - 1] + 1;
        };
        for (next = first + 1; follows(next); ++next) {
        }
        box.start[0] = here.made[first];
        box.count[0] = static_cast<std::int64_t>(next - first);
        put_block(frame, sample.field, box, &here.values[first * depth]);
    }
}

void Reducer::send(const Report &report) {
    auto &[text, request] = sent_.emplace_back();
    text->bytes = report.pack(*layout_);
    if (text->bytes.size() > INT_MAX)
        throw Error(
            "more than 2 GB in one message of a frame; use fewer bins, more ranks, or reduce on the ranks");
    const int parent = group_.rank() & (group_.rank() - 1);
    MPI_Isend(text->bytes.data(), static_cast<int>(text->bytes.size()), MPI_BYTE, parent, tag_, group_.comm(),
              &request);
}

template <class Done> void Reducer::wait_for(Done done) {
    group_.patience().until(
        [&] {
            progress();
            return done();
        },
        [&] {
            const auto whom = awaiting();
            return whom.empty() ? fmt::format("other ranks to close stream {}", layout_->spec.name) : whom;
        });
}

std::string Reducer::awaiting() const {
    if (pending_.empty()) return "";
    const auto &frame = *pending_.front().frame;
    for (const auto &child : children_)
        if (child.reports.empty())
            return fmt::format("rank {} to commit {}", child.rank,
                               name_of(*layout_, frame.number, frame.time));
    return "";
}

void Reducer::deliver_all() {
    if (!idle()) wait_for([&] { return pending_.empty() && told_.empty(); });
}

void Reducer::finish() {
    if (idle()) return;
    deliver_all();
    if (group_.rank() > 0) send({.number = Report::closed, .time = {}, .partials = {}});
    const auto closed = [](Child &child) { // frames that this rank has not committed are of no use
        while (!child.reports.empty() && child.reports.front().number != Report::closed)
            child.reports.pop_front();
        return !child.reports.empty();
    };
    wait_for([&] { return sent_.empty() && std::ranges::all_of(children_, closed); });
}

} // namespace squall::io
