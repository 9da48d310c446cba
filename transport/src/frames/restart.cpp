#include "frames/restart.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "moments/advection.hpp"
#include "run/agree.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

constexpr std::array<const char *, 10> moment_names{"s", "x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz"};
constexpr auto step_name = "step", air_name = "air";

/// Names of the fields of a block, in its order.
std::vector<std::string> block_names(const Settings &settings) {
    std::vector<std::string> names{air_name};
    for (const TracerSettings &tracer : settings.tracers)
        for (int m = 0; m < moments_of(settings.advection.moments()); ++m)
            names.push_back(tracer.name + "_" + moment_names[static_cast<std::size_t>(m)]);
    return names;
}

io::Strides strides_of(const Block &block) { return {block.level_stride(), block.row_stride(), 1}; }

[[noreturn]] void refuse(const Settings &settings, const std::string &what) {
    throw ConfigError(fmt::format("{}: run.restart_from = \"{}\": {}", settings.common.file,
                                  settings.common.run.restart_from, what));
}

void check_restart(const io::Reader &file, const Settings &settings, const PatchOfGlobe &where) {
    if (file.frames() < 1) refuse(settings, "it has no frame");
    for (const auto &[name, wanted] :
         {std::pair("scheme", settings.advection.scheme), std::pair("grid", where.globe().kind)}) {
        const auto found = file.attribute(name);
        const auto *text = found ? std::get_if<std::string>(&*found) : nullptr;
        if (!text) refuse(settings, "it is not a restart frame of squall-transport");
        if (*text != wanted)
            refuse(settings, fmt::format("its {} is {}, that of this run {}", name, *text, wanted));
    }
    for (const auto &[dimension, size] :
         {std::pair("lon", where.globe().nlon), std::pair("lat", where.globe().nlat),
          std::pair("lev", settings.levels.nz)})
        if (file.size(dimension) != size)
            refuse(settings, fmt::format("it has {} points along {}, this run {}", file.size(dimension),
                                         dimension, size));
    for (const std::string &name : block_names(settings))
        if (!file.has(name)) refuse(settings, fmt::format("it has no {}: its tracers are others", name));
}

} // namespace

io::StreamSpec restart_spec(const StreamConfig &stream, const Settings &settings, const GlobeGrid &globe) {
    io::StreamSpec spec = globe_spec(stream, settings);
    declare_grid(spec, settings, globe, {});
    spec.fields.push_back({step_name, io::Type::i64, {}, {{"long_name", "steps since the start"}}});
    for (const std::string &name : block_names(settings))
        spec.fields.push_back({name, io::Type::f64, {"lev", "lat", "lon"}, {{"units", "kg"}}});
    spec.attributes.emplace_back("grid", globe.kind);
    return spec;
}

StreamConfig restart_stream(const Settings &settings) {
    StreamConfig stream =
        *std::ranges::find(settings.common.streams, std::string("restart"), &StreamConfig::name);
    // A frame is as large as all that the run computes with.
    const double fields = fields_of(settings.advection.moments(), static_cast<int>(settings.tracers.size()));
    stream.staging_limit += 1.1 * 8 * fields * settings.grid.nlon * settings.grid.nlat * settings.levels.nz;
    return stream;
}

GlobeRestart::GlobeRestart(io::Session &session, const StreamConfig &stream, const Settings &settings,
                           const PatchOfGlobe &where)
    : settings_(settings), where_(where), interval_(stream.interval),
      out_(open_globe_stream(session, stream, settings, restart_spec(stream, settings, where.globe()))) {
    put_grid(out_, settings, where, {});
}

void GlobeRestart::write(std::int64_t step, const Block &block) {
    const double seconds = static_cast<double>(step) * settings_.common.run.time_step;
    auto frame = out_.begin({seconds, settings_.common.run.start});
    frame.set(step_name, step);
    const auto names = block_names(settings_);
    for (int f = 0; f < block.fields(); ++f)
        frame.put(names[static_cast<std::size_t>(f)], box_of(where_.patch(), true), block.row(f, 0, 0),
                  strides_of(block));
    frame.commit();
}

std::int64_t read_restart(const Settings &settings, const PatchOfGlobe &where, Block &block, MPI_Comm comm) {
    const io::Reader file(settings.common.run.restart_from, comm);
    check_restart(file, settings, where);
    const auto last = file.frames() - 1;
    const auto names = block_names(settings);
    for (int f = 0; f < block.fields(); ++f)
        file.read(names[static_cast<std::size_t>(f)], last, box_of(where.patch(), true), block.row(f, 0, 0),
                  strides_of(block));
    agree(comm, [&] {
        const std::string fault =
            find_fault(block, where.patch(), settings.advection.moments(), settings.tracer_names());
        if (!fault.empty()) refuse(settings, fault);
    });
    std::int64_t step = 0;
    file.read(step_name, last, {}, &step);
    return step;
}

} // namespace squall::transport
