/// The manifest of a stream: one JSON line per event, beside the files; what `squall check` and
/// `squall recover` work from.
///
///     {"event": "open", "stream": "history", "engine": "zarr", "at": "2026-01-01T12:00:00Z",
///      "burst_dir": "/local/burst"}
///     {"event": "stored", "file": "history_2000-01-01.nc", "frame": 0, "time": "2000-01-01T00:00:00",
///      "fields": {"T": "91b0f2ff03ae71c4", ...}}
///     {"event": "burst", "file": "...", "held": "/local/burst/..."}
///     {"event": "published", "file": "..."}
///     {"event": "published", "file": "...", "frames": 3}
///     {"event": "removed", "file": "..."}
///
/// Files are relative to the manifest's directory. A "stored" line is on disk before its frame
/// becomes visible. Of two lines about the same frame of the same file the later one counts.
/// Checksums are those of encode.hpp, in hexadecimal; those of fields fixed in time stand in the line of
/// the file's first frame. "burst_dir" is there if the stream has one; "frames" if `squall recover`
/// could not save all that were stored; "removed" says that the file was done away with on purpose, as
/// `squall run --keep-restarts` does. A run that writes it holds a lock on it (manifest_file.hpp).
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

    void stored(const std::string &file, std::int64_t frame, const Time &time, bool with_fixed,
                const std::vector<std::uint64_t> &checksums);
    void burst(const std::string &file, const std::string &held);
    void published(const std::string &file);

  private:
    void append(const std::string &line);
    bool take_turn();
    std::string introduction() const;
    void add(const std::string &line);
    void write(const std::string &line);
    bool may_renew();
    void renew();
    std::string relative(const std::string &file) const;

    const Layout &layout_;
    double patience_;
    std::string path_;
    std::unique_ptr<ManifestFile> file_; ///< null: not open
    bool introduced_ = false;            ///< this run's first line is on disk
    std::string doubtful_;               ///< a line that may be there and must not, as it stands; empty: none
};

} // namespace squall::io
