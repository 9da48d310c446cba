/// The manifest of a stream: one JSON line per event, beside the files; what `squall check` and
/// `squall recover` work from, and by which readers and workflow systems follow a run.
///
///     {"event": "open", "stream": "history", "engine": "zarr", "at": "2026-01-01T12:00:00Z",
///      "burst_dir": "/local/burst"}
///     {"event": "stored", "file": "history_2000-01-01.nc", "frame": 0, "time": "2000-01-01T00:00:00",
///      "fields": {"T": "91b0f2ff03ae71c4", ...}}
///     {"event": "burst", "file": "...", "held": "/local/burst/..."}
///     {"event": "published", "file": "..."}
///     {"event": "published", "file": "...", "frames": 3}
///     {"event": "frame", "time": "2000-01-01T00:00:00", "file": "...", "frame": 0}
///     {"event": "removed", "file": "..."}
///
/// Files are relative to the manifest's directory. A "stored" line is on disk before its frame
/// becomes visible. Of two lines about the same frame of the same file the later one counts.
/// Checksums are those of encode.hpp, in hexadecimal; those of fields fixed in time stand in the line of
/// the file's first frame, or of the first after the file has gained them. "burst_dir" is there if the stream
/// has one; "frames" if `squall recover` could not save all that were stored, or a later run left so many of
/// them and made others anew; "removed" says that the file was done away with on purpose, as `squall run
/// --keep-restarts` does. A "frame" line follows when that frame is there for readers: behind the line of its
/// file, or, of an engine that shows its frames one by one, each when it is shown. It is not brought to disk
/// by itself: the store says what it holds. A run that writes it holds a lock on it (manifest_file.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "publish/manifest_file.hpp"

namespace squall::io {

/// Where the manifest of a stream lies: <name>.manifest.jsonl in the directory that the path
/// pattern has before its first time.
std::string manifest_path(const StreamSpec &spec);

/// On the writer that leads. Every function throws Error.
class Manifest {
  public:
    /// `patience`: seconds that another group, which adds to the same manifest, may take for a line. Then it
    /// counts as one that stands still, and the manifest goes on in a copy.
    Manifest(const Layout &layout, double patience) : layout_(layout), patience_(patience) {}

    /// `written`: of the fields, those that were written with the frame.
    void stored(const std::string &file, std::int64_t frame, const Time &time,
                const std::vector<bool> &written, const std::vector<std::uint64_t> &checksums);
    void burst(const std::string &file, const std::string &held);
    /// The file is there for all to see, with the frames of `times` from number `first` on, which were not
    /// before.
    void published(const std::string &file, std::int64_t first = 0, const std::vector<Time> &times = {});
    /// Of the file, which readers see, only the first `frames` are left: others are made anew, or were.
    void cut(const std::string &file, std::int64_t frames);
    /// One more frame of a published file is.
    void shown(const std::string &file, std::int64_t frame, const Time &time);

  private:
    void append(const std::string &lines, bool durable = true);
    bool take_turn();
    std::string introduction() const;
    bool add(const std::string &lines, bool durable);
    void write(const std::string &lines, bool durable);
    std::string frame_line(const std::string &file, std::int64_t frame, const Time &time) const;
    bool may_renew();
    void renew();
    std::string relative(const std::string &file) const;

    const Layout &layout_;
    double patience_;
    std::string path_;
    std::unique_ptr<ManifestFile> file_; ///< null: not open
    bool introduced_ = false;            ///< this run's first line is on disk
    std::string doubtful_;               ///< what may be there and must not, of lines that failed
};

} // namespace squall::io
