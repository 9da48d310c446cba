/// The files of a stream, on the process that writes them.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "engine.hpp"

namespace squall::io {

/// Puts frames into files and publishes the files. Every function throws Error with the cause and
/// the file; after that drop_frame() must follow.
class FileSeries {
  public:
    explicit FileSeries(const Layout &layout) : layout_(layout) {}

    /// Whether the next frame begins a file, which then takes the fields fixed in time too.
    bool at_new_file() const { return !writer_; }

    void begin_frame(const Time &time);
    void write(int field, const Box &box, const void *points);
    void end_frame(); ///< the frame is stored, and published with its file if that is full now

    /// After a failure: forgets the current frame. Frames stored before it are published.
    void drop_frame();

    /// Publishes a file that is not full.
    void close();

  private:
    void create(const Time &time);
    void discard(); ///< removes a file without a whole frame
    template <class F> void attempt(F f);

    const Layout &layout_;
    std::unique_ptr<Writer> writer_;
    std::string file_;
    std::int64_t frames_ = 0;         ///< stored in the current file
    std::set<std::string> published_; ///< by this stream
};

} // namespace squall::io
