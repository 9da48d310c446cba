/// Session, Stream and Frame: the public face of stage and placement.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "layout.hpp"
#include "placement.hpp"
#include "stage.hpp"

namespace squall::io {

struct Session::Impl {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<std::string> paths; ///< patterns of the streams declared so far

    explicit Impl(MPI_Comm original) { MPI_Comm_dup(original, &comm); }
    ~Impl() { MPI_Comm_free(&comm); }
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;
};

struct Stream::Impl {
    Impl(std::shared_ptr<Session::Impl> s, StreamSpec spec)
        : session(std::move(s)), layout(std::move(spec)), fixed(layout, false), frame(layout, true),
          placement(place(layout, session->comm)) {}
    ~Impl() {
        if (closed) return;
        try {
            placement->close_alone();
        } catch (const std::exception &e) {
            fmt::print(stderr, "stream {}: {}\n", layout.spec.name, e.what());
        }
    }
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    void require_open(const char *doing) const {
        if (closed) throw Error(fmt::format("stream {}: {} after close", layout.spec.name, doing));
    }

    std::shared_ptr<Session::Impl> session;
    Layout layout;
    Stage fixed, frame;
    std::unique_ptr<Placement> placement;
    bool in_frame = false, closed = false;
};

struct Frame::Impl {
    std::shared_ptr<Stream::Impl> stream;
    Time time;

    ~Impl() { end(); }
    void end() {
        if (!stream) return;
        stream->frame.clear();
        stream->in_frame = false;
        stream.reset();
    }
};

Session::Session(MPI_Comm comm) : impl_(std::make_shared<Impl>(comm)) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

Stream Session::open(StreamSpec spec) {
    const auto path = spec.path;
    auto stream = std::make_shared<Stream::Impl>(impl_, std::move(spec));
    if (std::ranges::find(impl_->paths, path) != impl_->paths.end())
        throw Error(fmt::format("stream {}: another stream writes {}; give each stream a path of its own",
                                stream->layout.spec.name, path));
    impl_->paths.push_back(path);
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
    impl_->require_open("begin");
    if (impl_->in_frame)
        throw Error(fmt::format("stream {}: begin while a frame is open; commit or abandon it first",
                                impl_->layout.spec.name));
    format_time(time, impl_->layout.spec.path); // throws on a time that cannot be formatted
    impl_->in_frame = true;
    return Frame(std::make_unique<Frame::Impl>(impl_, time));
}

void Stream::close() {
    impl_->require_open("close");
    impl_->closed = true;
    impl_->placement->close();
}

Frame::Frame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Frame::Frame(Frame &&) noexcept = default;
Frame &Frame::operator=(Frame &&) noexcept = default;
Frame::~Frame() = default;

void Frame::put(const std::string &field, const Box &box, const void *data, Type memory,
                const Strides &strides) {
    if (!impl_->stream) throw Error("put into a frame that was committed or abandoned");
    impl_->stream->frame.put(field, box, data, memory, strides);
}

void Frame::commit() {
    if (!impl_->stream) throw Error("commit of a frame that was committed or abandoned");
    const auto stream = impl_->stream;
    stream->require_open("commit");
    try {
        stream->placement->commit(impl_->time, stream->fixed, stream->frame);
    } catch (...) {
        impl_->end();
        throw;
    }
    impl_->end();
}

void Frame::abandon() { impl_->end(); }

} // namespace squall::io
