#include "output/stream.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/interval.hpp"
#include "core/see.hpp"
#include "output/frame_size.hpp"
#include "output/restart.hpp"
#include "settings/nests.hpp"
#include "settings/network.hpp"
#include "squall/io_append.hpp"

namespace squall {
namespace {

[[noreturn]] void refuse(const Config &config, const StreamConfig &stream, const std::string &what) {
    const std::string line = stream.line > 0 ? fmt::format(":{}", stream.line) : "";
    throw ConfigError(
        see(fmt::format("{}{}: [output.{}]: {}", config.file, line, stream.name, what), "output"));
}

std::string would_lose_frames(const std::string &why) {
    return fmt::format("its path names a file with frames from before the restart, which would be lost: {}; "
                       "or give the stream another path",
                       why);
}

/// When a run goes on; none where its restart frame cannot be read, which refuses it by itself. Local.
std::optional<double> restart_time(const Config &config) try {
    return read_restart_place(config.run.restart_from, config).seconds;
} catch (const io::Error &) {
    return std::nullopt;
}

/// Frames from before the restart in the file that a stream writes first after it.
struct Earlier {
    std::int64_t frames = 0;
    std::string fault; ///< why the stream cannot go on behind them
};

/// Whether a plan, which has not read where cells are, knows a stream's dimensions.
bool knows_sizes(const StreamConfig &stream) {
    return stream.lonlatbox.empty() && stream.places_outside == "refuse";
}

/// Of the declaration of a plan, which has not read the initial state either: profiles that the file lacks
/// may not be there.
void leave_out_what_is_not_known(io::StreamSpec &spec, const io::EarlierFile &file) {
    std::erase_if(spec.fields, [&](const io::Field &f) {
        return !f.per_frame && f.dimensions.size() == 1 && !file.has(f.name);
    });
}

/// Why a stream cannot go on in its file, or "".
std::string continuation_fault(const StreamConfig &stream, io::StreamSpec spec, const io::EarlierFile &file,
                               const io::Time &first, Declared declared) {
    if (declared == Declared::for_plan && !knows_sizes(stream)) return "";
    if (declared == Declared::for_plan) leave_out_what_is_not_known(spec, file);
    spec.append = true;
    return file.fault(spec, first);
}

Earlier find_earlier(const StreamConfig &stream, const Config &config, const io::StreamSpec &spec,
                     Declared declared) {
    const auto restart = restart_time(config);
    if (!restart) return {};
    const io::Time first{next_multiple(*restart, stream.interval), config.run.start, spec.calendar};
    const auto path = io::format_time(first, spec.path);
    if (!std::filesystem::exists(path)) return {};
    Earlier found;
    try {
        const io::EarlierFile file(path);
        auto nearly = first;
        nearly.seconds -= 1e-3 * config.run.time_step;
        found.frames = file.frames_before(nearly);
        if (found.frames > 0) found.fault = continuation_fault(stream, spec, file, first, declared);
    } catch (const io::Error &error) {
        found.fault = error.what();
    }
    return found;
}

void share(MPI_Comm comm, std::string &text) {
    auto length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
}

/// Of the stream of a run that goes on: whether it goes on behind frames of a file. Rank 0 looks. Throws
/// ConfigError on all ranks: it cannot. Collective.
bool goes_on(MPI_Comm comm, const StreamConfig &stream, const Config &config, const io::StreamSpec &spec,
             Declared declared) {
    if (config.run.restart_from.empty() || !spec.time || goes_over_network(stream.engine)) return false;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    Earlier found;
    if (rank == 0) found = find_earlier(stream, config, spec, declared);
    MPI_Bcast(&found.frames, 1, MPI_INT64_T, 0, comm);
    share(comm, found.fault);
    if (!found.fault.empty() && found.frames == 0)
        refuse(config, stream,
               fmt::format("{} cannot be read, so that frames from before the restart could be lost; inspect "
                           "it with `squall check`, and move it away",
                           spec.path));
    if (!found.fault.empty()) refuse(config, stream, would_lose_frames(found.fault));
    return found.frames > 0;
}

} // namespace

io::SessionSpec session_spec(const Config &config) {
    const OutputConfig &o = config.output;
    io::SessionSpec s;
    s.servers = o.servers;
    s.servers_per_node = o.servers_per_node;
    s.groups = o.groups;
    s.assignment = o.assignment;
    s.watchdog = o.watchdog;
    s.timeout = o.timeout;
    // Each stream has what the run file gives it, whatever the others need.
    double staging = default_restart(config).staging_limit;
    for (const Config &domain : with_nests(config))
        for (const auto &stream : domain.streams) staging += stream.staging_limit;
    s.staging_limit = static_cast<std::size_t>(staging);
    return s;
}

io::Session open_session(MPI_Comm comm, const Config &config, const io::SessionSpec &spec) {
    try {
        return io::Session(comm, spec);
    } catch (const io::Error &e) {
        throw ConfigError(see(fmt::format("{}: [output]: {}", config.file, e.what()), "size-servers"));
    }
}

std::string placement_of(const StreamConfig &stream, const Config &config) {
    if (!stream.placement.empty()) return stream.placement;
    if (config.output.servers > 0 || config.output.servers_per_node > 0) return "servers";
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE ? "thread" : "inline";
}

io::StreamSpec stream_spec(const StreamConfig &stream, const Config &config) {
    io::StreamSpec s;
    s.name = stream.name;
    s.path = (std::filesystem::path(config.run.directory) / stream.path).string();
    s.engine = stream.engine;
    s.placement = placement_of(stream, config);
    s.codec = stream.codec;
    s.options = stream.options;
    s.frames_per_file = stream.frames_per_file;
    s.replace = true;
    s.burst_dir = stream.burst_dir;
    s.staging_limit = static_cast<std::size_t>(stream.staging_limit);
    s.when_full = stream.when_full;
    s.spill_dir = stream.spill_dir;
    s.on_error = stream.on_error;
    s.reduce = stream.reduce;
    return s;
}

io::Stream open_stream(io::Session &session, const StreamConfig &stream, const Config &config,
                       const io::StreamSpec &spec, const std::vector<Shape> &largest, Declared declared) {
    const double needed = staged_bytes(spec, largest);
    if (spec.when_full != "spill" && needed > stream.staging_limit)
        refuse(config, stream,
               fmt::format("staging_limit is {:.4g} MB, but a rank's part of one frame needs {:.4g} MB; "
                           "raise it to \"{:.0f} MB\" or more, use more ranks, or set when_full = \"spill\"",
                           stream.staging_limit / 1e6, needed / 1e6, std::ceil(1.1 * needed / 1e6)));
    auto opened = spec;
    opened.append = goes_on(session.comm(), stream, config, spec, declared);
    try {
        return session.open(opened);
    } catch (const io::Error &e) {
        refuse(config, stream, opened.append ? would_lose_frames(e.what()) : e.what());
    }
}

} // namespace squall
