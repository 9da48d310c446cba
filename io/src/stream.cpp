/// Stream and Frame: the public face of stage and placement.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "session.hpp"

namespace squall::io {

struct Stream::Impl {
    Impl(std::shared_ptr<SessionCore> s, std::shared_ptr<const Layout> l)
        : session(std::move(s)), layout(std::move(l)),
          log(std::make_shared<StreamLog>(layout->spec.on_error, session->rank == session->clients.front())),
          room(std::make_shared<Room>(Room{make_pool(*layout, *session), patience_for(*layout, *session),
                                           [this] { placement->progress(); },
                                           [this] { return placement->awaiting(); }})),
          fixed(*layout, false, *room), frame(*layout, true, *room) {}
    ~Impl() {
        if (closed || !placement) return;
        try {
            placement->close_alone();
        } catch (const std::exception &e) {
            fmt::print(stderr, "stream {}: {}\n", layout->spec.name, e.what());
        }
    }
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    void require_open(const char *doing) const {
        if (closed) throw Error(fmt::format("stream {}: {} after close", layout->spec.name, doing));
    }

    std::shared_ptr<SessionCore> session;
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<StreamLog> log;
    std::shared_ptr<Room> room;
    Stage fixed, frame;
    std::shared_ptr<StagedHere> fixed_fields =
        std::make_shared<StagedHere>(); ///< complete after the first commit
    std::shared_ptr<Placement> placement;
    std::int64_t committed = 0;
    bool in_frame = false, closed = false;
};

struct Frame::Impl {
    std::shared_ptr<Stream::Impl> stream;
    Time time;
    double begun = 0, seconds = 0; ///< when, and how long the model has waited here

    ~Impl() { end(); }
    void end() {
        if (!stream) return;
        stream->frame.clear();
        stream->in_frame = false;
        stream.reset();
    }
    template <class F> void timed(F f) {
        const double start = now();
        f();
        seconds += now() - start;
    }
};

Stream Session::open(StreamSpec spec) {
    if (core_->server) throw Error("a stream was opened on a server; call serve() there and nothing else");
    if (core_->closed) throw Error("a stream was opened after the session was closed");
    auto layout = std::make_shared<const Layout>(std::move(spec));
    for (const auto &other : core_->streams)
        if (other.layout->spec.path == layout->spec.path || other.layout->spec.name == layout->spec.name)
            throw Error(
                fmt::format("stream {}: another stream of the session is called {} and writes {}; give each "
                            "stream a name and a path of its own",
                            layout->spec.name, other.layout->spec.name, other.layout->spec.path));
    auto stream = std::make_shared<Stream::Impl>(core_, layout);
    stream->placement =
        place(*core_, {.number = static_cast<int>(core_->streams.size()),
                       .layout = layout,
                       .log = stream->log,
                       .pool = stream->room->pool,
                       .fixed = [kept = stream->fixed_fields]() -> StagedHere & { return *kept; }});
    core_->streams.push_back({layout, stream->log, stream->room, stream->placement});
    return Stream(std::move(stream));
}

Stream::Stream(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::Stream(Stream &&) noexcept = default;
Stream &Stream::operator=(Stream &&) noexcept = default;
Stream::~Stream() = default;

void Stream::put(const std::string &field, const Box &box, const void *data, Type memory,
                 const Strides &strides) {
    impl_->fixed.put(field, box, data, memory, strides);
}

Frame Stream::begin(const Time &time) {
    const double start = now();
    impl_->require_open("begin");
    if (impl_->in_frame)
        throw Error(fmt::format("stream {}: begin while a frame is open; commit or abandon it first",
                                impl_->layout->spec.name));
    format_time(time, impl_->layout->spec.path); // throws on a time that cannot be formatted
    impl_->placement->progress();
    impl_->log->throw_if_failed();
    impl_->in_frame = true;
    auto frame = std::make_unique<Frame::Impl>();
    frame->stream = impl_;
    frame->time = time;
    frame->begun = start;
    frame->seconds = now() - start;
    return Frame(std::move(frame));
}

void Stream::close() {
    impl_->require_open("close");
    impl_->closed = true;
    impl_->placement->close();
    impl_->log->throw_if_failed();
}

Frame::Frame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Frame::Frame(Frame &&) noexcept = default;
Frame &Frame::operator=(Frame &&) noexcept = default;
Frame::~Frame() = default;

void Frame::put(const std::string &field, const Box &box, const void *data, Type memory,
                const Strides &strides) {
    if (!impl_->stream) throw Error("put into a frame that was committed or abandoned");
    impl_->timed([&] { impl_->stream->frame.put(field, box, data, memory, strides); });
}

void Frame::commit() {
    if (!impl_->stream) throw Error("commit of a frame that was committed or abandoned");
    const auto stream = impl_->stream;
    stream->require_open("commit");
    impl_->timed([&] {
        auto staged = stream->frame.finish();
        staged->time = impl_->time;
        staged->number = stream->committed;
        if (stream->committed++ == 0) *stream->fixed_fields = std::move(*stream->fixed.finish());
        impl_->end();
        stream->placement->commit(std::move(staged));
    });
    stream->log->perceived({impl_->begun, impl_->seconds});
    stream->log->throw_if_failed();
}

void Frame::abandon() { impl_->end(); }

} // namespace squall::io
