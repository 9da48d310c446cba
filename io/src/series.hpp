/// The files of a stream, on each of its writers.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "crew.hpp"
#include "engine.hpp"
#include "manifest.hpp"

namespace squall::io {

/// A file that lies complete in the burst directory and must be copied to where it belongs.
struct Departure {
    std::string held, file;         ///< where it is, where it belongs
    std::vector<std::string> parts; ///< this writer's part of it, relative to both
};

/// Puts frames into files and publishes the files. Every function but write() is collective over
/// the crew and throws the same Error everywhere, with the cause and the file; after that
/// drop_frame() must follow.
class FileSeries {
  public:
    FileSeries(const Layout &layout, const Crew &crew) : layout_(layout), crew_(crew), manifest_(layout) {}

    /// Whether the frame of this number begins a file, which then takes the fields fixed in time
    /// too. Frames from number n * frames_per_file on share a file, also if one of them is lost.
    bool begins_file(std::int64_t number) const {
        return file_.empty() || layout_.file_number(number) != file_number_;
    }

    /// Publishes the file of earlier frames if this one begins another.
    void begin_frame(const Time &time, std::int64_t number);
    /// Keeps what goes wrong for end_frame.
    void write(int field, const std::vector<Piece> &pieces);
    /// The frame is stored, and published if its file is full now or shows its frames one by one.
    /// `fault`: something else that went wrong here. `checksums`: of the whole fields.
    void end_frame(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault);

    /// After a failure: forgets the current frame. Frames stored before it are published.
    void drop_frame();

    /// Publishes a file that is not full.
    void close();

    /// Files that have been closed in the burst directory since the last call.
    std::vector<Departure> departures() { return std::exchange(departures_, {}); }
    /// All parts have been copied to the file's part name.
    void arrive(const Departure &departure);

    std::uint64_t stored_bytes() const {
        return stored_bytes_;
    } ///< on disk, of closed files; where crew leads

  private:
    bool writes() const { return layout_.engine->holding != Holding::first || crew_.leads(); }
    std::string workplace() const;
    void prepare();
    void reveal();
    void finish_file();
    template <class F> void attempt(const std::string &file, F f);
    template <class F> void attempt_leading(const std::string &file, F f);

    const Layout &layout_;
    const Crew &crew_;
    Manifest manifest_;
    std::unique_ptr<Writer> writer_;
    std::string file_; ///< final name of the current file; empty: none
    std::int64_t file_number_ = 0;
    std::int64_t frames_ = 0; ///< stored in the current file
    bool last_ = false;       ///< the current frame is the last of its file
    bool revealed_ = false;
    std::string fault_;               ///< of this writer in the current frame
    std::set<std::string> published_; ///< by this stream
    std::vector<Departure> departures_;
    std::uint64_t stored_bytes_ = 0;
};

} // namespace squall::io
