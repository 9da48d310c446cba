#include "output/history.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "config/nearest.hpp"
#include "core/loop.hpp"
#include "output/history_attributes.hpp"
#include "output/stream.hpp"
#include "output/subset.hpp"

namespace squall {
namespace {

constexpr int date_length = 19;

std::vector<io::Dimension> history_dimensions(int nx, int ny, int nz) {
    std::vector<io::Dimension> dimensions{{"DateStrLen", date_length}};
    for (auto &d : domain_dimensions(nx, ny, nz)) dimensions.push_back(std::move(d));
    return dimensions;
}

/// The declaration but for the attributes of the file.
io::StreamSpec declare_history(const StreamConfig &stream, const Config &config,
                               const std::vector<HistoryField> &fields) {
    const auto [nx, ny, nz] = std::tuple(config.domain.nx, config.domain.ny, config.domain.nz);
    io::StreamSpec s = stream_spec(stream, config);
    s.dimensions = history_dimensions(nx, ny, nz);
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

void check_known(const StreamConfig &stream, const std::string &run_file) {
    auto known = names_of(history_fields());
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
    const HistorySource source{{}, {}, {}, grid, {}};
    std::erase_if(fields, [&](const HistoryField &field) {
        if (field.where.horizontal || field.where.levels == Levels::none) return false;
        return std::get<const std::vector<real> *>(field.points(source))->empty();
    });
    return fields;
}

} // namespace

std::vector<HistoryField> select_history_fields(const StreamConfig &stream, const std::string &run_file) {
    if (stream.fields.empty()) return history_fields();
    check_known(stream, run_file);
    std::set<std::string> wanted(stream.fields.begin(), stream.fields.end());
    for (const auto &field : history_fields())
        if (wanted.contains(field.name))
            for (const auto &name : coordinates_of(field)) wanted.insert(name);
    std::vector<HistoryField> selected;
    std::ranges::copy_if(history_fields(), std::back_inserter(selected),
                         [&](const HistoryField &f) { return wanted.contains(f.name); });
    return selected;
}

io::StreamSpec history_spec(const StreamConfig &stream, const Config &config) {
    const auto fields = select_history_fields(stream, config.file);
    check_precision(stream, config.file, fields);
    return declare_history(stream, config, fields);
}

History::History(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid)
    : settings_(stream), config_(config), patch_(patch), grid_(grid),
      fields_(drop_absent(select_history_fields(stream, config.file), grid)),
      faces_(Geolocation::make(config, patch)), psfc_(patch.shape), stream_(open(session)) {}

io::Stream History::open(io::Session &session) const {
    check_precision(settings_, config_.file, fields_);
    auto spec = declare_history(settings_, config_, fields_);
    const DomainConfig &d = config_.domain;
    spec.attributes = history_attributes(config_, Subset::make(settings_, d.nx, d.ny, d.nz), grid_);
    return open_stream(session, settings_, config_, spec, largest_patch(patch_));
}

void History::write(double seconds, std::int64_t step, const State &state, const Array3 &p) {
    diagnose_surface_pressure(state, p);
    const io::Time time{seconds, config_.run.start};
    auto frame = stream_.begin(time);
    put_time(frame, time, step);
    const HistorySource source{state, p, psfc_, grid_, faces_};
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

} // namespace squall
