#include "run/read_together.hpp"

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
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

} // namespace

Config read_together(MPI_Comm comm, const std::string &file, const std::vector<std::string> &overrides) {
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

} // namespace squall
