#include <algorithm>
#include <cmath>

#include <map>

#include <fmt/format.h>

#include "core/array.hpp"
#include "physics/suites.hpp"
#include "run/plan.hpp"
#include "run/text.hpp"
#include "settings/nests.hpp"
#include "squall/io.hpp"

namespace squall {
namespace {

/// One entry: what it is about in the first column, then text.
std::string entry(const std::string &label, const std::string &text) {
    return fmt::format("{:<15}{}\n", label, text);
}

std::string metres(double m) {
    return m >= 1000 ? fmt::format("{:g} km", m / 1000) : fmt::format("{:g} m", m);
}

std::string cells(Shape s) { return fmt::format("{} x {} x {}", s.nx, s.ny, s.nz); }

const char *word(Boundary b) {
    switch (b) {
    case Boundary::periodic:
        return "periodic";
    case Boundary::symmetric:
        return "symmetric";
    case Boundary::specified:
        return "specified";
    default:
        return "open";
    }
}

std::string domain_text(const DomainConfig &d) {
    const Boundaries &b = d.boundaries;
    return entry("domain",
                 fmt::format("{} cells of {} x {}: {} x {}", cells({d.nx, d.ny, d.nz}), metres(d.dx),
                             metres(d.dy), metres(d.nx * d.dx), metres(d.ny * d.dy))) +
           entry("boundaries", fmt::format("west {}, east {}, south {}, north {}", word(b.west), word(b.east),
                                           word(b.south), word(b.north)));
}

/// What a run from a file begins with, and how it takes the file's geopotential.
std::string initial_text(const Config &c) {
    if (c.initial.file.empty()) return "";
    const bool linear = c.dynamics.hypsometric == 1;
    return entry("initial file", c.initial.file) +
           entry("", fmt::format("geopotential {} (dynamics.hypsometric = {})",
                                 linear ? "linear in eta" : "linear in the logarithm of pressure",
                                 c.dynamics.hypsometric));
}

std::string physics_text(const Config &config) {
    std::string text;
    for (const std::string &line : describe_physics(config))
        text += entry(text.empty() ? "physics" : "", line);
    return text;
}

std::string decomposition_text(const Plan &p) {
    const Decomposition &d = p.decomposition;
    const bool even = d.smallest.nx == d.largest.nx && d.smallest.ny == d.largest.ny;
    const std::string sizes = even ? cells(d.largest) : cells(d.smallest) + " to " + cells(d.largest);
    const std::string which = p.ranks == p.all_ranks ? ""
                              : p.ranks == 1 ? fmt::format(" (number {} of {})", p.first_rank, p.all_ranks)
                                             : fmt::format(" (numbers {} to {} of {})", p.first_rank,
                                                           p.first_rank + p.ranks - 1, p.all_ranks);
    return entry("decomposition",
                 fmt::format("{} rank{}{}: {} x {} patches of {} cells; the halo adds {:.0f} % of columns",
                             p.ranks, p.ranks == 1 ? "" : "s", which, d.px, d.py, sizes,
                             100 * d.halo_share)) +
           (p.servers > 0 ? entry("servers", fmt::format("{} more rank{} to write output", p.servers,
                                                         p.servers == 1 ? "" : "s"))
                          : "") +
           entry("tiles", fmt::format("{} per patch of at most {} x {} columns, on {} thread{}", d.tiles,
                                      std::min(d.tile.x, d.largest.nx), std::min(d.tile.y, d.largest.ny),
                                      p.threads, p.threads == 1 ? "" : "s"));
}

std::string verdict(bool good) { return good ? "ok" : "UNSTABLE"; }

std::string step_text(const Plan &p) {
    const StepPlan &s = p.step;
    const RunConfig &run = p.config.run;
    const auto at = [&](double t) { return io::format_time({t, run.start}, "%Y-%m-%d %H:%M:%S"); };
    std::string text =
        entry("time", fmt::format("{} steps of {:g} s, {} in all: {} to {}", s.steps, run.time_step,
                                  format_duration(run.duration - p.begin), at(p.begin), at(run.duration)));
    text += entry("  advection", fmt::format("Courant number {:.2f} at {:.3g} m/s ({}), limit {:.2f}: {}",
                                             s.courant, s.wind, s.wind_assumed ? "assumed" : "initial state",
                                             s.courant_limit, verdict(s.courant <= s.courant_limit)));
    text +=
        entry("  sound", fmt::format("Courant number {:.2f} in each of {} acoustic substeps, limit 1.00: {}",
                                     s.acoustic, s.stepping.acoustic_substeps, verdict(s.acoustic < 1)));
    text += entry("  recommended", fmt::format("at most {:g} s per step; with {:g} s, {} acoustic substeps",
                                               s.recommended_step, run.time_step, s.recommended_substeps));
    return text;
}

std::string memory_text(const Plan &p) {
    const auto bytes = static_cast<double>(p.bytes_per_rank);
    return entry("memory", fmt::format("{} per rank, at most {} in total", format_bytes(bytes),
                                       format_bytes(bytes * p.ranks)));
}

/// Of a limit too small for a single frame, which would fail; "" of others.
std::string shortage_text(const StreamPlan &s) {
    const auto needs = [&](const char *where, double bytes, const char *more) {
        return entry(
            "",
            fmt::format("TOO LITTLE MEMORY: a frame needs {} {}, more than staging_limit, {}; raise it, or "
                        "use more {}",
                        format_bytes(bytes), where, format_bytes(s.staging_limit), more));
    };
    if (s.staged_bytes > s.staging_limit && !s.spills) return needs("on a rank", s.staged_bytes, "ranks");
    if (s.server_bytes > s.staging_limit)
        return needs("on a server that does not share its ranks' memory", s.server_bytes, "servers");
    return "";
}

/// What a stream asks of memory and disks.
std::string draining_text(const StreamPlan &s) {
    std::string staging = fmt::format("staging {} per frame on each rank", format_bytes(s.staged_bytes));
    if (s.server_bytes > 0) staging += fmt::format(", {} on each server", format_bytes(s.server_bytes));
    const double room = s.staged_bytes > 0 ? std::floor(s.staging_limit / s.staged_bytes) : 0;
    staging += fmt::format("; staging_limit {} holds {:.0f}", format_bytes(s.staging_limit), room);
    const std::string needed = fmt::format(
        "{} per frame, or {}/s: {:g} steps at {:.2g} million cells per second and thread (assumed)",
        format_duration(s.seconds), format_bytes(s.bandwidth()), s.steps, assumed_speed / 1e6);
    const std::string waits =
        s.placement == "inline" ? "the model waits while a frame is stored; placement thread or servers has "
                                : "the model does not wait if storing takes at most ";
    const std::string servers =
        fmt::format("recommended for placement servers: {}, if each stores {}/s (assumed)", s.servers(),
                    format_bytes(assumed_bandwidth));
    return entry("", staging) + shortage_text(s) + entry("", waits + needed) + entry("", servers);
}

/// Who makes fields of others, and what that moves.
std::string making_text(const StreamPlan &s) {
    const auto cells = format_bytes(s.source_bytes);
    const std::map<std::string, std::string> words{
        {"ranks",
         fmt::format("on the ranks that hold the cells, {} per frame: only results are sent", cells)},
        {"servers", fmt::format("on the servers, which receive all cells, {} per frame", cells)}};
    std::string text;
    for (const auto &[who, number] : s.made)
        text += fmt::format("{}{} field{} computed {}", text.empty() ? "" : "; ", number,
                            number == 1 ? "" : "s", words.at(who));
    if (s.bins_bytes > 0)
        text += fmt::format("; the bins of quantiles take {} on each of these", format_bytes(s.bins_bytes));
    return text.empty() ? "" : entry("", text);
}

/// Who compresses what goes to servers.
std::string encoding_text(const StreamPlan &s) {
    if (s.placement != "servers" || s.encodable.by.empty()) return "";
    const std::map<std::string, std::string> words{{"auto", "the ranks while servers are behind"},
                                                   {"ranks", "the ranks before sending"},
                                                   {"servers", "servers"}};
    return entry("", fmt::format("compressed by {} (options.encode); {:.0f} % of a frame is in chunks that "
                                 "lie within one patch (options.chunk), which ranks can compress",
                                 words.at(s.encodable.by), 100 * s.encodable.share));
}

std::string stream_text(const StreamPlan &s) {
    const auto plural = [](std::int64_t n, const char *what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    std::string text = entry(
        "  " + s.name,
        fmt::format("{} of {}, one every {}: {} in {}; engine {}, placement {}", plural(s.frames, "frame"),
                    format_bytes(s.bytes_per_frame), format_duration(s.interval), format_bytes(s.bytes()),
                    s.frames > 0 && s.files == 0 ? "a network stream" : plural(s.files, "file"), s.engine,
                    s.placement));
    if (s.files > 0) text += entry("", s.first_file);
    if (s.files > 1) text += entry("", (s.files > 2 ? "... " : "") + s.last_file);
    return text + making_text(s) + encoding_text(s) + draining_text(s);
}

std::string output_text(const Plan &p) {
    double total = 0;
    for (const StreamPlan &s : p.streams)
        if (s.files > 0) total += s.bytes();
    std::string text = entry(
        "output",
        p.streams.empty() ? "none" : fmt::format("{} below {}", format_bytes(total), p.config.run.directory));
    for (const StreamPlan &s : p.streams) text += stream_text(s);
    return text;
}

/// When a nest lives, where that is not with the run.
std::string life_text(const Config &config) {
    const NestConfig &nest = config.nests[static_cast<std::size_t>(config.identity.id) - 2];
    if (nest.start == 0 && nest.end == 0) return "";
    if (nest.start >= config.run.duration)
        return entry("life", "none: it would start after the end of the run");
    return entry("life", fmt::format("from {} to {} of the run", format_duration(nest.start),
                                     nest.end > 0 ? format_duration(nest.end) : "the end"));
}

std::string note_text(const Config &config) {
    const std::string note = note_on_ratio(config.nests[static_cast<std::size_t>(config.identity.id) - 2]);
    return note.empty() ? "" : entry("note", note);
}

/// A nest, as the outermost domain, but for what it shares with that.
std::string nest_text(const Plan &p) {
    const DomainIdentity &id = p.config.identity;
    const DomainConfig &d = p.config.domain;
    const int r = id.parent_grid_ratio, i = id.i_parent_start, j = id.j_parent_start;
    return "\n" +
           entry("nest " + id.name,
                 fmt::format(" number {}, in cells {} to {} west-east and {} to {} south-north of {}", id.id,
                             i, i + d.nx / r - 1, j, j + d.ny / r - 1,
                             id.parent_id == 1 ? "the outermost domain"
                                               : fmt::format("nest {}", id.parent_id))) +
           life_text(p.config) + note_text(p.config) + domain_text(d) + physics_text(p.config) +
           decomposition_text(p) + step_text(p) + memory_text(p) + output_text(p);
}

} // namespace

std::string format_plan(const Plan &p) {
    std::string text =
        entry("run", fmt::format("{} ({}); plan only, nothing is run", p.config.run.name, p.config.file)) +
        domain_text(p.config.domain) + initial_text(p.config) + physics_text(p.config) +
        decomposition_text(p) + step_text(p) + memory_text(p) + output_text(p);
    for (const Plan &nest : p.nests) text += nest_text(nest);
    return text;
}

} // namespace squall
