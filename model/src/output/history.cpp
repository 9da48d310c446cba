#include "output/history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/interval.hpp"
#include "output/grid_mapping.hpp"
#include "output/history_attributes.hpp"
#include "output/history_declaration.hpp"
#include "output/kept.hpp"
#include "output/lonlatbox.hpp"
#include "output/stream.hpp"
#include "output/subset.hpp"
#include "parallel/tiles.hpp"

namespace squall {
namespace {

/// Leaves out the profiles that this run does not have: not every input file has base profiles.
std::vector<HistoryField> drop_absent(std::vector<HistoryField> fields, const Grid &grid) {
    const HistorySource source{{}, {}, {}, {}, nullptr, grid, {}, {}, nullptr, nullptr, 0};
    std::erase_if(fields, [&](const HistoryField &field) {
        if (field.where.horizontal) return false;
        const FieldPoints points = field.points(source);
        const auto *profile = std::get_if<const std::vector<real> *>(&points);
        return profile && (*profile)->empty();
    });
    return fields;
}

std::vector<CarriedField> carried_of(const std::vector<HistoryField> &fields) {
    std::vector<CarriedField> carried;
    for (const auto &f : fields)
        if (f.carried) carried.push_back({f.name, f.description, f.units, f.where, f.type});
    return carried;
}

bool any_of_the_air(const std::vector<HistoryField> &fields) {
    return std::ranges::any_of(fields, [](const HistoryField &f) { return f.derived || f.running; });
}

/// In rows of eight for each thread: the bits do not depend on it.
std::vector<Range> all_tiles(Shape s, int beyond = 0) {
    return make_tiles({-beyond, s.nx + beyond, -beyond, s.ny + beyond, 0, s.nz},
                      std::max(s.nx, 1) + 2 * beyond, 8);
}

bool shows(const std::vector<HistoryField> &fields, const std::string &name) {
    return std::ranges::find(fields, name, &HistoryField::name) != fields.end();
}

} // namespace

History::History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid)
    : settings_(with_region(stream, config, grid, patch, session.comm())), config_(config), patch_(patch),
      grid_(grid), fields_(drop_absent(select_history_fields(stream, config), grid)),
      faces_(Geolocation::make(config, patch, grid)), carried_(config, patch, carried_of(fields_)),
      made_(settings_, config, patch, grid, session.comm()),
      diagnosed_(config, patch, grid, dry_theta(), any_of_the_air(fields_),
                 tiles(any_of_the_air(fields_) ? 1 : 0)),
      derivation_(patch.shape, tiles(0)), since_(patch.shape, all_tiles(patch.shape), running_of(fields_)),
      stream_(open(session)) {
    for (const auto &field : fields_)
        if (!(settings_.constants_once() && field.fixed)) names_[field.name] = made_.put_name(field.name);
}

/// What is kept from step to step is kept of all cells: who goes on may have other stations.
bool History::looks_everywhere() const { return made_.stations().empty() || !running_of(fields_).empty(); }

std::vector<Range> History::tiles(int beyond) const {
    return looks_everywhere() ? all_tiles(patch_.shape, beyond)
                              : rows_around(made_.stations(), patch_, beyond);
}

/// What averages cost is the reading of memory. They keep nothing of what they are put but sums: T may be
/// made of a few rows at a time, which are then added while they are in the cache.
Diagnosed::DryTheta History::dry_theta() const {
    using Dry = Diagnosed::DryTheta;
    if (any_of_the_air(fields_)) return Dry::all_at_once;
    if (!shows(fields_, "T")) return Dry::nowhere;
    const bool where_it_lies = settings_.reduce.empty() || settings_.reduce == "ranks";
    const bool adds_up =
        !settings_.average.empty() && where_it_lies && settings_.over_time.empty() && !settings_.on_levels();
    return adds_up ? Dry::some_at_a_time : Dry::all_at_once;
}

io::Stream History::open(io::Session &session) {
    auto spec = declare_history(settings_, config_, fields_);
    const DomainConfig &d = config_.domain;
    spec.attributes = history_attributes(config_, Subset::make(settings_, d.nx, d.ny, d.nz), grid_);
    made_.declare(spec);
    return open_stream(session, settings_, config_, spec, {largest_patch(patch_)});
}

HistoryFrame History::begin(double seconds, std::int64_t step, const Snapshot &now) {
    const io::Time time{seconds, config_.run.start};
    const auto source = look(now);
    if (!std::exchange(begun_, true)) put_fixed(source);
    HistoryFrame made{begin(time), source};
    put_time(made.frame, time, step);
    made_.put_first(made.frame, seconds, now.state, now.p);
    return made;
}

std::string History::name_in_frames(const HistoryField &field) const {
    const auto name = names_.find(field.name);
    return name == names_.end() ? "" : name->second;
}

std::vector<const HistoryField *> History::for_others() const {
    std::vector<const HistoryField *> fields;
    for (const auto &f : fields_) {
        const bool of_part = !looks_everywhere() && (f.derived || f.name == "T");
        if (!f.running && !of_part && !goes_in_rows(f)) fields.push_back(&f);
    }
    return fields;
}

void History::finish(HistoryFrame &&made) {
    for (const auto &field : fields_) {
        if (goes_in_rows(field)) continue;
        const auto name = name_in_frames(field);
        if (!name.empty() && !made.put.contains(name))
            put_points(made.frame, name, patch_, field.where, field.points(made.source));
    }
    put_in_rows(made);
    since_.begin_anew();
    made.frame.commit();
}

io::Frame History::begin(const io::Time &time) {
    if (!stands_for_intervals()) return stream_.begin(time);
    const double began = interval_began_.value_or(time.seconds);
    interval_began_ = time.seconds;
    return stream_.begin(time, {began, time.seconds});
}

void History::follow(double seconds, const Snapshot &now) {
    if (!interval_began_) interval_began_ = seconds;
    diagnosed_.begin(now);
    since_.take(diagnosed_.air());
}

void History::follow_domain() { faces_ = Geolocation::make(config_, patch_, grid_); }

HistorySource History::look(const Snapshot &now) {
    diagnosed_.begin(now);
    derivation_.begin([this] { return diagnosed_.air(); });
    return {now.state,
            now.physics,
            now.p,
            now.al,
            &diagnosed_,
            grid_,
            faces_,
            carried_,
            &derivation_,
            &since_,
            settings_.interval / 3600};
}

/// T, and of what it is made.
bool History::goes_in_rows(const HistoryField &field) const {
    return diagnosed_.in_rows() && (field.name == "T" || field.name == "THM" || field.name == "QVAPOR");
}

void History::put_in_rows(HistoryFrame &made) {
    if (!diagnosed_.in_rows()) return;
    std::vector<std::pair<std::string, const HistoryField *>> fields;
    for (const auto &f : fields_)
        if (const auto name = name_in_frames(f); goes_in_rows(f) && !name.empty() && !made.put.contains(name))
            fields.emplace_back(name, &f);
    for (Rows rows; rows.first < patch_.shape.ny; rows.first += rows.count) {
        rows.count = std::min(patch_.shape.ny - rows.first, Diagnosed::rows_at_a_time);
        made.source.rows = rows;
        for (const auto &[name, field] : fields)
            put_rows(made.frame, name, patch_, rows, std::get<ConstField3>(field->points(made.source)));
    }
}

void History::put(io::Frame &frame, const HistoryField &field, const HistorySource &source) const {
    if (const auto name = name_in_frames(field); !name.empty())
        put_points(frame, name, patch_, field.where, field.points(source));
}

bool History::samples_at(double seconds) const {
    return made_.samples() &&
           (settings_.sample <= 0 || is_multiple(seconds, settings_.sample, 1e-3 * config_.run.time_step));
}

void History::sample(double seconds, const Snapshot &now) {
    if (!interval_began_) interval_began_ = seconds;
    const auto source = look(now);
    if (!std::exchange(begun_, true)) put_fixed(source);
    auto sample = stream_.sample({seconds, config_.run.start});
    made_.put_first(sample, seconds, now.state, now.p);
    for (const auto &field : fields_)
        if (made_.samples(field.name)) put(sample, field, source);
    sample.commit();
}

void History::save(io::Frame &restart) const {
    put_kept(restart, settings_.name, patch_, since_);
    const double began = interval_began_.value_or(std::nan(""));
    if (stands_for_intervals() && patch_.cx == 0 && patch_.cy == 0)
        restart.put(interval_name(settings_.name), {}, &began);
    stream_.save(restart);
}

void History::restore(const io::Reader &restart) {
    read_kept(restart, settings_.name, patch_, since_);
    if (const auto name = interval_name(settings_.name); stands_for_intervals() && restart.has(name)) {
        double began = 0;
        restart.read(name, restart.frames() - 1, {}, &began);
        if (!std::isnan(began)) interval_began_ = began;
    }
    if (restart.has(settings_.name + "_samples")) stream_.restore(restart.path(), restart.frames() - 1);
}

/// What every file begins with.
void History::put_fixed(const HistorySource &source) {
    made_.put_fixed(stream_);
    if (settings_.leaves_grid()) return;
    if (const auto mapping = GridMapping::make(config_)) mapping->put(stream_, patch_, grid_);
    if (!settings_.constants_once()) return;
    for (const auto &field : fields_)
        if (field.fixed) put_points(stream_, field.name, patch_, field.where, field.points(source));
}

void History::put_time(io::Frame &frame, const io::Time &time, std::int64_t step) const {
    if (patch_.cx != 0 || patch_.cy != 0) return;
    const auto text = io::format_time(time, "%Y-%m-%d_%H:%M:%S");
    const double minutes = time.seconds / 60;
    const auto number = static_cast<std::int32_t>(step);
    frame.put("Times", {{0}, {date_length}}, text.data());
    frame.put("XTIME", {}, &minutes);
    frame.put("ITIMESTEP", {}, &number);
    if (!config_.identity.moves) return;
    const std::int32_t start[] = {config_.identity.i_parent_start, config_.identity.j_parent_start};
    frame.put("I_PARENT_START", {}, &start[0]);
    frame.put("J_PARENT_START", {}, &start[1]);
}

} // namespace squall
