#include "drain.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "box.hpp"
#include "encode.hpp"

namespace squall::io {
namespace {

constexpr std::int64_t arrival_numbers = std::int64_t(1) << 40; ///< numbers from here on are of arrivals

std::vector<std::int64_t> code_of(const std::vector<std::pair<int, Box>> &boxes) {
    std::vector<std::int64_t> code;
    for (const auto &[field, box] : boxes) {
        code.push_back(field);
        code.insert(code.end(), box.start.begin(), box.start.end());
        code.insert(code.end(), box.count.begin(), box.count.end());
    }
    return code;
}

void add_holdings(std::vector<Holdings> &holdings, const std::vector<std::int64_t> &code, int writer,
                  const Layout &layout) {
    for (auto at = code.begin(); at < code.end();) {
        const auto field = static_cast<std::size_t>(*at++);
        const auto n = static_cast<std::ptrdiff_t>(layout.fields[field].shape.size());
        Box box{{at, at + n}, {at + n, at + 2 * n}};
        at += 2 * n;
        if (volume(box) > 0) holdings[field].push_back({std::move(box), writer});
    }
}

Holdings all_on_first(const FieldLayout &f) {
    return {{{std::vector<std::int64_t>(f.shape.size(), 0), f.shape}, 0}};
}

bool same(const Holdings &a, const Holdings &b) {
    return std::ranges::equal(
        a, b, [](const Share &x, const Share &y) { return x.writer == y.writer && x.box == y.box; });
}

} // namespace

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Drain::Channel::Channel(const Crew &crew, DrainStream s)
    : stream(std::move(s)), series(*stream.layout, crew), holdings(stream.holdings) {
    const auto &layout = *stream.layout;
    wanted.resize(layout.fields.size());
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        if (layout.engine->holding == Holding::first) wanted[f] = all_on_first(layout.fields[f]);
        if (layout.engine->holding == Holding::shares)
            wanted[f] = layout.engine->shares(layout, f, crew.size());
    }
}

Drain::~Drain() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Drain::work_in_background() {
    if (!thread_.joinable()) thread_ = std::thread([this] { background(); });
}

void Drain::add(int stream, DrainStream what) {
    const std::lock_guard lock(mutex_);
    channels_[stream] = std::make_unique<Channel>(crew_, std::move(what));
}

void Drain::enqueue(int stream, std::int64_t number, Job job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_[{stream, number}] = std::move(job);
        announced_.push_back({stream, number});
        ++pending_;
    }
    changed_.notify_all();
}

void Drain::submit(int stream, std::unique_ptr<Staged> frame) {
    auto &channel = *channels_.at(stream);
    std::int64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        number = channel.submitted++;
        ++channel.unfinished;
    }
    enqueue(stream, number, {std::move(frame), nullptr, "", now()});
}

void Drain::close(int stream) { submit(stream, nullptr); }

bool Drain::idle(int stream) const {
    const std::lock_guard lock(mutex_);
    return done(*channels_.at(stream), true);
}

void Drain::finish(int stream, bool files) {
    const auto finished = [&] { return done(*channels_.at(stream), files); };
    if (!in_background())
        return crew_.patience().until(
            [&] {
                while (work()) {
                }
                const std::lock_guard lock(mutex_);
                return finished();
            },
            [&] {
                return "all ranks to hand over stream " + channels_.at(stream)->stream.layout->spec.name;
            });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, finished);
}

bool Drain::work() { return !in_background() && step(); }

void Drain::background() {
    try {
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return stop_ || pending_ > 0; });
            }
            crew_.patience().until([this] { return stopped() || step(); }, [this] { return next_job(); });
            if (stopped()) return; // what nobody waited for is dropped
        }
    } catch (const std::exception &e) { // nobody to tell: the model is elsewhere
        fmt::print(stderr, "squall io: {}\n", e.what());
        MPI_Abort(crew_.comm(), 1);
    }
}

bool Drain::stopped() const {
    const std::lock_guard lock(mutex_);
    return stop_;
}

/// What the writers have to agree on, for the watchdog.
std::string Drain::next_job() const {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return "work";
    const auto &[key, job] = *jobs_.begin();
    const auto &channel = *channels_.at(key.first);
    return "the other ranks to commit " + (job.frame
                                               ? describe(channel, job.frame->time)
                                               : "the end of stream " + channel.stream.layout->spec.name);
}

/// Takes up the next job that is ready everywhere.
bool Drain::step() {
    std::deque<Ticket> announced;
    {
        const std::lock_guard lock(mutex_);
        announced.swap(announced_);
    }
    for (const auto &ticket : announced) turns_.ready(ticket);
    const auto ticket = turns_.next();
    if (ticket) execute(*ticket);
    return ticket.has_value();
}

void Drain::execute(const Ticket &ticket) {
    const int stream = static_cast<int>(ticket.stream);
    Job job;
    Channel *channel = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto found = jobs_.find({stream, ticket.number});
        job = std::move(found->second);
        jobs_.erase(found);
        channel = channels_.at(stream).get();
    }
    Outcome outcome;
    outcome.committed = job.committed;
    outcome.begun = now();
    run(*channel, job, outcome);
    dispatch(stream, *channel);
    outcome.ended = now();
    if (job.frame || !outcome.fault.empty()) channel->stream.done(outcome);
    const bool arrival = job.departure != nullptr;
    job = {}; // its memory goes back before anybody is told that it is done
    {
        const std::lock_guard lock(mutex_);
        --pending_;
        --(arrival ? channel->under_way : channel->unfinished);
    }
    changed_.notify_all();
}

void Drain::run(Channel &channel, Job &job, Outcome &outcome) {
    const auto &name = channel.stream.layout->spec.name;
    const auto where = job.frame ? describe(channel, job.frame->time) : fmt::format("stream {}", name);
    crew_.doing("the other writers of " + where);
    try {
        if (job.departure) {
            crew_.agree(job.fault);
            channel.series.arrive(*job.departure);
        } else if (job.frame) {
            outcome.time = job.frame->time;
            outcome.number = job.frame->number;
            store(channel, *job.frame, outcome);
        } else {
            channel.series.close();
        }
    } catch (const std::exception &e) {
        outcome.fault = fmt::format("{}: {}", where, e.what());
        if (job.departure)
            outcome.fault +=
                fmt::format(" ({} is whole; `squall recover` carries it on)", job.departure->held);
        if (!job.frame) return;
        outcome.fault += " (frames published before are whole, this one is lost)";
        try {
            channel.series.drop_frame();
        } catch (const std::exception &also) {
            outcome.fault += fmt::format("; nor could the frames before it be published: {}", also.what());
        }
    }
}

std::string Drain::describe(const Channel &channel, const Time &time) const {
    return fmt::format("stream {}, frame {}", channel.stream.layout->spec.name,
                       format_time(time, "%Y-%m-%d_%H:%M:%S"));
}

void Drain::store(Channel &channel, Staged &frame, Outcome &outcome) {
    const auto &layout = *channel.stream.layout;
    if (crew_.any(frame.skipped)) {
        outcome.skipped = true;
        return;
    }
    review(channel, frame, true);
    const auto fixed = channel.series.begins_file(frame.number) ? channel.stream.fixed() : nullptr;
    if (fixed) review(channel, *fixed, false);
    channel.series.begin_frame(frame.time, frame.number);
    std::vector<std::uint64_t> sums(layout.fields.size(), 0);
    std::string fault;
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const bool per_frame = layout.fields[f].field.per_frame;
        if (!per_frame && !fixed) continue;
        const auto problem = write_field(channel, f, per_frame ? frame : *fixed, sums[f]);
        if (fault.empty()) fault = problem;
        outcome.bytes += static_cast<std::uint64_t>(layout.fields[f].bytes());
    }
    crew_.add(sums);
    channel.series.end_frame(frame.time, sums, fault);
}

/// Makes sure that the frame is whole and that everybody knows who holds what of it. Throws Error
/// on all writers if a point is missing or was put twice, or somebody made a mistake.
void Drain::review(Channel &channel, const Staged &frame, bool per_frame) {
    auto &known = per_frame ? channel.boxes : channel.fixed_boxes;
    const auto boxes = frame.boxes();
    const bool fixed_holdings = !channel.stream.holdings.empty();
    const bool news = !frame.fault.empty() || (!fixed_holdings && known != boxes);
    if (!crew_.any(news)) return;
    const auto faults = crew_.gather_text(frame.fault);
    if (!faults.empty()) throw Error(faults);
    if (fixed_holdings) return;
    known.reset(); // until it has been checked
    const auto &layout = *channel.stream.layout;
    channel.holdings.resize(layout.fields.size());
    for (std::size_t f = 0; f < layout.fields.size(); ++f)
        if (layout.fields[f].field.per_frame == per_frame) channel.holdings[f].clear();
    const auto codes = crew_.gather(code_of(boxes));
    for (int w = 0; w < crew_.size(); ++w) add_holdings(channel.holdings, codes[w], w, layout);
    std::string holes;
    for (std::size_t f = 0; f < layout.fields.size(); ++f) {
        if (layout.fields[f].field.per_frame != per_frame) continue;
        std::vector<Box> all;
        for (const auto &share : channel.holdings[f]) all.push_back(share.box);
        const auto hole = tiling_fault(all, layout.fields[f].shape);
        if (!hole.empty())
            holes += fmt::format("{}field {}: {}; every point must be put by exactly one rank",
                                 holes.empty() ? "" : "\n", layout.fields[f].field.name, hole);
    }
    if (!holes.empty()) throw Error(holes); // the same everywhere
    known = boxes;
}

/// Encodes what this writer holds of a field, brings it to those who write it, and writes.
std::string Drain::write_field(Channel &channel, int field, Staged &frame, std::uint64_t &sum) {
    const auto &f = channel.stream.layout->fields[field];
    std::string fault;
    auto blocks = frame.take(field);
    std::vector<Piece> pieces;
    for (auto &block : blocks) {
        try {
            encode(f, block.memory.data(), volume(block.box));
        } catch (const std::exception &e) {
            fault = e.what();
        }
        sum += checksum(block.box, f.shape, block.memory.data(), f.field.type);
        pieces.push_back({block.box, block.memory.data()});
    }
    const auto &wanted = channel.wanted[field], &held = channel.holdings[field];
    if (wanted.empty() || same(wanted, held)) {
        channel.series.write(field, pieces);
        return fault;
    }
    const bool views = channel.stream.layout->engine->views;
    const auto exchanged = exchange(crew_, f, held, wanted, pieces, views, scratch_);
    if (!views) blocks.clear(); // what came of the exchange takes their place
    channel.series.write(field, exchanged.pieces);
    return fault;
}

/// Sends files that were closed in the burst directory on their way.
void Drain::dispatch(int stream, Channel &channel) {
    for (auto &d : channel.series.departures()) {
        if (!courier_) courier_ = std::make_unique<Courier>();
        std::int64_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            number = arrival_numbers + channel.departed++;
            ++channel.under_way;
        }
        auto departure = std::make_shared<Departure>(std::move(d));
        courier_->carry(*departure, [this, stream, number, departure](std::string fault) {
            enqueue(stream, number, {nullptr, departure, std::move(fault), now()});
        });
    }
}

} // namespace squall::io
