/// A stream's manifest (manifest.hpp), read: what its files must hold.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agree/rank_group.hpp"
#include "check.hpp"
#include "publish/manifest_file.hpp"

namespace squall::io::tools {

struct StoredFrame {
    std::string time;
    std::map<std::string, std::uint64_t> fields; ///< checksums; with the first frame also of fixed fields
    std::int64_t line = 0;                       ///< of the manifest
};
using Frames = std::map<std::int64_t, StoredFrame>;

/// What the manifest says of one file.
struct FileRecord {
    std::string name;   ///< as in the manifest
    std::string path;   ///< where it belongs
    std::string engine; ///< that wrote it last
    bool is_published = false;
    Frames published; ///< what was published under this name last
    Frames pending;   ///< stored since then, for a file that is not published
    std::string held; ///< where the file lay whole in a burst directory before it was published, or ""
};

struct Logbook {
    std::string path, stream;
    std::vector<std::string> burst_dirs; ///< that the stream was ever told to use
    std::vector<FileRecord> files;       ///< in the order of their first frames
};

/// The manifests that the arguments mean: each a manifest, or a directory of a run in which they are
/// looked for. Throws Error if there are none.
std::vector<std::string> find_manifests(const std::vector<std::string> &arguments);

/// Reads a manifest on rank 0, for all. Collective. Throws Error on all.
Logbook read_logbook(const RankGroup &group, const std::string &manifest);

/// Whether the file's engine shows its frames one by one.
bool grows(const FileRecord &file);

/// Whether a run has the manifest open and may go on writing.
ManifestFile::Use use_of(const std::string &manifest);

/// Keeps runs and other recoveries of a manifest out, as far as the file system can lock.
class Hold {
  public:
    /// Throws Error if a run has it open; or if that cannot be known, unless `no_locks`: the user knows.
    Hold(const std::string &manifest, bool no_locks);
    ~Hold();
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

  private:
    int fd_;
};

/// Adds that a file is published now, how many frames it has if not all that were stored, and those of them
/// that are there for readers since now. Throws Error.
void add_published(const std::string &manifest, const std::string &file, std::optional<std::int64_t> frames,
                   const Frames &appeared = {});

/// Every field of every frame, to be looked for at `path`.
std::vector<Task> tasks_for(const Frames &frames, const std::string &path);

} // namespace squall::io::tools
