/// What an engine provides: what declarations, readers and the rest of the runtime know of it, and all that
/// they include of this folder. An engine is a folder beside it that defines one `Engine` and asks
/// for its library in its own CMakeLists.txt. Declarations name it; what its parts do stands where they are
/// used: publish/writer.hpp, publish/sink.hpp, read/source.hpp, read/feed.hpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "squall/io_declare.hpp"

namespace squall::io {

class RankGroup;
class Encoder;
class Feed;
class Sink;
class Source;
class Writer;
struct Layout;
struct Seat;

/// A part of a field and the writer that holds it, or must.
struct Share {
    Box box;
    int writer = 0;
};
using Shares = std::vector<Share>;

/// Of formats in which frames lie one behind the other, so that a file which was cut off within one still has
/// those before it.
struct Salvage {
    /// Whether a file is in such a format, by a look at its first bytes.
    bool (*recognises)(const std::string &file) = nullptr;
    /// Opens it with as many frames as it is long enough for.
    std::unique_ptr<Source> (*open)(const std::string &file) = nullptr;
    /// Takes back what is behind the first `frames` frames of a file that nobody has open.
    void (*cut)(const std::string &file, std::int64_t frames) = nullptr;
};

/// Who must have what of a field when it is written.
enum class Distribution {
    to_first,   ///< writer 0 everything
    as_it_lies, ///< each writer what it happens to have
    by_shares   ///< what Engine::shares says
};

struct Engine {
    std::string name, makes;         ///< and what it makes of frames, in a few words
    std::vector<std::string> codecs; ///< the first is the default; a level may follow: "zstd:3"
    std::vector<OptionInfo> options; ///< what StreamSpec::options may hold
    Distribution distribution = Distribution::to_first;
    bool together = false;  ///< its library writes together: calls marked (t) may wait for others
    bool accounts = false;  ///< writer 0 needs account() of all to describe a frame
    bool directory = false; ///< makes a directory, not a file
    bool views = false;     ///< takes pieces that are views, but for text
    bool grows = false;     ///< frames are revealed one by one in a file that readers see
    bool appends = false;   ///< a published file can be reopened

    /// What writes a file at `path` (a directory's parent exists). Touches nothing yet. `layout` stays
    /// valid as long as the Writer.
    std::unique_ptr<Writer> (*create)(const Layout &layout, const std::string &path, Seat seat) = nullptr;
    /// For Distribution::by_shares: parts that make up the whole field, whatever the number of writers; a
    /// part goes to one writer. The same on every rank.
    Shares (*shares)(const Layout &layout, int field, int writers) = nullptr;
    /// Who compresses chunks before a writer has them; may be null, and may give null. `layout` stays valid.
    std::unique_ptr<Encoder> (*encoder)(const Layout &layout) = nullptr;
    /// For a target that is no series of files, such as a network stream; else null.
    std::unique_ptr<Sink> (*connect)(const Layout &layout, const RankGroup &group) = nullptr;

    /// Whether the engine should read what is at `path`, by a look at its first bytes or names.
    bool (*recognises)(const std::string &path) = nullptr;
    std::unique_ptr<Source> (*open)(const std::string &path) = nullptr;
    Salvage salvage = {}; ///< if its files can be cut

    /// What is wrong with a declaration for this engine (options, sizes), or "". May be null.
    std::string (*objection)(const Layout &layout) = nullptr;
    /// The same of attributes that a client gives a file of its own, beside those of the stream. May be null.
    std::string (*attributes_objection)(const Layout &layout,
                                        const std::vector<Attribute> &attributes) = nullptr;
    /// The same of going on in the file at `path`, whose fields are those of the declaration. May be null.
    std::string (*append_objection)(const Layout &layout, const std::string &path) = nullptr;

    /// For a target that is a network stream: the frames of the one that `where` means, a run directory, a
    /// file or an address. Waits for nothing.
    std::unique_ptr<Feed> (*subscribe)(const std::string &where) = nullptr;
};

/// Engines of this build, in the order in which they should look at a file. Which these are is found out when
/// the build is configured: CMake writes this function and the next.
const std::vector<const Engine *> &built_engines();

/// Engines that this build lacks, by name, each with the reason.
const std::vector<std::pair<std::string, std::string>> &missing_engines();

/// The engine of a name; throws Error with the reason if this build lacks it.
const Engine &engine_named(const std::string &name);

/// How frames at the end of a file can be cut off; null if they cannot.
const Salvage *salvage_of(const std::string &path);

} // namespace squall::io
