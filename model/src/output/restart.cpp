#include "output/restart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "initial/beginning.hpp"
#include "output/frame_size.hpp"
#include "output/history_declaration.hpp"
#include "output/kept.hpp"
#include "output/location.hpp"
#include "output/restart_checks.hpp"
#include "output/restart_variables.hpp"
#include "output/stream.hpp"
#include "physics/declared_state.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

constexpr const char *budget = "BUDGET"; ///< when the account began, and its sums
constexpr int budget_terms = 1 + 2 * Account::kept;
constexpr const char *soil = "TSLB", *snow = "TSNO";
constexpr const char *time_step = "DT";         ///< [s]
constexpr const char *longest = "LONGEST_STEP"; ///< [s]; of a run that adapts it

/// What puts and reads a plane has two directions.
io::Strides strides_in_file(ConstField3 view, Location where) {
    return where.levels == Levels::none ? io::Strides{view.sj, 1} : strides_of(view);
}

constexpr auto real_type = io::type_of<real>;

std::vector<io::Attribute> restart_attributes(const Config &config, const Grid &grid) {
    std::vector<io::Attribute> attributes = {{"TITLE", " RESTART FROM SQUALL V" SQUALL_VERSION " MODEL"},
                                             {"START_DATE", start_of(config)},
                                             {"SCALARS", names_of(scalars_of(config))},
                                             {time_step, config.run.time_step}};
    for (const auto &id : identity(grid)) attributes.emplace_back(id.name, id.value);
    return attributes;
}

io::Stream open_restart(io::Session &session, const StreamConfig &stream, const Config &config,
                        const std::vector<Shape> &largest, const Grid &grid) {
    auto spec = restart_spec(stream, config);
    spec.attributes = restart_attributes(config, grid);
    return open_stream(session, stream, config, spec, largest);
}

/// What histories make over time, so that they go on exactly: fields, and dimensions that only these have.
void add_accumulators(io::StreamSpec &restart, const Config &config) {
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
io::StreamSpec part_spec(const Config &config) {
    io::StreamSpec s;
    s.dimensions = domain_dimensions(config.domain.nx, config.domain.ny, config.domain.nz);
    if (burns(config))
        for (auto &d :
             fire_dimensions(config.domain.nx, config.domain.ny, config.fire.refinement_x, config.fire.ry()))
            s.dimensions.push_back(std::move(d));
    const State shapeless({}, scalars_of(config).size());
    for (const auto &v : state_variables(shapeless, {}, config)) {
        s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
        if (v.name == soil) s.dimensions.push_back({"soil_layers_stag", v.where.soil_layers});
        if (v.name == snow) s.dimensions.push_back({"snow_layers_stag", v.where.soil_layers});
    }
    s.fields.front().attributes = {{"units", "Pa"}};
    s.fields.push_back({"ZNW", real_type, dimensions_of(at::column_interfaces), {}});
    if (config.identity.moves)
        for (const char *name : {"I_PARENT_START", "J_PARENT_START"})
            s.fields.push_back({name, io::Type::i32, {}, {}});
    s.fields.push_back({budget, io::Type::f64, {"budget_terms"}, {}});
    s.dimensions.push_back({"budget_terms", budget_terms});
    const std::string suffix = suffix_of(config);
    for (io::Field &field : s.fields) field.name += suffix;
    // The names of what histories keep have their stream's, which is the domain's own.
    for (const StreamConfig &history : config.streams) {
        if (history.interval <= 0 || history.name == "restart") continue;
        const auto running = select_running_fields(history, config);
        for (const RunningField *field : running)
            s.fields.push_back({kept_name(history.name, *field), real_type, dimensions_of(at::plane), {}});
        if (!running.empty() || !history.over_time.empty())
            s.fields.push_back({interval_name(history.name), io::Type::f64, {}, {}});
    }
    add_accumulators(s, config);
    for (io::Dimension &d : s.dimensions) d.name += suffix;
    for (io::Field &field : s.fields)
        for (std::string &d : field.dimensions) d += suffix;
    return s;
}

/// Who puts what a domain has once.
bool is_first(const Patch &patch) { return patch.cx == 0 && patch.cy == 0; }

/// The part of a field with such dimensions that is this patch's; a nest's end with its suffix.
io::Box share_of(const Config &config, const Patch &patch, const io::StreamSpec &spec,
                 const std::vector<std::string> &dimensions) {
    const bool first = is_first(patch);
    const auto along = [&](const std::string &name, const char *of) { return name.starts_with(of); };
    const bool horizontal =
        std::ranges::any_of(dimensions, [&](const auto &name) { return along(name, "west_east"); });
    io::Box box;
    for (const std::string &name : dimensions) {
        const bool last = along(name, "west_east_stag")     ? patch.at_east()
                          : along(name, "south_north_stag") ? patch.at_north()
                                                            : false;
        if (along(name, "west_east_subgrid"))
            box.start.push_back(patch.x0 * config.fire.refinement_x),
                box.count.push_back(patch.shape.nx * config.fire.refinement_x);
        else if (along(name, "south_north_subgrid"))
            box.start.push_back(patch.y0 * config.fire.ry()),
                box.count.push_back(patch.shape.ny * config.fire.ry());
        else if (along(name, "west_east"))
            box.start.push_back(patch.x0), box.count.push_back(patch.shape.nx + last);
        else if (along(name, "south_north"))
            box.start.push_back(patch.y0), box.count.push_back(patch.shape.ny + last);
        else
            box.start.push_back(0),
                box.count.push_back(horizontal || first
                                        ? std::ranges::find(spec.dimensions, name, &io::Dimension::name)->size
                                        : 0);
    }
    return box;
}

/// Zeros, of a domain that does not live.
void put_nothing(io::Frame &frame, const Config &config, const Patch &patch) {
    static constexpr std::array<std::byte, sizeof(double)> nothing{};
    const io::StreamSpec spec = part_spec(config);
    for (const io::Field &field : spec.fields) {
        const io::Box box = share_of(config, patch, spec, field.dimensions);
        if (!box.start.empty() || is_first(patch))
            frame.put(field.name, box, nothing.data(), field.type, io::Strides(box.start.size(), 0));
    }
}

/// Integers that a double holds.
void put_account(io::Frame &frame, const std::string &name, Account account) {
    std::vector<double> terms{account.began};
    for (const ExactSum *sum : account.kept_sums())
        terms.insert(terms.end(), {double(sum->coarse()), double(sum->fine())});
    frame.put(name, {{0}, {budget_terms}}, terms.data());
}

std::optional<Account> read_account(const io::Reader &file, const std::string &name, const Patch &patch) {
    if (!file.has(name)) return {};
    std::array<double, budget_terms> terms{};
    file.read(name, file.frames() - 1, {{0}, {budget_terms}}, terms.data());
    Account account;
    account.began = terms[0];
    if (!is_first(patch)) return account;
    const double *next = &terms[1];
    for (ExactSum *sum : account.kept_sums()) {
        *sum = ExactSum::of(std::int64_t(next[0]), std::int64_t(next[1]));
        next += 2;
    }
    return account;
}

void put_part(io::Frame &frame, const RestartPart &part) {
    const Config &config = *part.config;
    if (!part.state) return put_nothing(frame, config, *part.patch);
    const std::string suffix = suffix_of(config);
    put_points(frame, "ZNW" + suffix, *part.patch, at::column_interfaces, &part.grid->vertical.znw);
    if (config.identity.moves && is_first(*part.patch)) {
        const std::int32_t start[] = {config.identity.i_parent_start, config.identity.j_parent_start};
        frame.put("I_PARENT_START" + suffix, {}, &start[0]);
        frame.put("J_PARENT_START" + suffix, {}, &start[1]);
    }
    for (const auto &v : state_variables(*part.state, *part.physics, config))
        frame.put(v.name + suffix, box_of(*part.patch, v.where), v.view.origin,
                  strides_in_file(v.view, v.where));
    if (is_first(*part.patch)) put_account(frame, budget + suffix, part.account);
    if (part.rest) part.rest(frame);
}

} // namespace

Restart::Restart(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid, const std::vector<Shape> &largest)
    : settings_(stream), config_(config), patch_(patch), scalars_(scalars_of(config)),
      stream_(open_restart(session, stream, config, largest, grid)) {}

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

void Restart::write(double seconds, std::int64_t step, const std::vector<RestartPart> &parts,
                    double longest_step) {
    const io::Time time{seconds, config_.run.start};
    auto frame = stream_.begin(time);
    if (is_first(patch_)) {
        const auto number = static_cast<std::int32_t>(step);
        frame.put("STEP", {}, &number);
        frame.put("SECONDS", {}, &seconds);
        if (config_.run.adaptive_time_step) frame.put(longest, {}, &longest_step);
    }
    for (const RestartPart &part : parts) put_part(frame, part);
    frame.commit();
    if (frames_++ % settings_.frames_per_file == 0)
        file_ =
            io::format_time(time, (std::filesystem::path(config_.run.directory) / settings_.path).string());
    last_step_ = step;
}

RestartPlace read_restart_place(const std::string &path, const Config &config) {
    const RestartPlace place{seconds_of_restart(path), config.identity.i_parent_start,
                             config.identity.j_parent_start};
    if (!config.identity.moves) return place;
    const io::Reader file(path);
    const std::string suffix = suffix_of(config);
    if (!file.has("I_PARENT_START" + suffix))
        refuse(file, fmt::format("its nest \"{}\" does not move, but the run file's nest moves",
                                 config.identity.name));
    std::int32_t start[] = {0, 0};
    file.read("I_PARENT_START" + suffix, file.frames() - 1, {}, &start[0]);
    file.read("J_PARENT_START" + suffix, file.frames() - 1, {}, &start[1]);
    return {place.seconds, start[0], start[1]};
}

RestartFrame read_restart(const std::string &path, const Config &config, const Patch &patch,
                          const Grid &grid) {
    const io::Reader file(path);
    if (!file.has("SECONDS") || !file.has("STEP")) refuse(file, "it is not a restart file of this model");
    if (file.frames() == 0) refuse(file, "it holds no frame");
    check_restart(file, config, patch, grid);

    const auto last = file.frames() - 1;
    const ScalarSet scalars = scalars_of(config);
    RestartFrame frame{State(patch.shape, scalars.size()), {}, 0, 0, 0, {}};
    std::int32_t step = 0;
    file.read("STEP", last, {}, &step);
    file.read("SECONDS", last, {}, &frame.seconds);
    frame.written_with = file.number(time_step);
    if (file.has(longest)) file.read(longest, last, {}, &frame.longest_step);
    frame.step = step;
    const std::string suffix = suffix_of(config);
    frame.physics = physics_state_of(config, patch.shape);
    for (const StateVariable &v : state_variables(frame.state, frame.physics, config))
        if (std::string_view(v.name) != "SWDDIR" || file.has(v.name + suffix)) // versions before had none
            file.read(v.name + suffix, last, box_of(patch, v.where), v.view.origin,
                      strides_in_file(v.view, v.where));
    share_radiation(frame.physics, config);
    frame.account = read_account(file, budget + suffix, patch);
    return frame;
}

io::StreamSpec restart_spec(const StreamConfig &stream, const Config &config) {
    io::StreamSpec s = stream_spec(stream, config);
    s.fields = {{"STEP", io::Type::i32, {}, {{"description", "number of the time step"}}},
                {"SECONDS", io::Type::f64, {}, {{"units", "seconds since " + start_of(config)}}}};
    if (config.run.adaptive_time_step) s.fields.push_back({longest, io::Type::f64, {}, {{"units", "s"}}});
    for (const Config &domain : with_nests(config)) {
        const io::StreamSpec part = part_spec(domain);
        s.dimensions.insert(s.dimensions.end(), part.dimensions.begin(), part.dimensions.end());
        s.fields.insert(s.fields.end(), part.fields.begin(), part.fields.end());
    }
    return s;
}

} // namespace squall
