/// Stream and Frame: the public face of an open stream.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "common/box.hpp"
#include "declare/time.hpp"
#include "session/open_stream.hpp"
#include "session/session.hpp"

namespace squall::io {

struct Stream::Impl {
    std::shared_ptr<SessionCore> session;
    std::shared_ptr<OpenStream> stream; ///< null: closed
    std::string name;

    ~Impl() {
        if (!stream) return;
        try {
            stream->placement->close_alone();
        } catch (const std::exception &e) {
            fmt::print(stderr, "stream {}: {}\n", name, e.what());
        }
    }

    OpenStream &open(const char *doing) const {
        if (!stream) throw Error(fmt::format("stream {}: {} after close", name, doing));
        return *stream;
    }
};

struct Frame::Impl {
    std::shared_ptr<OpenStream> stream;
    Time time;
    std::optional<TimeBounds> bounds = {};
    double begun = 0, seconds = 0; ///< when, and how long the model has waited here

    ~Impl() { end(); }
    void end() {
        if (!stream) return;
        stream->frame.clear();
        stream->reducer.clear();
        stream->makers.abandon();
        stream->frame_seconds = nullptr;
        stream.reset();
    }
};

namespace {

/// Adds what f takes to the seconds.
template <class F> void timed(double &seconds, F f) {
    const double start = now();
    f();
    seconds += now() - start;
}

void check_limit(const SessionCore &core, const StreamSpec &spec) {
    if (spec.staging_limit > core.spec.staging_limit)
        throw Error(fmt::format("stream {}: staging_limit is {} bytes, but the session has {} for all its "
                                "streams; raise that of the session",
                                spec.name, spec.staging_limit, core.spec.staging_limit));
}

void check_neighbours(const SessionCore &core, const StreamSpec &spec) {
    for (const auto &other : core.streams) {
        const auto &theirs = other->layout->spec;
        // Not every target has one, and in a directory the program opens files by name.
        const bool same_path = !spec.path.empty() && !spec.path.ends_with('/') && theirs.path == spec.path;
        if (same_path || theirs.name == spec.name)
            throw Error(fmt::format("stream {}: another stream of the session is called {} and writes {}; "
                                    "give each stream its own name and path, or close the other one first",
                                    spec.name, theirs.name, theirs.path));
    }
}

} // namespace

Stream Session::open(StreamSpec spec) {
    return open_among(std::move(spec), [this]() -> StreamRanks & { return *core_->everybody; });
}

Stream Session::open(StreamSpec spec, MPI_Comm members) {
    if (members == MPI_COMM_NULL)
        throw Error(fmt::format(
            "stream {}: opened by a rank that is not one of its members; only they open it", spec.name));
    return open_among(std::move(spec), [&]() -> StreamRanks & { return core_->members_of(members); });
}

Stream Session::open_among(StreamSpec spec, const std::function<StreamRanks &()> &members) {
    if (core_->server)
        throw Error("a stream was opened on a server; a server calls serve() and nothing else");
    if (core_->closed) throw Error("a stream was opened after the session was closed");
    check_limit(*core_, spec);
    check_neighbours(*core_, spec);
    auto impl = std::make_shared<Stream::Impl>();
    impl->name = spec.name;
    auto stream = std::make_shared<OpenStream>(*core_, members(), std::move(spec));
    core_->streams.push_back(stream);
    impl->session = core_;
    impl->stream = std::move(stream);
    return Stream(std::move(impl));
}

/// Calls put for every stream that takes the field now.
template <class F> static int for_takers(const SessionCore &core, const std::string &field, F put) {
    int takers = 0;
    for (const auto &stream : core.streams) {
        if (!stream->frame_seconds) continue;
        if (!stream->takes(field)) continue;
        timed(*stream->frame_seconds, [&] { put(*stream); });
        ++takers;
    }
    return takers;
}

int Session::put(const std::string &field, const Box &box, const void *data, Type memory,
                 const Strides &strides) {
    Copies copies;
    const Put put{field, box, data, memory, strides};
    return for_takers(*core_, field, [&](OpenStream &stream) { stream.put(put, true, &copies); });
}

int Session::put(const std::string &field, const void *data, Type memory, const Strides &strides) {
    Copies copies;
    const Put put{field, {}, data, memory, strides};
    return for_takers(*core_, field, [&](OpenStream &stream) { stream.put_points(put, true, &copies); });
}

/// Texts as the interface of C has them.
static std::vector<const char *> pointers_to(const std::string *texts, const Box &box) {
    std::vector<const char *> pointers;
    const auto n = texts ? volume(box) : 0;
    for (std::int64_t i = 0; i < n; ++i) pointers.push_back(texts[i].c_str());
    return pointers;
}

Stream::Stream(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::Stream(Stream &&) noexcept = default;
Stream &Stream::operator=(Stream &&) noexcept = default;
Stream::~Stream() = default;

void Stream::put(const std::string &field, const Box &box, const void *data, Type memory,
                 const Strides &strides) {
    auto &stream = impl_->open("put");
    stream.put({field, box, data, memory, strides}, false);
}

void Stream::put(const std::string &field, const Box &box, const std::string *data) {
    put(field, box, pointers_to(data, box).data(), Type::text, {});
}

void Stream::put(const std::string &field, const void *data, Type memory, const Strides &strides) {
    auto &stream = impl_->open("put");
    stream.put_points({field, {}, data, memory, strides}, false);
}

Frame Stream::begin(const Time &time) {
    const auto &spec = impl_->open("begin").layout->spec;
    if (spec.time && spec.time->bounds)
        throw Error(
            fmt::format("stream {}: its time axis has bounds; begin the frame with them", impl_->name));
    return begin_frame(time, nullptr);
}

Frame Stream::begin(const Time &time, const TimeBounds &bounds) {
    const auto &spec = impl_->open("begin").layout->spec;
    if (!spec.time || !spec.time->bounds)
        throw Error(fmt::format("stream {}: the frame has bounds, but its time axis does not", impl_->name));
    return begin_frame(time, &bounds);
}

Frame Stream::begin_frame(const Time &time, const TimeBounds *bounds) {
    const double start = now();
    auto &stream = impl_->open("begin");
    if (stream.frame_seconds)
        throw Error(
            fmt::format("stream {}: begin while a frame is open; commit or abandon it first", impl_->name));
    auto frame = std::make_unique<Frame::Impl>();
    frame->time = time;
    auto &calendar = frame->time.calendar;
    if (calendar.empty()) calendar = stream.layout->spec.calendar;
    if (calendar_named(calendar) != calendar_named(stream.layout->spec.calendar))
        throw Error(fmt::format("stream {}: a frame in calendar {}, but the stream's calendar is {}",
                                impl_->name, calendar, stream.layout->spec.calendar));
    format_time(frame->time, stream.layout->spec.path); // throws on a time that cannot be formatted
    if (stream.has_files_of_client() && !stream.file)
        throw Error(fmt::format("stream {}: begin without a file; open one first", impl_->name));
    stream.work();
    stream.tally->throw_if_failed();
    frame->stream = impl_->stream;
    if (bounds) frame->bounds = *bounds;
    frame->begun = start;
    frame->seconds = now() - start;
    stream.frame_seconds = &frame->seconds;
    stream.makers.begin(frame->time.seconds, false);
    return Frame(std::move(frame));
}

Frame Stream::sample(const Time &time) {
    const double start = now();
    auto &stream = impl_->open("sample");
    if (stream.frame_seconds)
        throw Error(
            fmt::format("stream {}: sample while a frame is open; commit or abandon it first", impl_->name));
    auto frame = std::make_unique<Frame::Impl>();
    frame->time = time;
    frame->stream = impl_->stream;
    frame->begun = start;
    stream.frame_seconds = &frame->seconds;
    stream.makers.begin(time.seconds, true);
    return Frame(std::move(frame));
}

std::vector<Field> accumulators(const StreamSpec &spec) {
    return Makers(std::make_shared<const Layout>(spec), [](const Put &) {}).accumulators();
}

void Stream::save(Frame &frame) const {
    const auto &stream = impl_->open("save");
    stream.makers.save(stream.members.rank(), stream.members.size(),
                       [&](const std::string &name, const Box &box, const double *values) {
                           if (box.count.empty())
                               frame.set(name, *values);
                           else
                               frame.put(name, box, values);
                       });
}

void Stream::restore(const std::string &file, std::int64_t frame) {
    impl_->open("restore").makers.restore(std::make_shared<const Reader>(file), frame);
}

void Stream::open_file(const std::string &name, const std::vector<Attribute> &attributes, Existing existing) {
    auto &stream = impl_->open("open_file");
    stream.open_file(name, attributes, existing);
}

void Stream::close_file() {
    auto &stream = impl_->open("close_file");
    double seconds = 0;
    timed(seconds, [&] { stream.close_file(); });
    stream.tally->perceived_more(seconds);
}

void Stream::flush() {
    auto &stream = impl_->open("flush");
    if (stream.frame_seconds)
        throw Error(
            fmt::format("stream {}: flush while a frame is open; commit or abandon it first", impl_->name));
    stream.flush();
}

void Stream::close() {
    impl_->open("close");
    const auto stream = std::move(impl_->stream);
    const auto tally = stream->tally;
    stream->closed = true;
    try {
        stream->reducer.finish();
        stream->placement->close();
    } catch (...) {
        impl_->session->end(*stream);
        throw;
    }
    impl_->session->end(*stream);
    tally->throw_if_failed();
}

Frame::Frame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Frame::Frame(Frame &&) noexcept = default;
Frame &Frame::operator=(Frame &&) noexcept = default;
Frame::~Frame() = default;

/// What f does with the stream of the open frame, timed.
template <class F> void Frame::staging(const char *doing, F f) {
    if (!impl_->stream) throw Error(fmt::format("{} a frame that was committed or abandoned", doing));
    timed(impl_->seconds, [&] { f(*impl_->stream); });
}

void Frame::put(const std::string &field, const Box &box, const void *data, Type memory,
                const Strides &strides) {
    staging("put into", [&](OpenStream &stream) { stream.put({field, box, data, memory, strides}, true); });
}

void Frame::put(const std::string &field, const Box &box, const std::string *data) {
    put(field, box, pointers_to(data, box).data(), Type::text, {});
}

void Frame::put(const std::string &field, const void *data, Type memory, const Strides &strides) {
    staging("put into", [&](OpenStream &stream) {
        stream.put_points({field, {}, data, memory, strides}, true);
    });
}

void Frame::set(const std::string &field, double value) {
    staging("set in", [&](OpenStream &stream) { stream.frame.set(field, value); });
}
void Frame::set(const std::string &field, std::int64_t value) {
    staging("set in", [&](OpenStream &stream) { stream.frame.set(field, value); });
}
void Frame::set(const std::string &field, const std::string &text) {
    staging("set in", [&](OpenStream &stream) { stream.frame.set(field, text); });
}

void Frame::places(const std::string &name, const std::vector<double> &positions) {
    staging("places of", [&](OpenStream &stream) { stream.lie_at(name, positions); });
}

void Frame::length(const std::string &dimension, std::int64_t points) {
    staging("length of", [&](OpenStream &stream) { stream.frame.length(dimension, points); });
}

void Frame::leave_out(const std::string &field) {
    staging("leave out of", [&](OpenStream &stream) { stream.frame.leave_out(field); });
}

void Frame::commit() {
    if (!impl_->stream) throw Error("commit of a frame that was committed or abandoned");
    const auto stream = impl_->stream;
    if (stream->closed) throw Error(fmt::format("stream {}: commit after close", stream->layout->spec.name));
    if (stream->makers.in_sample()) {
        stream->makers.end();
        stream->frame.clear(); // what belongs to frames: attributes, lengths
        stream->reducer.clear();
        stream->frame_seconds = nullptr;
        impl_->stream.reset();
        return;
    }
    std::unique_ptr<StagedHere> staged;
    const auto number = stream->committed;
    timed(impl_->seconds, [&] {
        if (stream->committed == 0) {
            stream->fixed.complete(impl_->time, std::nullopt);
            *stream->fixed_fields = std::move(*stream->fixed.finish());
        }
        stream->frame.complete(impl_->time, impl_->bounds);
        staged = stream->frame.finish();
        staged->time = impl_->time;
        if (const auto fault = stream->name_fault(impl_->time); staged->fault.empty()) staged->fault = fault;
        staged->number = stream->committed++;
        if (stream->file) {
            staged->file = stream->file;
            staged->in_file = stream->in_file++;
            stream->last = impl_->time;
        }
        if (const auto fault = stream->makers.end(); staged->fault.empty()) staged->fault = fault;
        stream->frame_seconds = nullptr;
        impl_->stream.reset();
    });
    const auto perceived = [&] { stream->tally->perceived({number, impl_->begun, impl_->seconds}); };
    try {
        const bool waits = stream->layout->spec.placement == "inline";
        timed(impl_->seconds, [&] { stream->reducer.submit(std::move(staged), waits); });
    } catch (...) {
        perceived(); // it has a number, and counts
        throw;
    }
    perceived();
    stream->tally->throw_if_failed();
}

void Frame::abandon() { impl_->end(); }

} // namespace squall::io
