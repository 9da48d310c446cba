#include "config/checks.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "config/land_schema.hpp"
#include "config/schema.hpp"
#include "config/units.hpp"
#include "config/wind_farm_schema.hpp"

namespace squall {
namespace {

/// More steps than any run takes; below it every step number is exact in an int.
constexpr double max_steps = 2e9;

/// The nearest whole number of `step` in `time`, at least 1.
double nearest_multiple(double time, double step) { return std::max(1.0, std::round(time / step)) * step; }

bool is_multiple(double time, double step) {
    return std::abs(time - nearest_multiple(time, step)) <= 1e-9 * std::max(time, step);
}

} // namespace

void check_multiple(Reading &r, const std::string &path, double time) {
    if (r.config.run.adaptive_time_step) return; // steps end where they must
    const double step = r.config.run.time_step;
    if (time / step > max_steps)
        r.problems.add(r.place(path),
                       fmt::format("{} is {:.0f} time steps of {} s; at most {:.0f} are possible", path,
                                   time / step, step, max_steps));
    else if (!is_multiple(time, step))
        r.problems.add(
            r.place(path),
            fmt::format(
                "{} = {} s is not a whole number of time steps of {} s; the nearest that is: \"{} s\"", path,
                time, step, nearest_multiple(time, step)));
}

void check_interfaces(Reading &r, const std::string &key, const std::vector<double> &eta) {
    const auto refuse = [&](const std::string &what) { r.problems.add(r.place(key), key + ' ' + what); };
    if (eta.size() < 4)
        return refuse(fmt::format("has {} interfaces; at least 4, for 3 layers, are needed", eta.size()));
    if (eta.front() != 1 || eta.back() != 0)
        refuse(fmt::format("goes from {} to {}; it must go from 1 to 0", eta.front(), eta.back()));
    const auto high = std::ranges::adjacent_find(eta, std::less_equal{});
    if (high == eta.end()) return;
    const auto k = high - eta.begin() + 1;
    refuse(fmt::format("must decrease strictly: {} follows {} (values {} and {})", eta[k], eta[k - 1], k + 1,
                       k));
}

namespace {

void check_run(Reading &r) {
    const RunConfig &run = r.config.run;
    check_multiple(r, "run.duration", run.duration);
    if (run.name.empty() || run.name.find('/') != std::string::npos)
        r.problems.add(r.place("run.name"),
                       fmt::format("run.name: \"{}\" is not a valid name for a directory", run.name));
    if (!run.restart_from.empty() && !r.inspected.exists(run.restart_from))
        r.problems.add(r.place("run.restart_from"),
                       fmt::format("run.restart_from: \"{}\" does not exist in the current directory, {}",
                                   run.restart_from, std::filesystem::current_path().string()));
}

void check_periodic_pair(Reading &r, const std::string &one, Boundary a, const std::string &other,
                         Boundary b) {
    if ((a == Boundary::periodic) == (b == Boundary::periodic)) return;
    const auto name = [](Boundary side) { return boundary_names()[static_cast<std::size_t>(side)]; };
    const std::string path = r.has(one) ? one : other;
    r.problems.add(r.place(path), fmt::format("{} = \"{}\" with {} = \"{}\": two opposite sides are either "
                                              "both periodic or neither is (each is periodic by default)",
                                              one, name(a), other, name(b)));
}

void check_domain(Reading &r) {
    const Boundaries &b = r.config.domain.boundaries;
    check_periodic_pair(r, "domain.boundary_west", b.west, "domain.boundary_east", b.east);
    check_periodic_pair(r, "domain.boundary_south", b.south, "domain.boundary_north", b.north);
}

void check_eta(Reading &r) {
    const std::vector<double> &eta = r.config.vertical.eta;
    if (!r.has("vertical.eta")) return;
    const auto wanted = static_cast<std::size_t>(r.config.domain.nz) + 1;
    if (eta.size() != wanted)
        r.problems.add(r.place("vertical.eta"),
                       fmt::format("vertical.eta has {} interfaces; domain.nz = {} layers need {}",
                                   eta.size(), r.config.domain.nz, wanted));
    check_interfaces(r, "vertical.eta", eta);
}

void check_vertical(Reading &r) {
    if (r.has("initial.file")) return;
    check_eta(r);
    if (r.has("vertical.eta") && r.has("vertical.stretch"))
        r.problems.add(r.place("vertical.stretch"),
                       "vertical.stretch has no effect with vertical.eta; leave one out");
    if (r.has("vertical.etac") && r.config.vertical.coordinate != "hybrid")
        r.problems.add(r.place("vertical.etac"), "vertical.etac has no effect on sigma levels; set "
                                                 "vertical.coordinate = \"hybrid\" or leave it out");
}

void check_coriolis(Reading &r) {
    const DynamicsConfig &dynamics = r.config.dynamics;
    const TextPlace place = r.place("dynamics.coriolis");
    if (dynamics.coriolis == "f-plane" && !r.has("dynamics.f"))
        r.problems.add(place, "dynamics.coriolis = \"f-plane\" needs dynamics.f, such as f = \"1e-4 s-1\"");
    if (dynamics.coriolis.starts_with("file") && !r.has("initial.file"))
        r.problems.add(place,
                       fmt::format("dynamics.coriolis = \"{}\" needs initial.file; for a built-in case "
                                   "use \"none\" or \"f-plane\"",
                                   dynamics.coriolis));
    if (dynamics.coriolis != "f-plane" && r.has("dynamics.f"))
        r.problems.add(r.place("dynamics.f"),
                       fmt::format("dynamics.f has no effect with dynamics.coriolis = \"{}\"; set "
                                   "coriolis = \"f-plane\" or leave f out",
                                   dynamics.coriolis));
}

void check_diffusion(Reading &r) {
    const DiffusionConfig &diffusion = r.config.diffusion;
    if (diffusion.scheme == "constant" && diffusion.horizontal == 0 && diffusion.vertical == 0)
        r.problems.add(r.place("diffusion.scheme"),
                       "diffusion.scheme = \"constant\" needs diffusion.horizontal, "
                       "diffusion.vertical or both, such as horizontal = \"75 m2/s\"");
    const bool filters =
        diffusion.sixth_order != "none" || std::ranges::any_of(r.config.nests, [](const NestConfig &nest) {
            return !nest.physics.sixth_order.empty() && nest.physics.sixth_order != "none";
        });
    if (!filters && r.has("diffusion.sixth_order_factor"))
        r.problems.add(r.place("diffusion.sixth_order_factor"),
                       "diffusion.sixth_order_factor has no effect without diffusion.sixth_order = "
                       "\"monotonic\" or \"plain\"");
    const bool constant = diffusion.scheme == "constant", none = diffusion.scheme == "none";
    if (none && r.has("diffusion.scheme")) return; // turned off with all that belongs to it
    const auto no_effect = [&](const std::string &path, const std::string &without) {
        if (r.has(path)) r.problems.add(r.place(path), path + " has no effect without " + without);
    };
    if (!constant) no_effect("diffusion.horizontal", "diffusion.scheme = \"constant\"");
    if (none) {
        no_effect("diffusion.vertical", "diffusion.scheme = \"constant\", or another on coordinate surfaces");
        no_effect("diffusion.prandtl", "a diffusion.scheme");
    } else if (!constant && diffusion.surfaces != "coordinate")
        no_effect("diffusion.vertical",
                  "diffusion.scheme = \"constant\" or diffusion.surfaces = \"coordinate\"");
}

void check_damping(Reading &r) {
    const DampingConfig &damping = r.config.damping;
    const double top = r.config.vertical.top;
    const bool mixes = damping.scheme == "diffusion";
    if (mixes && (damping.depth == 0 || damping.diffusion_number == 0))
        r.problems.add(
            r.place("damping.scheme"),
            "damping.scheme = \"diffusion\" needs damping.depth and damping.diffusion_number, such "
            "as depth = \"5 km\" and diffusion_number = 0.1");
    if (mixes && r.config.diffusion.scheme == "none")
        r.problems.add(
            r.place("damping.scheme"),
            "damping.scheme = \"diffusion\" raises the mixing of [diffusion], which has no scheme");
    if (damping.scheme != "none" && !mixes && (damping.depth == 0 || damping.coefficient == 0))
        r.problems.add(
            r.place("damping.scheme"),
            fmt::format("damping.scheme = \"{}\" needs damping.depth and damping.coefficient, such as depth "
                        "= \"5 km\" and coefficient = \"0.003 s-1\"",
                        damping.scheme));
    if (top > 0 && damping.depth >= top)
        r.problems.add(
            r.place("damping.depth"),
            fmt::format("damping.depth = {} m reaches the ground; vertical.top is {} m", damping.depth, top));
    for (const std::string path : {"damping.depth", "damping.coefficient", "damping.diffusion_number"})
        if (r.has(path) && !r.has("damping.scheme"))
            r.problems.add(r.place(path), path + " has no effect without damping.scheme");
    if (const std::string other = mixes ? "damping.coefficient" : "damping.diffusion_number"; r.has(other))
        r.problems.add(r.place(other),
                       fmt::format("{} has no effect with damping.scheme = \"{}\"", other, damping.scheme));
}

/// Keys that mean nothing without another.
void no_effect(Reading &r, const std::string &table, const std::vector<std::string> &keys,
               const std::string &without) {
    for (const std::string &key : keys)
        if (r.has(table + "." + key))
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{}.{} has no effect without {}", table, key, without));
}

void check_adaptive_step(Reading &r) {
    const RunConfig &run = r.config.run;
    if (!run.adaptive_time_step)
        return no_effect(r, "run",
                         {"target_courant_horizontal", "target_courant_vertical", "max_step_increase",
                          "min_time_step", "max_time_step"},
                         "run.adaptive_time_step = true");
    const auto refuse = [&](const std::string &key, const std::string &what) {
        r.problems.add(r.place(key), fmt::format("{}: {}", key, what));
    };
    if (run.min_time_step > run.time_step)
        refuse("run.min_time_step", fmt::format("{} s is longer than run.time_step = {} s, the first step",
                                                run.min_time_step, run.time_step));
    if (run.max_time_step > 0 && run.max_time_step < run.time_step)
        refuse("run.max_time_step", fmt::format("{} s is shorter than run.time_step = {} s, the first step",
                                                run.max_time_step, run.time_step));
    for (const auto *streams : {&r.config.streams, &r.config.nest_streams})
        for (const StreamConfig &stream : *streams)
            if (!stream.over_time.empty() && stream.sample == 0)
                refuse("output." + stream.name + ".over_time",
                       "adaptive time steps have different lengths; set `sample`, the time between samples");
}

void check_spectral_nudging(Reading &r) {
    const NudgingConfig &nudging = r.config.nudging;
    if (!nudging.spectral())
        return no_effect(r, "nudging",
                         {"geopotential", "geopotential_in_boundary_layer", "waves_x", "waves_y",
                          "wind_above", "temperature_above", "moisture_above", "geopotential_above",
                          "wind_growth", "temperature_growth", "moisture_growth", "geopotential_growth",
                          "lid"},
                         "nudging.scheme = \"spectral\"");
    const auto below = [&](const std::string &of, bool in_boundary_layer, int above) {
        if (!in_boundary_layer && above > 0)
            r.problems.add(
                r.place("nudging." + of + "_above"),
                fmt::format("nudging.{0}_above has no effect with nudging.{0}_in_boundary_layer = "
                            "false, which leaves out the layers of the boundary layer; leave out one",
                            of));
    };
    below("wind", nudging.wind_in_boundary_layer, nudging.wind_above);
    below("temperature", nudging.temperature_in_boundary_layer, nudging.temperature_above);
    below("moisture", nudging.moisture_in_boundary_layer, nudging.moisture_above);
    below("geopotential", nudging.geopotential_in_boundary_layer, nudging.geopotential_above);
}

void check_nudging(Reading &r) {
    const NudgingConfig &nudging = r.config.nudging;
    if (nudging.file.empty())
        return no_effect(r, "nudging",
                         {"wind", "temperature", "moisture", "wind_in_boundary_layer",
                          "temperature_in_boundary_layer", "moisture_in_boundary_layer", "scheme", "end",
                          "ramp"},
                         "nudging.file");
    check_spectral_nudging(r);
    if (!r.has("initial.file"))
        r.problems.add(r.place("nudging.file"),
                       "nudging.file needs initial.file: its values are those of that file's levels");
    take_file(r, "nudging.file", r.config.nudging.file);
    if (r.config.physics.surface_layer != "none") return;
    no_effect(r, "nudging",
              {"wind_in_boundary_layer", "temperature_in_boundary_layer", "moisture_in_boundary_layer",
               "geopotential_in_boundary_layer"},
              "physics.surface_layer = \"revised-mm5\" and a scheme that computes the height of the boundary "
              "layer");
}

void check_digital_filter(Reading &r) {
    const DigitalFilterConfig &filter = r.config.digital_filter;
    const double step = r.config.run.time_step;
    if (filter.scheme == "none")
        return no_effect(r, "digital_filter", {"weights", "span", "cutoff"},
                         "digital_filter.scheme, such as \"launch\"");
    const auto refuse = [&](const std::string &key, const std::string &what) {
        r.problems.add(r.place("digital_filter." + key), fmt::format("digital_filter.{}: {}", key, what));
    };
    const double pairs = filter.span / (2 * step);
    if (std::abs(pairs - std::round(pairs)) > 1e-6 || pairs < 0.5)
        refuse("span",
               fmt::format("{} s is not an even number of time steps of {} s; the nearest that is: \"{} s\"",
                           filter.span, step, nearest_multiple(filter.span, 2 * step)));
    if (filter.cutoff <= 4 * step)
        refuse("cutoff",
               fmt::format("{} s holds too few steps of {} s to resolve a wave", filter.cutoff, step));
    if (filter.span >= r.config.run.duration)
        refuse("span", fmt::format("{} s is as long as the run, {} s", filter.span, r.config.run.duration));
    if (filter.backward())
        for (const auto &[key, side] : {std::pair{"west", r.config.domain.boundaries.west},
                                        {"east", r.config.domain.boundaries.east},
                                        {"south", r.config.domain.boundaries.south},
                                        {"north", r.config.domain.boundaries.north}})
            if (side == Boundary::open)
                refuse("scheme",
                       fmt::format(
                           "\"{}\" integrates backward, but what has left through an open side does not come "
                           "back (domain.boundary_{}); use scheme = \"launch\", which integrates forward",
                           filter.scheme, key));
    for (const NestConfig &nest : r.config.nests)
        if (nest.start < (filter.backward() ? step : filter.span))
            refuse("scheme", fmt::format("nest \"{0}\" would run while the outermost domain is filtered: "
                                         "start it later, [nest.{0}] start = \"{1:g} s\"",
                                         nest.name, filter.backward() ? step : filter.span));
}

} // namespace

TextPlace Reading::place(const std::string &path) const {
    if (const auto key = given.find(path); key != given.end()) return key->second;
    const auto table = given.find(path.substr(0, path.rfind('.')));
    return table != given.end() ? table->second : TextPlace{};
}

void check_presence(Reading &r) {
    const bool has_file = r.has("initial.file");
    if (has_file == r.has("initial.case"))
        r.problems.add(r.place("initial.file"),
                       has_file ? "initial.case and initial.file exclude each other; leave one out"
                                : "[initial] needs exactly one of case and file");
    const auto check = [&](const std::string &table, const Key &key) {
        const bool wanted =
            key.presence == Presence::required || (key.presence == Presence::required_for_case && !has_file);
        const std::string path = table + "." + key.name;
        if (wanted && !r.has(path))
            r.problems.add(r.place(path),
                           fmt::format("key \"{}\" is missing in [{}]: {}; expected {}", key.name, table,
                                       key.meaning, describe_values(key.rule, key.slot(r.config))));
    };
    for (const TableSchema &table : schema())
        for (const Key &key : table.keys) check(table.name, key);
    for (const StreamConfig &stream : r.config.streams)
        for (const Key &key : stream_schema().keys) check("output." + stream.name, key);
    for (const StreamConfig &stream : r.config.nest_streams)
        for (const Key &key : stream_schema().keys)
            if (stream.interval == 0) check("output." + stream.name, key); // else that of its parent's stream
    for (const IgnitionConfig &line : r.config.ignitions)
        for (const Key &key : ignition_schema().keys) check("ignition." + line.name, key);
    for (const NestConfig &nest : r.config.nests)
        for (const Key &key : nest_schema().keys) check("nest." + nest.name, key);
}

void check_combinations(Reading &r) {
    check_run(r);
    check_adaptive_step(r);
    check_domain(r);
    check_boundary(r);
    check_nudging(r);
    check_digital_filter(r);
    check_vertical(r);
    check_coriolis(r);
    check_physics(r);
    check_land(r);
    check_wind_farm(r);
    check_fire(r);
    check_nest_physics(r);
    check_diffusion(r);
    check_damping(r);
    check_output(r);
}

} // namespace squall
