/// What a run file leaves to be derived: names, and the grid of an initial file.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "initial/initial.hpp"
#include "settings/calendar.hpp"
#include "settings/network.hpp"

namespace squall {
namespace {

/// Takes `in_file` for a key of the run file; where that is given too, they must agree.
template <class T> void take(Reading &r, const std::string &path, T &slot, const T &in_file) {
    bool equal = slot == in_file;
    // Spacings pass through single precision in such files.
    if constexpr (std::is_same_v<T, double>) equal = std::abs(slot - in_file) <= 1e-6 * std::abs(in_file);
    if (r.has(path) && !equal)
        r.problems.add(r.place(path),
                       fmt::format("{} = {} disagrees with initial.file = \"{}\", which has {}; leave it out",
                                   path, slot, r.config.initial.file, in_file));
    slot = in_file;
}

void take_grid(Reading &r, const WrfInputInfo &info) {
    DomainConfig &domain = r.config.domain;
    take(r, "domain.nx", domain.nx, info.nx);
    take(r, "domain.ny", domain.ny, info.ny);
    take(r, "domain.nz", domain.nz, info.nz);
    take(r, "domain.dx", domain.dx, info.dx);
    take(r, "domain.dy", domain.dy, info.dy);
    take(r, "run.start", r.config.run.start, format_iso(parse_time(info.start)));
    take(r, "vertical.coordinate", r.config.vertical.coordinate,
         std::string(info.hybrid ? "hybrid" : "sigma"));
    for (const std::string path : {"vertical.etac", "vertical.top", "vertical.stretch", "vertical.eta"})
        if (r.has(path))
            r.problems.add(r.place(path),
                           path + " has no effect: initial.file has its own levels; leave it out");
}

/// PHB tells what it was made with. WRF runs idealised cases with nothing else; of real ones it makes the
/// base state again, with what its namelist says.
void take_hypsometric(Reading &r, const WrfInputInfo &info) {
    int &option = r.config.dynamics.hypsometric;
    if (info.hypsometric == 0) return;
    if (!r.has("dynamics.hypsometric"))
        option = info.hypsometric;
    else if (info.ideal && option != info.hypsometric)
        r.problems.add(r.place("dynamics.hypsometric"),
                       fmt::format("dynamics.hypsometric = {}, but PHB of initial.file = \"{}\" was computed "
                                   "with {} (WRF always runs idealised cases with 1, whatever its namelist "
                                   "or the file's attribute HYPSOMETRIC_OPT says); leave it out",
                                   option, r.config.initial.file, info.hypsometric));
}

} // namespace

void check_w(Reading &r, const std::string &key, const std::string &file) {
    if (r.config.initial.vertical_wind != "file" || r.inspected.of(file).has_w) return;
    r.problems.add(r.place(key), fmt::format("{}: \"{}\" has no variable W, which initial.vertical_wind = "
                                             "\"file\" needs; leave out that key, and w starts from the flow",
                                             key, file));
}

namespace {

void take_initial_file(Reading &r) {
    std::string &file = r.config.initial.file;
    file = (std::filesystem::path(r.config.file).parent_path() / file).string();
    if (!r.inspected.is_file(file)) {
        r.problems.add(
            r.place("initial.file"),
            fmt::format("initial.file: there is no file \"{}\" (paths are relative to the run file){}", file,
                        r.has("prepare.analysis") ? "; `squall prepare` with this run file makes it" : ""));
        return;
    }
    try {
        const WrfInputInfo info = r.inspected.of(file);
        take_grid(r, info);
        take_hypsometric(r, info);
        check_w(r, "initial.file", file);
    } catch (const std::exception &error) {
        r.problems.add(r.place("initial.file"), fmt::format("initial.file: {}", error.what()));
    }
}

void take_sounding(Reading &r) {
    const std::string &name = r.config.initial.case_name;
    if (name != "supercell" && name != "squall-line" && name != "column")
        r.problems.add(r.place("initial.sounding"),
                       "initial.sounding has no effect without initial.case = \"supercell\", \"squall-line\" "
                       "or \"column\"; leave it out");
    take_file(r, "initial.sounding", r.config.initial.sounding);
}

/// Tables that cases of air under a wide flow have.
void take_table_of_column(Reading &r, const std::string &key, std::string &file) {
    if (!r.has(key)) return;
    if (!has_parameter(r.config, "geostrophic_u"))
        r.problems.add(r.place(key),
                       fmt::format("{} has no effect without initial.case = \"column\", \"stratocumulus\" or "
                                   "\"radiative-convective\"; leave it out",
                                   key));
    take_file(r, key, file);
}

/// Files are called by what they are.
const char *extension(const std::string &engine) {
    return engine == "zarr" ? ".zarr" : engine == "adios" ? ".bp" : ".nc";
}

} // namespace

void derive_defaults(Reading &r) {
    Config &config = r.config;
    if (!r.has("run.name")) config.run.name = std::filesystem::path(config.file).stem().string();
    if (!r.has("run.directory")) config.run.directory = "runs/" + config.run.name;
    const auto derive_paths = [&](StreamConfig &stream) {
        for (auto *table : {&stream.stations, &stream.trajectories}) // from the folder of the run file
            if (!table->empty())
                *table = (std::filesystem::path(config.file).parent_path() / *table).string();
        if (!r.has("output." + stream.name + ".path") && stream.path.empty())
            stream.path = goes_over_network(stream.engine)
                              ? stream.name + ".sst"
                              : stream.name + "_%Y-%m-%d_%H:%M:%S" + extension(stream.engine);
    };
    std::ranges::for_each(config.streams, derive_paths);
    std::ranges::for_each(config.nest_streams, derive_paths);
    if (r.has("physics.radiation_tables"))
        config.physics.radiation_tables =
            (std::filesystem::path(config.file).parent_path() / config.physics.radiation_tables).string();
    if (r.has("initial.sounding")) take_sounding(r);
    take_table_of_column(r, "initial.surface", config.initial.surface);
    take_table_of_column(r, "initial.geostrophic", config.initial.geostrophic);
    if (r.has("initial.file")) {
        take_initial_file(r);
        return;
    }
    if (config.initial.vertical_wind == "file")
        r.problems.add(r.place("initial.vertical_wind"),
                       "initial.vertical_wind = \"file\" needs initial.file; "
                       "leave it out");
    if (!r.has("domain.dy")) config.domain.dy = config.domain.dx;
}

} // namespace squall
