#include "run/read_together.hpp"

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "config/inspections.hpp"
#include "config/read.hpp"
#include "core/local_error.hpp"

namespace squall {
namespace {

/// Rank 0's, on all ranks of `comm`.
template <class Bytes> void spread(MPI_Comm comm, Bytes &bytes) {
    auto size = static_cast<std::int64_t>(bytes.size());
    MPI_Bcast(&size, 1, MPI_INT64_T, 0, comm);
    bytes.resize(static_cast<std::size_t>(size));
    MPI_Bcast(bytes.data(), static_cast<int>(size), MPI_BYTE, 0, comm);
}

/// The small files that a run file names, read by rank 0, on all.
void spread_small_files(MPI_Comm comm, Config &config) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string names;
    if (rank == 0) {
        const InitialConfig &initial = config.initial;
        for (const std::string &file : {initial.sounding, initial.surface, initial.geostrophic})
            config.files.read(file);
        config.files.read(config.wind_farm.turbines);
        for (const std::string &curve : config.wind_farm.curves) config.files.read(curve);
        for (const auto *streams : {&config.streams, &config.nest_streams})
            for (const StreamConfig &stream : *streams)
                for (const std::string &file : {stream.stations, stream.trajectories})
                    config.files.read(file);
        for (const std::string &name : config.files.names()) names += name + '\n';
    }
    spread(comm, names);
    std::istringstream each(names);
    for (std::string name, text; std::getline(each, name);) {
        if (rank == 0) text = config.files.open(name).str();
        spread(comm, text);
        if (rank != 0) config.files.keep(name, text);
    }
}

Config read_and_tell(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::optional<Config> config;
    std::string text, complaint;
    std::vector<std::uint8_t> seen;
    if (rank == 0) {
        try {
            Inspections inspected;
            text = run_file_text(file);
            config = parse_config(text, file, overrides, inspected);
            seen = inspected.packed();
        } catch (const ConfigError &error) {
            complaint = error.what();
        } catch (const std::bad_alloc &) {
            throw;
        } catch (const std::exception &error) { // the others wait
            throw LocalError(error.what());
        }
    }
    spread(comm, complaint);
    if (!complaint.empty()) throw ConfigError(complaint);
    spread(comm, text);
    spread(comm, seen);
    if (config) return std::move(*config);
    Inspections inspected = Inspections::unpacked(seen);
    try {
        return parse_config(text, file, overrides, inspected);
    } catch (const ConfigError &error) {
        throw LocalError(error.what());
    }
}

} // namespace

Config read_together(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides) {
    Config config = read_and_tell(comm, file, overrides);
    spread_small_files(comm, config);
    return config;
}

} // namespace squall
