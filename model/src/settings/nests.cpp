#include "settings/nests.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace squall {
namespace {

/// The streams of the parent that a nest has too: those of the whole grid. Places lie where they lie, and
/// restarts hold all domains. What the run file says of one, or of others of this nest, goes before.
std::vector<StreamConfig> streams_of(const Config &parent, int id, bool same_layers) {
    std::vector<StreamConfig> streams;
    for (const StreamConfig &own : parent.nest_streams)
        if (domain_of_stream(own.name) == id) streams.push_back(own);
    const std::string outer = parent.identity.id == 1 ? "" : fmt::format("_d{:02}", parent.identity.id);
    const auto rename = [&](std::string text) {
        return outer.empty() ? text : text.substr(0, text.rfind(outer));
    };
    for (StreamConfig stream : parent.streams) {
        if (stream.name == "restart" || stream.at_places()) continue;
        const std::string suffix = fmt::format("_d{:02}", id), name = rename(stream.name);
        std::string path = stream.path;
        if (const auto old = outer.empty() ? path.find("_d01") : path.rfind(outer); old != std::string::npos)
            path.replace(old, 4, suffix);
        else if (const auto start = path.rfind('/') + 1; path.compare(start, name.size(), name) == 0)
            path.insert(start + name.size(), suffix);
        else
            path.insert(std::min(path.find('%', start), path.find('.', start)), suffix);
        const auto told = std::ranges::find(streams, name + suffix, &StreamConfig::name);
        if (told != streams.end()) {
            if (told->path == stream.path) told->path = path;
            continue;
        }
        stream.name = name + suffix;
        stream.path = path;
        stream.region.clear();
        if (!same_layers) stream.levels.clear();
        streams.push_back(std::move(stream));
    }
    return streams;
}

/// What a nest's physics and dynamics have of their own.
void take_own(const NestPhysics &own, Config &c) {
    const auto take = [](double of_nest, double &of_parent) {
        if (of_nest >= 0) of_parent = of_nest;
    };
    const auto take_name = [](const std::string &of_nest, std::string &of_parent) {
        if (!of_nest.empty()) of_parent = of_nest;
    };
    take_name(own.boundary_layer, c.physics.boundary_layer);
    take_name(own.diffusion, c.diffusion.scheme), take_name(own.diffusion_surfaces, c.diffusion.surfaces);
    c.diffusion.mix_full_fields |= own.mix_full_fields;
    take(own.radiation_interval, c.physics.radiation_interval);
    take(own.cumulus_interval, c.physics.cumulus_interval);
    take(own.c_s, c.diffusion.c_s), take(own.c_k, c.diffusion.c_k);
    take(own.horizontal_viscosity, c.diffusion.horizontal);
    take(own.vertical_viscosity, c.diffusion.vertical);
    take_name(own.sixth_order, c.diffusion.sixth_order);
    take(own.sixth_order_factor, c.diffusion.sixth_order_factor);
    take(own.damping_depth, c.damping.depth), take(own.damping_coefficient, c.damping.coefficient);
    take(own.damping_diffusion_number, c.damping.diffusion_number);
    take(own.off_centring, c.dynamics.off_centring);
}

} // namespace

std::string note_on_ratio(const NestConfig &nest) {
    if (!nest.feedback || nest.parent_grid_ratio % 2 == 1) return "";
    return fmt::format(
        "feedback with parent_grid_ratio = {0}: WRF expects odd ratios. The parent takes means of {0} x {0} "
        "cells, as for any ratio, but with an even ratio none of these cells has its centre at the centre of "
        "the parent's cell: fields are exchanged between points that are slightly apart",
        nest.parent_grid_ratio);
}

int domain_of_stream(const std::string &name) {
    const std::size_t at = name.size() - std::min<std::size_t>(name.size(), 4);
    const auto digit = [&](std::size_t n) { return name[n] >= '0' && name[n] <= '9'; };
    if (at == 0 || name.compare(at, 2, "_d") != 0 || !digit(at + 2) || !digit(at + 3)) return 1;
    return (name[at + 2] - '0') * 10 + (name[at + 3] - '0');
}

Config nest_config(const Config &parent, const NestConfig &nest, int id) {
    Config c = parent;
    const int ratio = nest.parent_grid_ratio;
    c.domain.nx = nest.nx, c.domain.ny = nest.ny;
    c.domain.dx = parent.domain.dx / ratio, c.domain.dy = parent.domain.dy / ratio;
    using enum Boundary;
    c.domain.boundaries = {specified, specified, specified, specified};
    c.boundary.file.clear();
    c.boundary.relaxation_decay = 0; // as in WRF
    c.boundary.lower_file = nest.lower_file;
    if (!nest.aerosol_file.empty()) c.physics.aerosol_file = nest.aerosol_file;
    c.nudging = {};
    c.digital_filter = {};
    c.parallel.ranks_x = c.parallel.ranks_y = 0; // the outermost domain's
    c.run.time_step = parent.run.time_step / nest.time_step_ratio();
    const bool moves = parent.identity.moves || nest.moves_itself();
    c.identity = {id,
                  parent.identity.id,
                  nest.i_parent_start,
                  nest.j_parent_start,
                  ratio,
                  moves,
                  nest.follows(),
                  parent.identity.sea_changes || !parent.boundary.lower_file.empty(),
                  nest.name,
                  projection_file(parent),
                  {}};
    c.initial.file = nest.initial_file;
    if (nest.nz > 0) c.domain.nz = nest.nz;
    if (!nest.cumulus.empty()) c.physics.cumulus = nest.cumulus;
    if (!nest.gravity_wave_drag.empty()) c.physics.gravity_wave_drag = nest.gravity_wave_drag;
    take_own(nest.physics, c);
    for (TracerConfig &tracer : c.tracers)
        if (!tracer.point.geographic) {
            tracer.point.first -= (nest.i_parent_start - 1) * parent.domain.dx;
            tracer.point.second -= (nest.j_parent_start - 1) * parent.domain.dy;
        }
    c.streams = streams_of(parent, id, c.domain.nz == parent.domain.nz);
    if (moves) std::erase_if(c.streams, [](const StreamConfig &s) { return s.needs_ground(); });
    if (moves)
        for (StreamConfig &stream : c.streams) stream.constants = "every-frame";
    return c;
}

std::vector<NumberedNest> nests_inside(const Config &config) {
    std::vector<NumberedNest> inside;
    for (std::size_t n = 0; n < config.nests.size(); ++n)
        if (config.nests[n].parent == config.identity.name) inside.push_back({&config.nests[n], int(n) + 2});
    return inside;
}

std::vector<Config> with_nests(const Config &config) {
    std::vector<Config> all{config};
    for (const auto &[nest, id] : nests_inside(config))
        for (Config &inner : with_nests(nest_config(config, *nest, id))) all.push_back(std::move(inner));
    return all;
}

} // namespace squall
