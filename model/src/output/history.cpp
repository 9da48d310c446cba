#include "output/history.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "config/nearest.hpp"
#include "core/constants.hpp"
#include "core/loop.hpp"
#include "grid/scalars.hpp"
#include "output/history_attributes.hpp"
#include "output/stream.hpp"
#include "output/subset.hpp"

namespace squall {
namespace {

constexpr int date_length = 19;

std::vector<io::Dimension> history_dimensions(int nx, int ny, int nz,
                                              const std::vector<HistoryField> &fields) {
    std::vector<io::Dimension> dimensions{{"DateStrLen", date_length}};
    for (auto &d : domain_dimensions(nx, ny, nz)) dimensions.push_back(std::move(d));
    for (const auto &field : fields)
        if (field.where.levels == Levels::soil) {
            dimensions.push_back({"soil_layers_stag", field.where.soil_layers});
            break;
        }
    return dimensions;
}

/// The declaration but for the attributes of the file.
io::StreamSpec declare_history(const StreamConfig &stream, const Config &config,
                               const std::vector<HistoryField> &fields) {
    const auto [nx, ny, nz] = std::tuple(config.domain.nx, config.domain.ny, config.domain.nz);
    io::StreamSpec s = stream_spec(stream, config);
    s.dimensions = history_dimensions(nx, ny, nz, fields);
    const Subset subset = Subset::make(stream, nx, ny, nz);
    if (!subset.everything(nx, ny, nz)) s.subset = subset.selections();
    s.fields = declare_time(config.run.start);
    for (const auto &field : fields) {
        s.fields.push_back(declare(field));
        if (const auto p = stream.precision.find(field.name); p != stream.precision.end())
            s.fields.back().precision = p->second;
    }
    return s;
}

/// The names of the latitude and longitude of a field's points.
std::vector<std::string> coordinates_of(const HistoryField &field) {
    if (!field.where.horizontal) return {};
    switch (field.where.faces) {
    case Faces::x:
        return {"XLAT_U", "XLONG_U"};
    case Faces::y:
        return {"XLAT_V", "XLONG_V"};
    case Faces::none:
        break;
    }
    return {"XLAT", "XLONG"};
}

[[noreturn]] void refuse_field(const StreamConfig &stream, const std::string &run_file, const char *key,
                               const std::string &name, const std::vector<std::string> &known) {
    throw ConfigError(fmt::format("{}:{}: output.{}.{}: there is no field \"{}\"; did you mean \"{}\"?",
                                  run_file, stream.line, stream.name, key, name, nearest(name, known)));
}

std::vector<std::string> names_of(const std::vector<HistoryField> &fields) {
    std::vector<std::string> names;
    for (const auto &field : fields) names.push_back(field.name);
    return names;
}

void check_known(const StreamConfig &stream, const std::string &run_file,
                 const std::vector<HistoryField> &possible) {
    auto known = names_of(possible);
    known.insert(known.begin(), {"Times", "XTIME", "ITIMESTEP"});
    for (const auto &name : stream.fields)
        if (std::ranges::find(known, name) == known.end())
            refuse_field(stream, run_file, "fields", name, known);
}

void check_precision(const StreamConfig &stream, const std::string &run_file,
                     const std::vector<HistoryField> &selected) {
    const auto names = names_of(selected);
    for (const auto &[name, precision] : stream.precision)
        if (std::ranges::find(names, name) == names.end())
            refuse_field(stream, run_file, "precision", name, names);
}

/// Leaves out the profiles that this run does not have: not every input file has base profiles.
std::vector<HistoryField> drop_absent(std::vector<HistoryField> fields, const Grid &grid) {
    const HistorySource source{{}, {}, {}, {}, {}, {}, grid, {}, {}};
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

} // namespace

std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const Config &config) {
    const auto possible = history_fields(config);
    std::set<std::string> wanted(stream.fields.begin(), stream.fields.end());
    check_known(stream, config.file, possible);
    for (const auto &field : possible) {
        if (stream.fields.empty() && field.by_default) wanted.insert(field.name);
        if (wanted.contains(field.name))
            for (const auto &name : coordinates_of(field)) wanted.insert(name);
    }
    std::vector<HistoryField> selected;
    std::ranges::copy_if(possible, std::back_inserter(selected),
                         [&](const HistoryField &f) { return wanted.contains(f.name); });
    return selected;
}

io::StreamSpec history_spec(const StreamConfig &stream, const Config &config) {
    const auto fields = select_history_fields(stream, config);
    check_precision(stream, config.file, fields);
    return declare_history(stream, config, fields);
}

History::History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid)
    : settings_(stream), config_(config), patch_(patch), grid_(grid),
      fields_(drop_absent(select_history_fields(stream, config), grid)),
      faces_(Geolocation::make(config, patch)), carried_(config, patch, carried_of(fields_)),
      psfc_(patch.shape), vapour_(scalars_of(config).vapour), stream_(open(session)) {
    const auto names = names_of(fields_);
    if (integrates_moist_theta(config) && std::ranges::find(names, "T") != names.end())
        theta_ = Array3(patch.shape);
}

io::Stream History::open(io::Session &session) const {
    check_precision(settings_, config_.file, fields_);
    auto spec = declare_history(settings_, config_, fields_);
    const DomainConfig &d = config_.domain;
    spec.attributes = history_attributes(config_, Subset::make(settings_, d.nx, d.ny, d.nz), grid_);
    return open_stream(session, settings_, config_, spec, largest_patch(patch_));
}

void History::write(double seconds, std::int64_t step, const Snapshot &now) {
    diagnose_surface_pressure(now.state, now.p);
    if (theta_.bytes() > 0) diagnose_dry_theta(now.state);
    const io::Time time{seconds, config_.run.start};
    auto frame = stream_.begin(time);
    put_time(frame, time, step);
    const HistorySource source{now.state, now.physics, now.p, now.al, theta_, psfc_, grid_, faces_, carried_};
    for (const auto &field : fields_)
        put_points(frame, field.name, patch_, field.where, field.points(source));
    frame.commit();
}

void History::put_time(io::Frame &frame, const io::Time &time, std::int64_t step) const {
    if (patch_.cx != 0 || patch_.cy != 0) return;
    const auto text = io::format_time(time, "%Y-%m-%d_%H:%M:%S");
    const double minutes = time.seconds / 60;
    const auto number = static_cast<std::int32_t>(step);
    frame.put("Times", {{0}, {date_length}}, text.data());
    frame.put("XTIME", {}, &minutes);
    frame.put("ITIMESTEP", {}, &number);
}

/// Total pressure of the two lowest layers, extrapolated linearly in height to the surface, as WRF
/// does (phy_prep).
void History::diagnose_surface_pressure(const State &state, const Array3 &p) {
    const auto ph = state.ph.view(), phb = grid_.phb.view(), pp = p.view(), pb = grid_.pb.view();
    const auto psfc = psfc_.view();
    const Range owned{0, patch_.shape.nx, 0, patch_.shape.ny, 0, 1};
    for_each_column(owned, [=](int i, int j) {
        const auto phi = [=](int k) { return ph(i, k, j) + phb(i, k, j); };
        const real middle_0 = (phi(0) + phi(1)) / 2, middle_1 = (phi(1) + phi(2)) / 2;
        const real weight = (phi(0) - middle_1) / (middle_0 - middle_1);
        psfc(i, j) = weight * (pp(i, 0, j) + pb(i, 0, j)) + (1 - weight) * (pp(i, 1, j) + pb(i, 1, j));
    });
}

void History::diagnose_dry_theta(const State &state) {
    constexpr real ratio = constants::r_v / constants::r_d, theta0 = constants::theta0;
    const auto moist = state.theta.view(), q = state.scalars[static_cast<std::size_t>(vapour_)].view();
    const auto dry = theta_.view();
    const Range owned{0, patch_.shape.nx, 0, patch_.shape.ny, 0, patch_.shape.nz};
    for_each(owned, [=](int i, int k, int j) {
        dry(i, k, j) = (moist(i, k, j) + theta0) / (1 + ratio * q(i, k, j)) - theta0;
    });
}

} // namespace squall
