#include "runfile/winds.hpp"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "config/problems.hpp"

namespace squall::transport {
namespace {

template <class T> void broadcast(MPI_Comm comm, T &values, MPI_Datatype type) {
    auto size = static_cast<int>(values.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    values.resize(static_cast<std::size_t>(size));
    MPI_Bcast(values.data(), size, type, 0, comm);
}

void no_effect(squall::Reading &r, const std::string &table, const std::vector<std::string> &keys,
               const std::string &because) {
    for (const std::string &key : keys)
        if (const std::string path = table + "." + key; r.has(path))
            r.problems.add(r.place(path), fmt::format("{} has no effect {}; leave it out", path, because));
}

/// Where the keys contradict each other.
bool makes_sense(squall::Reading &r, const Settings &s) {
    const bool from_file = r.has("wind.file"), levels = s.levels.coordinate == "file";
    if (from_file) no_effect(r, "wind", {"flow", "period", "angle"}, "with wind.file");
    if (from_file) no_effect(r, "weather", {"kind"}, "with wind.file");
    if (!from_file) no_effect(r, "wind", {"read"}, "without wind.file");
    if (levels) no_effect(r, "vertical", {"nz", "top", "spacing"}, "with coordinate = \"file\"");
    if (levels && !from_file)
        r.problems.add(r.place("vertical.coordinate"),
                       "vertical.coordinate: the levels of a file need wind.file");
    if (from_file && s.levels.coordinate == "pressure")
        r.problems.add(r.place("vertical.coordinate"),
                       "vertical.coordinate: surfaces of constant pressure cannot follow the surface "
                       "pressure of analyses; choose \"hybrid\", \"sigma\" or \"file\"");
    return from_file && s.levels.coordinate != "pressure";
}

} // namespace

WindHeaders headers_for(MPI_Comm comm) {
    return [comm](const std::string &path, const std::string &start) {
        WindHeader header;
        std::string complaint;
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        if (rank == 0) try {
                header = read_wind_header(path, start);
            } catch (const std::exception &error) {
                complaint = error.what();
            }
        broadcast(comm, complaint, MPI_CHAR);
        if (!complaint.empty()) throw std::invalid_argument(complaint);
        for (auto *list : {&header.times, &header.lon, &header.lat, &header.a, &header.b})
            broadcast(comm, *list, MPI_DOUBLE);
        for (std::string *time : {&header.first, &header.last}) broadcast(comm, *time, MPI_CHAR);
        MPI_Bcast(&header.updraughts, 1, MPI_CXX_BOOL, 0, comm);
        return header;
    };
}

void take_winds(squall::Reading &r, Settings &s, const WindHeaders &headers) {
    if (!makes_sense(r, s)) return;
    s.wind.file = (std::filesystem::path(s.common.file).parent_path() / s.wind.file).string();
    if (!r.inspected.is_file(s.wind.file))
        return r.problems.add(r.place("wind.file"),
                              fmt::format("wind.file: there is no file \"{}\" (paths are relative to the "
                                          "run file); squall transport prepare makes it",
                                          s.wind.file));
    try {
        s.winds = headers(s.wind.file, s.common.run.start);
        check_wind_grid(s.winds, make_globe(s.grid.kind, s.grid.nlon, s.grid.nlat));
        if (s.levels.coordinate == "file")
            s.levels.nz = s.winds.layers(), s.levels.a = s.winds.a, s.levels.b = s.winds.b;
        check_wind_levels(s.winds, make_levels(s.levels));
        check_wind_times(s.winds, s.common.run.duration, s.common.run.time_step);
    } catch (const std::invalid_argument &problem) {
        r.problems.add(r.place("wind.file"), fmt::format("wind.file: {}: {}", s.wind.file, problem.what()));
    }
}

} // namespace squall::transport
