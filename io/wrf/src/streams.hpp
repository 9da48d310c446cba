/// The sessions and streams behind WRF's files. WRF opens, writes and closes a file at a time; a stream
/// writes one after the other without waiting, as long as they have the same fields.
#pragma once

#include <list>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <mpi.h>

#include "description.hpp"
#include "settings.hpp"
#include "squall/io.hpp"

namespace squall::wrf {

/// One of WRF's I/O layers, whose calls this library answers.
struct Layer {
    const char *name;   ///< as in the names of its calls: ext_<name>_write_field
    const char *engine; ///< that writes its format
    bool serial;        ///< one rank writes what WRF gathered, or each rank a file of its own
};
/// Throws io::Error for a name that is none.
const Layer &layer_named(const std::string &name);

/// A stream, and whether a file of it is open.
struct OpenStream {
    std::string name;
    io::Stream stream;
    MPI_Comm comm; ///< of its session
    bool busy = false;
    std::set<std::string> files = {}; ///< names of all that it has written
};

class Streams {
  public:
    /// A stream without an open file that writes such files into the file's directory, or a new one.
    /// Collective over `comm` unless the layer is serial. Throws io::Error.
    OpenStream &with(const Layer &layer, MPI_Comm comm, const std::string &kind, const std::string &directory,
                     const std::string &file, const Description &description);

    /// Waits for other streams that may still be writing a file of this name, which then `own` may write.
    /// Collective. Throws io::Error.
    void settle(const OpenStream &own, const std::string &name);

    /// Where a file of this kind goes: the directory, and its name there.
    std::pair<std::string, std::string> place(MPI_Comm comm, const std::string &kind,
                                              const std::string &file);

    /// Waits until all that the layer wrote is stored, and ends its sessions. Collective. Throws io::Error.
    void close(const Layer &layer);
    /// The same with every layer.
    void close();

  private:
    struct Member {
        std::string key;
        OpenStream open;
    };
    struct Group { ///< of ranks that write together
        const Layer *layer;
        MPI_Comm comm;
        std::shared_ptr<io::Session> session;
        std::list<Member> members = {};
    };
    Group &group(const Layer &layer, MPI_Comm comm);
    std::string free_report(const std::string &given, const Layer &layer) const;
    std::string free_name(const Group &group, const std::string &file) const;

    std::list<Group> groups_;
};

/// The name of a file without its time: wrfout_d01 of wrfout_d01_2000-01-24_12:00:00.
std::string without_time(const std::string &file);

} // namespace squall::wrf
