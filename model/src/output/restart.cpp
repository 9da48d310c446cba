#include "output/restart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/see.hpp"
#include "output/frame_size.hpp"
#include "output/history.hpp"
#include "output/kept.hpp"
#include "output/location.hpp"
#include "output/stream.hpp"
#include "physics/declared_state.hpp"
#include "physics/land_scheme.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

/// A variable under the name that history gives it. S, P: State and PhysicsState, const or not.
template <class View> struct Variable {
    std::string name;
    Location where;
    View view;
};

template <class S> auto volumes(S &state, const Config &config) {
    using View = decltype(state.u.view());
    const char *theta = integrates_moist_theta(config) ? "THM" : "T";
    std::vector<Variable<View>> list{{"U", at::x_faces, state.u.view()},
                                     {"V", at::y_faces, state.v.view()},
                                     {"W", at::interfaces, state.w.view()},
                                     {theta, at::cells, state.theta.view()},
                                     {"PH", at::interfaces, state.ph.view()}};
    const ScalarSet scalars = scalars_of(config);
    for (std::size_t n = 0; n < scalars.all.size(); ++n)
        list.push_back({scalars.all[n].name, at::cells, state.scalars[n].view()});
    return list;
}

template <class P> auto planes(P &physics) {
    using View = decltype(physics.rain.view());
    return std::vector<Variable<View>>{{"RAINNC", at::plane, physics.rain.view()},
                                       {"SNOWNC", at::plane, physics.snow.view()},
                                       {"GRAUPELNC", at::plane, physics.graupel.view()}};
}

/// Of a run with a surface layer; what radiation tells it is radiation's. S: SurfaceState, const or not.
template <class S> auto surface_planes(S &s) {
    using View = decltype(s.albedo.view());
    return std::vector<Variable<View>>{{"TSK", at::plane, s.skin_temperature.view()},
                                       {"ALBEDO", at::plane, s.albedo.view()},
                                       {"EMISS", at::plane, s.emissivity.view()},
                                       {"HFX", at::plane, s.sensible_heat.view()},
                                       {"QFX", at::plane, s.vapour_flux.view()},
                                       {"LH", at::plane, s.latent_heat.view()},
                                       {"UST", at::plane, s.friction_velocity.view()},
                                       {"ZNT", at::plane, s.roughness.view()},
                                       {"MOL", at::plane, s.temperature_scale.view()},
                                       {"QSFC", at::plane, s.surface_vapour.view()},
                                       {"PBLH", at::plane, s.boundary_layer_height.view()},
                                       {"U10", at::plane, s.wind_u_10m.view()},
                                       {"V10", at::plane, s.wind_v_10m.view()},
                                       {"T2", at::plane, s.temperature_2m.view()},
                                       {"Q2", at::plane, s.vapour_2m.view()}};
}

/// Of land with soil moisture and snow. W: LandWaterState, const or not.
template <class W> auto land_water_planes(W &w) {
    using View = decltype(w.canopy_water.view());
    return std::vector<Variable<View>>{{"CANWAT", at::plane, w.canopy_water.view()},
                                       {"SNOW", at::plane, w.snow_water.view()},
                                       {"SNOWH", at::plane, w.snow_depth.view()},
                                       {"SNOWC", at::plane, w.snow_cover.view()},
                                       {"SNOTIME", at::plane, w.snow_age.view()},
                                       {"RAINBL", at::plane, w.precipitation.view()},
                                       {"SNOWBL", at::plane, w.frozen_precipitation.view()},
                                       {"GRDFLX", at::plane, w.ground_heat.view()},
                                       {"SFROFF", at::plane, w.surface_runoff.view()},
                                       {"UDROFF", at::plane, w.drainage.view()}};
}

template <class S> auto soil_layers_of(S &s) {
    using View = decltype(s.soil_temperature.view());
    const Location where = at::soil(s.soil_layers);
    std::vector<Variable<View>> list;
    if (s.soil_layers > 0) list.push_back({"TSLB", where, s.soil_temperature.view()});
    if (s.has_land_water()) {
        list.push_back({"SMOIS", where, s.land_water.moisture.view()});
        list.push_back({"SH2O", where, s.land_water.liquid.view()});
    }
    return list;
}

/// Of a run with a cumulus scheme. C: ConvectionState, const or not.
template <class C> auto convection_volumes(C &c) {
    using View = decltype(c.heating.view());
    return std::vector<Variable<View>>{
        {"RTHCUTEN", at::cells, c.heating.view()}, {"RQVCUTEN", at::cells, c.vapour.view()},
        {"RQCCUTEN", at::cells, c.cloud.view()},   {"RQRCUTEN", at::cells, c.rain.view()},
        {"RQICUTEN", at::cells, c.ice.view()},     {"RQSCUTEN", at::cells, c.snow.view()},
        {"W0AVG", at::cells, c.updraught.view()}};
}
template <class C> auto convection_planes(C &c) {
    using View = decltype(c.rate.view());
    return std::vector<Variable<View>>{{"NCA", at::plane, c.remaining.view()},
                                       {"PRATEC", at::plane, c.rate.view()},
                                       {"RAINC", at::plane, c.accumulated.view()}};
}

bool convects(const Config &config) { return config.physics.cumulus != "none"; }

constexpr const char *heating = "H_DIABATIC", *soil = "TSLB";

bool keeps_land_water(const Config &config) {
    return config.physics.land != "none" && land_scheme(config.physics.land).water;
}

bool has_surface(const Config &config) { return config.physics.surface_layer != "none"; }

/// P: PhysicsState, const or not.
template <class P> auto radiation_planes(P &physics) {
    auto &r = physics.radiation;
    using View = decltype(r.cosine.view());
    return std::vector<Variable<View>>{{"SWDOWN", at::plane, r.shortwave_down.view()},
                                       {"GSW", at::plane, r.shortwave_net.view()},
                                       {"SWDNT", at::plane, r.shortwave_down_top.view()},
                                       {"SWUPT", at::plane, r.shortwave_up_top.view()},
                                       {"GLW", at::plane, r.longwave_down.view()},
                                       {"OLR", at::plane, r.longwave_up_top.view()},
                                       {"COSZEN", at::plane, r.cosine.view()}};
}

bool radiates(const Config &config) { return config.physics.radiation != "none"; }

constexpr const char *radiative_heating = "RTHRATEN";

/// The names of a run's scalars, as a restart file has them.
std::string names_of(const ScalarSet &scalars) {
    std::vector<std::string> names;
    for (const Scalar &s : scalars.all) names.push_back(s.name);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
}

/// What sets a nest's variables and dimensions apart: nothing for the outermost domain.
std::string suffix_of(const Config &config) {
    return config.identity.id == 1 ? "" : fmt::format("_d{:02}", config.identity.id);
}

constexpr auto real_type = io::type_of<real>;

std::string start_of(const Config &config) {
    return io::format_time({0, config.run.start}, "%Y-%m-%dT%H:%M:%S");
}

/// What must be the same in the run that continues.
struct Identity {
    const char *name, *meaning;
    double value;
};

std::array<Identity, 4> identity(const Config &config, const Grid &grid) {
    return {{{"DX", "grid spacing west-east [m]", grid.dx},
             {"DY", "grid spacing south-north [m]", grid.dy},
             {"DT", "time step [s]", config.run.time_step},
             {"P_TOP", "pressure at the model top [Pa]", grid.vertical.p_top}}};
}

std::vector<io::Attribute> restart_attributes(const Config &config, const Grid &grid) {
    std::vector<io::Attribute> attributes = {{"TITLE", " RESTART FROM SQUALL V" SQUALL_VERSION " MODEL"},
                                             {"START_DATE", start_of(config)},
                                             {"SCALARS", names_of(scalars_of(config))}};
    for (const auto &id : identity(config, grid)) attributes.emplace_back(id.name, id.value);
    return attributes;
}

io::Stream open_restart(io::Session &session, const StreamConfig &stream, const Config &config,
                        const Patch &patch, const Grid &grid) {
    auto spec = restart_spec(stream, config);
    spec.attributes = restart_attributes(config, grid);
    return open_stream(session, stream, config, spec, largest_patch(patch));
}

[[noreturn]] void refuse(const io::Reader &file, const std::string &what) {
    throw io::Error(
        see(fmt::format("{}: cannot continue from this restart file: {}", file.path(), what), "restart"));
}

void check_domain(const io::Reader &file, const Config &config, const Patch &patch, const Grid &grid) {
    const std::string suffix = suffix_of(config);
    if (!file.has("MU" + suffix))
        refuse(file, fmt::format("it has no nest number {}, the run file's nest \"{}\"", config.identity.id,
                                 config.identity.name));
    for (const auto &d : domain_dimensions(patch.nx_domain, patch.ny_domain, patch.shape.nz))
        if (const auto size = file.size(d.name + suffix); size != d.size)
            refuse(file,
                   fmt::format("it has {}{} = {}, the run file asks for {}", d.name, suffix, size, d.size));
    if (!suffix.empty()) return; // all else is of the run
    for (const auto &id : identity(config, grid))
        if (const auto value = file.number(id.name); value != id.value)
            refuse(file, fmt::format("its {} is {}, the run file's {}", id.meaning, value, id.value));
    if (const auto start = file.text("START_DATE"); start != start_of(config))
        refuse(file, fmt::format("its run started at {}, the run file says {}", start, start_of(config)));
    std::vector<real> znw(grid.vertical.znw.size());
    file.read("ZNW", file.frames() - 1, {{0}, {static_cast<std::int64_t>(znw.size())}}, znw.data());
    if (znw != grid.vertical.znw) refuse(file, "its eta levels are not those of the run file");
}

void check_scalars(const io::Reader &file, const Config &config) {
    const std::string wanted = names_of(scalars_of(config));
    const std::string found = file.attribute("SCALARS") ? file.text("SCALARS") : "none";
    if (found != wanted)
        refuse(file, fmt::format("what its air carries is {}, in the run file {}", found, wanted));
    const bool moist = integrates_moist_theta(config);
    if (!file.has(moist ? "THM" : "T"))
        refuse(file, fmt::format("it holds the potential temperature of {} air, the run file says "
                                 "dynamics.moist_theta = {}",
                                 moist ? "dry" : "moist", config.dynamics.moist_theta));
}

void check_surface(const io::Reader &file, const Config &config) {
    if (has_surface(config) && !file.has("UST"))
        refuse(file, "the run that wrote it had no physics.surface_layer, the run file has");
    const int wanted = surface_state_of(config, {}).soil_layers;
    const auto found = file.has(soil) ? file.size("soil_layers_stag") : 0;
    if (found != wanted)
        refuse(file, fmt::format("it holds {} layers of soil, physics.land = \"{}\" has {}", found,
                                 config.physics.land, wanted));
    if (keeps_land_water(config) && !file.has("SH2O"))
        refuse(file, fmt::format("it holds no soil moisture, which physics.land = \"{}\" needs",
                                 config.physics.land));
}

void check_precision(const io::Reader &file) {
    if (file.field("MU").type == real_type) return;
    refuse(file, sizeof(real) == 4 ? "it is in double precision, this build computes in single"
                                   : "it is in single precision, this build computes in double");
}

void put_part(io::Frame &frame, const RestartPart &part) {
    const Config &config = *part.config;
    const std::string suffix = suffix_of(config);
    const auto put = [&](const std::string &name, Location where, auto view) {
        put_points(frame, name + suffix, *part.patch, where, view);
    };
    put("MU", at::plane, part.state->mu.view());
    for (const auto &v : volumes(*part.state, config)) put(v.name, v.where, v.view);
    if (scalars_of(config).moist()) {
        for (const auto &v : planes(*part.physics)) put(v.name, v.where, v.view);
        put(heating, at::cells, part.physics->heating.view());
    }
    if (const SurfaceState &surface = part.physics->surface; has_surface(config)) {
        for (const auto &v : surface_planes(surface)) put(v.name, v.where, v.view);
        for (const auto &v : soil_layers_of(surface)) put(v.name, v.where, v.view);
        if (surface.has_land_water())
            for (const auto &v : land_water_planes(surface.land_water)) put(v.name, v.where, v.view);
    }
    if (convects(config)) {
        for (const auto &v : convection_volumes(part.physics->convection)) put(v.name, v.where, v.view);
        for (const auto &v : convection_planes(part.physics->convection)) put(v.name, v.where, v.view);
    }
    if (radiates(config)) {
        for (const auto &v : radiation_planes(*part.physics)) put(v.name, v.where, v.view);
        put(radiative_heating, at::cells, part.physics->radiation.heating.view());
    }
    if (part.rest) part.rest(frame);
}

} // namespace

Restart::Restart(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid)
    : settings_(stream), config_(config), patch_(patch), znw_(grid.vertical.znw),
      scalars_(scalars_of(config)), stream_(open_restart(session, stream, config, patch, grid)) {}

StreamConfig default_restart(const Config &config) {
    StreamConfig stream;
    const auto declared = std::ranges::find(config.streams, std::string("restart"), &StreamConfig::name);
    if (declared != config.streams.end()) stream = *declared;
    stream.name = "restart";
    if (stream.path.empty()) stream.path = "restart_%Y-%m-%d_%H:%M:%S.nc";
    if (stream.placement == "thread") stream.placement.clear();
    stream.staging_limit += 1.1 * stored_bytes(restart_spec(stream, config));
    return stream;
}

void Restart::write(double seconds, std::int64_t step, const std::vector<RestartPart> &parts) {
    const io::Time time{seconds, config_.run.start};
    auto frame = stream_.begin(time);
    if (patch_.cx == 0 && patch_.cy == 0) {
        const auto number = static_cast<std::int32_t>(step);
        frame.put("STEP", {}, &number);
        frame.put("SECONDS", {}, &seconds);
    }
    put_points(frame, "ZNW", patch_, at::column_interfaces, &znw_);
    for (const RestartPart &part : parts) put_part(frame, part);
    frame.commit();
    if (frames_++ % settings_.frames_per_file == 0)
        file_ =
            io::format_time(time, (std::filesystem::path(config_.run.directory) / settings_.path).string());
    last_step_ = step;
}

RestartFrame read_restart(const std::string &path, const Config &config, const Patch &patch,
                          const Grid &grid) {
    const io::Reader file(path);
    if (!file.has("SECONDS") || !file.has("STEP")) refuse(file, "it is not a restart file of this model");
    if (file.frames() == 0) refuse(file, "it holds no frame");
    check_domain(file, config, patch, grid);
    check_scalars(file, config);
    check_surface(file, config);
    if (convects(config) && !file.has("NCA"))
        refuse(file, fmt::format("the run that wrote it had no physics.cumulus, the run file has \"{}\"",
                                 config.physics.cumulus));
    if (radiates(config) && !file.has(radiative_heating))
        refuse(file, fmt::format("it has no radiation, the run file says physics.radiation = {}",
                                 config.physics.radiation));
    check_precision(file);

    const auto last = file.frames() - 1;
    const ScalarSet scalars = scalars_of(config);
    RestartFrame frame{State(patch.shape, scalars.size()), {}, 0, 0};
    std::int32_t step = 0;
    file.read("STEP", last, {}, &step);
    file.read("SECONDS", last, {}, &frame.seconds);
    frame.step = config.identity.id == 1 ? step : std::llround(frame.seconds / config.run.time_step);
    const std::string suffix = suffix_of(config);
    const auto read = [&](const std::string &name, Location where, auto view) {
        file.read(name + suffix, last, box_of(patch, where), view.origin, strides_of(view));
    };
    read("MU", at::plane, frame.state.mu.view());
    for (const auto &v : volumes(frame.state, config)) read(v.name, v.where, v.view);
    if (scalars.moist()) {
        frame.physics = PhysicsState(patch.shape);
        for (const auto &v : planes(frame.physics)) read(v.name, v.where, v.view);
        read(heating, at::cells, frame.physics.heating.view());
    }
    if (has_surface(config)) {
        SurfaceState &surface = frame.physics.surface = surface_state_of(config, patch.shape);
        for (const auto &v : surface_planes(surface)) read(v.name, v.where, v.view);
        for (const auto &v : soil_layers_of(surface)) read(v.name, v.where, v.view);
        if (surface.has_land_water())
            for (const auto &v : land_water_planes(surface.land_water)) read(v.name, v.where, v.view);
    }
    if (convects(config)) {
        frame.physics.convection = ConvectionState(patch.shape);
        for (const auto &v : convection_volumes(frame.physics.convection)) read(v.name, v.where, v.view);
        for (const auto &v : convection_planes(frame.physics.convection)) read(v.name, v.where, v.view);
    }
    if (radiates(config)) {
        frame.physics.radiation = RadiationState(patch.shape);
        for (const auto &v : radiation_planes(frame.physics)) read(v.name, v.where, v.view);
        read(radiative_heating, at::cells, frame.physics.radiation.heating.view());
        if (has_surface(config)) {
            frame.physics.surface.shortwave_net.copy_from(frame.physics.radiation.shortwave_net);
            frame.physics.surface.shortwave_down.copy_from(frame.physics.radiation.shortwave_down);
            frame.physics.surface.longwave_down.copy_from(frame.physics.radiation.longwave_down);
        }
    }
    return frame;
}

/// What histories make over time, so that they go on exactly: fields, and dimensions that only these have.
static void add_accumulators(io::StreamSpec &restart, const Config &config) {
    for (const auto &stream : config.streams) {
        if (stream.over_time.empty() || stream.interval <= 0) continue;
        const auto history = history_spec(stream, config);
        const auto kept = io::accumulators(history);
        restart.fields.insert(restart.fields.end(), kept.begin(), kept.end());
        const auto used = [&](const io::Dimension &d) {
            return std::ranges::any_of(kept, [&](const io::Field &f) {
                return std::ranges::find(f.dimensions, d.name) != f.dimensions.end();
            });
        };
        for (const auto &d : history.dimensions)
            if (used(d) && std::ranges::find(restart.dimensions, d.name, &io::Dimension::name) ==
                               restart.dimensions.end())
                restart.dimensions.push_back(d);
    }
}

/// The fields of one domain, and its dimensions.
static io::StreamSpec part_spec(const Config &config) {
    io::StreamSpec s;
    s.dimensions = domain_dimensions(config.domain.nx, config.domain.ny, config.domain.nz);
    s.fields = {{"MU", real_type, dimensions_of(at::plane), {{"units", "Pa"}}}};
    const ScalarSet scalars = scalars_of(config);
    const State shapeless({}, scalars.size());
    for (const auto &v : volumes(shapeless, config))
        s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
    if (scalars.moist()) {
        const PhysicsState physics;
        for (const auto &v : planes(physics))
            s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
        s.fields.push_back({heating, real_type, dimensions_of(at::cells), {}});
    }
    if (has_surface(config)) {
        const SurfaceState surface;
        for (const auto &v : surface_planes(surface))
            s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
        if (const int layers = surface_state_of(config, {}).soil_layers; layers > 0) {
            s.dimensions.push_back({"soil_layers_stag", layers});
            s.fields.push_back({soil, real_type, dimensions_of(at::soil(layers)), {}});
            if (keeps_land_water(config)) {
                for (const char *name : {"SMOIS", "SH2O"})
                    s.fields.push_back({name, real_type, dimensions_of(at::soil(layers)), {}});
                const LandWaterState water;
                for (const auto &v : land_water_planes(water))
                    s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
            }
        }
    }
    if (convects(config)) {
        const ConvectionState convection;
        for (const auto &v : convection_volumes(convection))
            s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
        for (const auto &v : convection_planes(convection))
            s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
    }
    if (radiates(config)) {
        const PhysicsState physics;
        for (const auto &v : radiation_planes(physics))
            s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
        s.fields.push_back({radiative_heating, real_type, dimensions_of(at::cells), {}});
    }
    const std::string suffix = suffix_of(config);
    for (io::Field &field : s.fields) field.name += suffix;
    // The names of what histories keep have their stream's, which is the domain's own.
    for (const StreamConfig &history : config.streams)
        if (history.interval > 0 && history.name != "restart")
            for (const RunningField *field : select_running_fields(history, config))
                s.fields.push_back(
                    {kept_name(history.name, *field), real_type, dimensions_of(at::plane), {}});
    add_accumulators(s, config);
    for (io::Dimension &d : s.dimensions) d.name += suffix;
    for (io::Field &field : s.fields)
        for (std::string &d : field.dimensions) d += suffix;
    return s;
}

io::StreamSpec restart_spec(const StreamConfig &stream, const Config &config) {
    io::StreamSpec s = stream_spec(stream, config);
    s.fields = {{"STEP", io::Type::i32, {}, {{"description", "number of the time step"}}},
                {"SECONDS", io::Type::f64, {}, {{"units", "seconds since " + start_of(config)}}},
                {"ZNW", real_type, dimensions_of(at::column_interfaces), {}}};
    for (const Config &domain : with_nests(config)) {
        const io::StreamSpec part = part_spec(domain);
        s.dimensions.insert(s.dimensions.end(), part.dimensions.begin(), part.dimensions.end());
        s.fields.insert(s.fields.end(), part.fields.begin(), part.fields.end());
    }
    return s;
}

} // namespace squall
