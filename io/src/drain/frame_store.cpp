#include "drain/frame_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "declare/encode.hpp"
#include "publish/series.hpp"
#include "reduce/made_by_servers.hpp"

namespace squall::io {
namespace {

/// What writers tell each other of a frame before it is stored; the largest counts.
enum Word : std::int64_t { as_before, something_new, skipped };

/// The others wait for points that could not be taken: they get zeros, and the frame fails.
Pages spare_memory(const FieldLayout &f, const Plan &plan, std::vector<const void *> &mine) {
    std::int64_t most = 0;
    for (const auto &box : plan.from) most = std::max(most, volume(box));
    auto zeros = zero_pages(static_cast<std::size_t>(most) * size_of(f.field.type));
    mine.resize(plan.from.size(), zeros.get());
    return zeros;
}

/// Encodes the points of a block of which ranks have compressed the others. Returns their checksum.
std::uint64_t encode_rest(const FieldLayout &f, Block &block) {
    std::uint64_t sum = 0;
    std::vector<std::byte> part;
    auto encoded =
        encodes(f) && !block.rest.empty()
            ? block.memory.successor(static_cast<std::size_t>(volume(block.box)) * size_of(f.field.type))
            : Memory();
    for (const auto &box : block.rest) {
        part.resize(static_cast<std::size_t>(volume(box)) * size_of(f.staged));
        copy_part(box, block.box, block.memory.points(), box, part.data(), f.staged);
        if (encodes(f)) {
            encode(f, part.data(), volume(box));
            copy_part(box, box, part.data(), block.box, encoded.data(), f.field.type);
        }
        sum += checksum(box, f.shape, part.data(), f.field.type);
    }
    if (encodes(f)) block.memory = std::move(encoded);
    return sum;
}

/// Adds the checksums of what an exchange has moved, as it was before. Of what lies where it was the engine
/// will.
void sum_moved(const FieldLayout &f, const Plan &plan, const std::vector<const void *> &from,
               std::vector<Piece> &pieces, std::uint64_t &sum) {
    const auto add = [&](const Leg &leg) {
        sum += checksum(leg.part, plan.from[leg.from], f.shape, from[leg.from], f.field.type);
    };
    for (const auto &leg : plan.sends) add(leg);
    for (const auto &leg : plan.stays) {
        auto &piece = pieces[leg.to];
        if (piece.around.start.empty())
            add(leg);
        else
            piece.sum = &sum;
    }
}

std::unique_ptr<Sink> sink_for(const Layout &layout, const RankGroup &group, bool successor) {
    if (layout.engine->connect) return layout.engine->connect(layout, group);
    return std::make_unique<FileSeries>(layout, group, successor);
}

} // namespace

FrameStore::FrameStore(const RankGroup &group, DrainStream stream)
    : group_(group), stream_(std::move(stream)), sink_(sink_for(layout(), group, stream_.successor)),
      batches_(layout(), group.size()), plans_(layout().fields.size()) {
    if (stream_.shares.empty()) return;
    auto evaluator = std::make_unique<Evaluator>(stream_.layout, true);
    if (!evaluator->idle()) evaluator_ = std::move(evaluator);
    if (layout().engine->distribution == Distribution::as_it_lies) return;
    for (int f = 0; f < std::ssize(plans_); ++f)
        plans_[f] = std::make_shared<Plan>(
            plan_between(stream_.shares[f], wanted(layout(), f, group.size()), group.rank()));
}

std::string FrameStore::describe(const Time &time) const {
    return fmt::format("stream {}, frame {}", layout().spec.name, format_time(time, "%Y-%m-%d_%H:%M:%S"));
}

void FrameStore::store(Staged &frame, Outcome &outcome) {
    try {
        if (frame.ends_file) return end_file(outcome);
        sink_->see(frame.time, frame.number, frame.file, frame.in_file);
        const bool with_fixed = sink_->wants_fixed(frame.number);
        const auto fixed = with_fixed ? take_fixed(frame.fault) : nullptr;
        const bool news =
            stream_.shares.empty() && (boxes_ != frame.boxes() || (fixed && fixed_boxes_ != fixed->boxes()));
        const auto word = group_.largest(frame.skipped || !sink_->accepts() ? skipped
                                         : news || !frame.fault.empty()     ? something_new
                                                                            : as_before);
        outcome.skipped = word == skipped;
        if (outcome.skipped) return;
        if (word == something_new) review(frame, fixed.get());
        if (evaluator_) {
            MadeByServers whole(group_, layout(), *evaluator_, frame, stream_.fixed);
            write(whole, fixed.get(), outcome);
        } else {
            write(frame, fixed.get(), outcome);
        }
    } catch (const Timeout &) {
        throw;
    } catch (const Published &e) {
        outcome.published = true;
        outcome.fault =
            fmt::format("{}: {} (the frame is published nevertheless)", describe(frame.time), e.what());
    } catch (const std::exception &e) {
        outcome.fault = fmt::format("{}: {} (frames published before it are whole; this one is lost)",
                                    describe(frame.time), e.what());
        try {
            sink_->drop();
        } catch (const Timeout &) {
            throw;
        } catch (const std::exception &also) {
            outcome.fault +=
                fmt::format("; the frames before it could not be published either: {}", also.what());
        }
    }
}

/// What goes wrong has been taken back by the sink.
void FrameStore::end_file(Outcome &outcome) {
    outcome.ends_file = true;
    try {
        sink_->end_file();
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        outcome.fault = fmt::format("stream {}: {}", layout().spec.name, e.what());
    }
}

/// The fields that are fixed in time. What is wrong with them is wrong with the frame.
std::unique_ptr<Staged> FrameStore::take_fixed(std::string &fault) {
    std::unique_ptr<Staged> fixed;
    std::string problem;
    try {
        fixed = stream_.fixed();
        problem = fixed->fault;
    } catch (const std::exception &e) { // nobody else knows: they are told before anything moves
        problem = fmt::format("copying the fields that are fixed in time: {}", e.what());
    }
    if (fault.empty()) fault = problem;
    return fixed;
}

/// Makes sure that the frame is whole and that everybody knows who holds what of it. Throws Error
/// on all writers if a point is missing or was put twice, or somebody made a mistake.
void FrameStore::review(const Staged &frame, const Staged *fixed) {
    auto fault = frame.fault;
    const bool checked = !stream_.shares.empty(); // on servers, which name the ranks themselves
    if (!fault.empty() && !checked) fault = fmt::format("rank {}: {}", group_.rank(), fault);
    group_.agree(fault);
    if (checked) return;
    boxes_.reset(); // until they have been checked
    make_plans(group_, layout(), true, frame.boxes(), plans_);
    boxes_ = frame.boxes();
    if (!fixed) return;
    fixed_boxes_.reset();
    make_plans(group_, layout(), false, fixed->boxes(), plans_);
    fixed_boxes_ = fixed->boxes();
}

/// The boxes that this writer will have of each field. (Servers have points of sources, too, behind those.)
std::vector<std::vector<Box>> FrameStore::to_write(const Staged &frame, const Staged *fixed) const {
    std::vector<std::vector<Box>> boxes(plans_.size());
    for (const auto *part : {&frame, fixed})
        if (part)
            for (auto &[field, box] : part->boxes())
                if (field < std::ssize(plans_) && !plans_[field]) boxes[field].push_back(box);
    for (std::size_t f = 0; f < plans_.size(); ++f)
        if (plans_[f] && (fixed || layout().fields[f].field.per_frame)) boxes[f] = plans_[f]->to;
    return boxes;
}

void FrameStore::write(Staged &frame, Staged *fixed, Outcome &outcome) {
    sink_->begin(frame.time, frame.number, to_write(frame, fixed));
    std::vector<std::uint64_t> sums(layout().fields.size(), 0);
    std::string fault;
    for (const auto &fields : batches_.of(fixed != nullptr)) {
        const auto problem = write_fields(fields, frame, fixed, sums);
        if (fault.empty()) fault = problem;
        for (const int f : fields) outcome.bytes += static_cast<std::uint64_t>(layout().fields[f].bytes());
    }
    group_.add_at_first(sums);
    sink_->end(frame.time, sums, fault);
}

/// Encodes what this writer holds of fields, brings it to those who write it, and writes. Returns what went
/// wrong here.
std::string FrameStore::write_fields(const std::vector<int> &fields, Staged &frame, Staged *fixed,
                                     std::vector<std::uint64_t> &sums) {
    std::string fault;
    const auto batch = std::make_shared<Batch>();
    auto &taken = batch->fields;
    taken.resize(fields.size());
    for (std::size_t n = 0; n < fields.size(); ++n) {
        const int f = fields[n];
        const auto problem = take(f, layout().fields[f].field.per_frame ? frame : *fixed, taken[n], sums[f]);
        if (fault.empty()) fault = problem;
    }
    std::vector<Transfer> transfers; // of those that do not lie where they must already
    for (std::size_t n = 0; n < fields.size(); ++n)
        if (const auto &plan = plans_[fields[n]]; plan && !plan->nothing_to_do())
            transfers.push_back({layout().fields[fields[n]], plan, taken[n].points});
    const bool views = layout().engine->views;
    auto exchanged = exchange(group_, transfers, batch, views, scratch_);
    auto next = exchanged.begin();
    for (std::size_t n = 0; n < fields.size(); ++n) {
        const auto &plan = plans_[fields[n]];
        auto &here = taken[n];
        auto &sum = sums[fields[n]];
        if (!plan || plan->nothing_to_do()) {
            std::vector<Piece> pieces;
            for (std::size_t b = 0; b < here.blocks.size() && b < here.points.size(); ++b)
                pieces.push_back({here.blocks[b].box,
                                  here.points[b],
                                  {},
                                  here.blocks[b].encoded,
                                  views && here.blocks[b].encoded.empty() ? &sum : nullptr});
            sink_->write(fields[n], pieces);
        } else {
            if (fault.empty()) fault = next->fault;
            if (views)
                sum_moved(layout().fields[fields[n]], *plan, here.points, next->pieces, sum);
            else
                here.blocks.clear(); // what came of the exchange takes their place
            sink_->write(fields[n], (next++)->pieces);
        }
        here.blocks.clear();
    }
    return fault;
}

/// Takes and encodes this writer's blocks of a field. Returns what went wrong; then others, who wait for
/// points that could not be taken, get zeros, and the frame fails.
std::string FrameStore::take(int field, Staged &frame, Taken &taken, std::uint64_t &sum) {
    const auto &f = layout().fields[field];
    std::string fault;
    try {
        taken.blocks = frame.take(field);
        for (auto &block : taken.blocks) {
            // Other streams, and later files, may share the raw values: only what changes is a copy.
            if (block.encoded.empty()) {
                if (encodes(f)) encode(f, block.memory.data(), volume(block.box));
                if (!layout().engine->views)
                    sum += checksum(block.box, f.shape, block.memory.points(), f.field.type);
            } else {
                sum += block.encoded_sum + encode_rest(f, block);
            }
            taken.points.push_back(block.memory.points());
        }
    } catch (const std::exception &e) {
        fault = e.what();
    }
    const auto &plan = plans_[field];
    if (plan && taken.points.size() != plan->from.size()) taken.spare = spare_memory(f, *plan, taken.points);
    return fault;
}

std::string FrameStore::close() {
    try {
        sink_->close();
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        return fmt::format("stream {}: {}", layout().spec.name, e.what());
    }
    return "";
}

std::string FrameStore::arrive(const Departure &departure, const std::string &fault) {
    try {
        group_.agree(fault);
        sink_->arrive(departure);
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        return fmt::format("stream {}: {} ({} is whole; `squall recover` publishes it)", layout().spec.name,
                           e.what(), departure.held);
    }
    return "";
}

} // namespace squall::io
