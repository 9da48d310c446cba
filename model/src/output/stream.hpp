/// From the run file to io: what a session and its streams are, whatever they hold.
#pragma once

#include <string>
#include <vector>

#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// The session of a run, without a report.
io::SessionSpec session_spec(const Config &config);

/// Throws ConfigError on all ranks: servers that cannot be set aside. Collective.
io::Session open_session(MPI_Comm comm, const Config &config, const io::SessionSpec &spec);

/// Who writes a stream whose run file leaves the choice: servers where there are, else a thread where
/// MPI lets threads communicate, else the computing ranks. MPI must be initialised.
std::string placement_of(const StreamConfig &stream, const Config &config);

/// The declaration of a stream, but for dimensions, fields and attributes.
io::StreamSpec stream_spec(const StreamConfig &stream, const Config &config);

/// A plan declares streams before the initial state is read, and may not know sizes and profiles yet.
enum class Declared { for_run, for_plan };

/// Opens a stream; of a run that goes on, behind the frames from before the restart in the file that it
/// writes first, which has to be of this declaration. `largest` has the extents of the largest patches, as
/// staged_bytes() takes them. Throws ConfigError, with the line of the run file and what would work, for a
/// declaration that cannot work; on all ranks alike.
io::Stream open_stream(io::Session &session, const StreamConfig &stream, const Config &config,
                       const io::StreamSpec &spec, const std::vector<Shape> &largest,
                       Declared declared = Declared::for_run);

} // namespace squall
