#include "frames/history.hpp"

#include <algorithm>
#include <cmath>

#include <omp.h>

#include "tracers/state.hpp"

namespace squall::transport {

GlobeHistory::GlobeHistory(io::Session &session, const StreamConfig &stream, const Settings &settings,
                           const PatchOfGlobe &where, const Flow *flow, MPI_Comm comm)
    : settings_(settings), where_(where), comm_(comm), field_values_(settings, where, flow),
      content_(stream, settings, where.globe()),
      columns_(content_.stations.empty() ? all_columns(where.patch().shape)
                                         : rows_around(content_.stations, where.patch(), 0)),
      out_(open_globe_stream(session, stream, settings, content_.spec())) {
    put_fixed();
}

void GlobeHistory::put_fixed() {
    put_grid(out_, settings_, where_, content_.axes());
    if (content_.stations.empty() || where_.patch().x0 != 0 || where_.patch().y0 != 0) return;
    std::vector<std::string> names;
    std::vector<double> lon, lat;
    for (const Place &station : content_.stations) {
        names.push_back(station.name);
        lon.push_back(station.longitude), lat.push_back(station.latitude);
    }
    const io::Box all{{0}, {std::ssize(content_.stations)}};
    out_.put("station_name", all, names.data());
    out_.put("longitude", all, lon.data());
    out_.put("latitude", all, lat.data());
}

/// What all ranks know, on the rank of the first patch.
void GlobeHistory::put_footprints(io::Frame &frame, std::span<const Footprint> seen) const {
    if (where_.patch().x0 != 0 || where_.patch().y0 != 0) return;
    std::vector<double> of_footprints;
    const auto put_all = [&](const char *name, auto value) {
        of_footprints.assign(static_cast<std::size_t>(content_.footprints.most()), std::nan(""));
        std::ranges::transform(seen, of_footprints.begin(), value);
        frame.put(name, {{0}, {content_.footprints.most()}}, of_footprints.data());
    };
    put_all("footprint_time", [](const Footprint &f) { return f.seconds; });
    put_all("longitude", [](const Footprint &f) { return f.longitude; });
    put_all("latitude", [](const Footprint &f) { return f.latitude; });
}

/// Of each footprint the rank that has its cell; what a frame has fewer than others is not a number.
void GlobeHistory::put_seen(io::Frame &frame, const GlobeField &field, std::span<const Footprint> seen) {
    const Patch &patch = where_.patch();
    const bool layered = field.has_layers();
    const int depth = layered ? patch.shape.nz : 1;
    std::vector<float> column(static_cast<std::size_t>(depth));
    const auto put_column = [&](std::int64_t n) {
        frame.put(field.name, layered ? io::Box{{n, 0}, {1, depth}} : io::Box{{n}, {1}}, column.data());
    };
    for (std::size_t n = 0; n < seen.size(); ++n) {
        const int i = seen[n].i - patch.x0, j = seen[n].j - patch.y0;
        if (i < 0 || i >= patch.shape.nx || j < 0 || j >= patch.shape.ny) continue;
        for (int k = 0; k < depth; ++k)
            column[static_cast<std::size_t>(k)] =
                values_[static_cast<std::size_t>((j * depth + k) * patch.shape.nx + i)];
        put_column(static_cast<std::int64_t>(n));
    }
    std::ranges::fill(column, std::nanf(""));
    if (patch.x0 == 0 && patch.y0 == 0)
        for (std::int64_t n = std::ssize(seen); n < content_.footprints.most(); ++n) put_column(n);
}

/// The columns of cells of a patch in which footprints lie, each once.
Columns GlobeHistory::columns_of(std::span<const Footprint> seen) const {
    std::vector<Place> cells(seen.size());
    for (std::size_t n = 0; n < seen.size(); ++n) cells[n].i = seen[n].i, cells[n].j = seen[n].j;
    return rows_around(cells, where_.patch(), 0);
}

void GlobeHistory::put(io::Frame &frame, const GlobeField &field, double seconds, const Block &block,
                       std::span<const Footprint> seen) {
    using Kind = GlobeField::Kind;
    if (field.is_number()) {
        const int of =
            field.kind == Kind::air_mass ? 0 : field_of(settings_.advection.moments(), field.tracer, 0);
        frame.set(field.name, total_mass(block, of, comm_));
        return;
    }
    field_values_.set(field, seconds, block, columns_, values_);
    if (content_.footprints.any()) return put_seen(frame, field, seen);
    const Patch &patch = where_.patch();
    frame.put(content_.makes() ? source_name(field.name) : field.name, box_of(patch, field.has_layers()),
              values_.data(), strides_of(patch, field.has_layers()));
}

/// What is made of mixing ratios along rows, such as zonal means, is made while some rows of all of them are
/// in the cache.
bool GlobeHistory::goes_by_rows(const GlobeField &field) const {
    return content_.makes() && content_.stations.empty() && field.kind == GlobeField::Kind::mixing_ratio;
}

void GlobeHistory::put_rows(io::Frame &frame, const Block &block) {
    const Patch &patch = where_.patch();
    const Shape &s = patch.shape;
    std::vector<int> tracers;
    std::vector<std::string> sources;
    for (const GlobeField &field : content_.fields)
        if (goes_by_rows(field)) tracers.push_back(field.tracer), sources.push_back(source_name(field.name));
    if (tracers.empty()) return;
    const int most = std::max(omp_get_max_threads(), 4); // so that there are few calls
    for (int j = 0; j < s.ny; j += most) {
        const int rows = std::min(most, s.ny - j);
        field_values_.set_ratios(tracers, block, j, rows, values_);
        const std::ptrdiff_t row = std::ptrdiff_t(s.nz) * s.nx;
        for (std::size_t n = 0; n < sources.size(); ++n)
            frame.put(sources[n], {{0, patch.y0 + j, patch.x0}, {s.nz, rows, s.nx}},
                      values_.data() + static_cast<std::ptrdiff_t>(n) * rows * row, {s.nx, row, 1});
    }
}

void GlobeHistory::write(double seconds, const Block &block) {
    const auto seen = content_.footprints.of_frame(seconds);
    if (content_.footprints.any()) columns_ = columns_of(seen);
    auto frame = out_.begin({seconds, settings_.common.run.start});
    if (content_.footprints.any()) put_footprints(frame, seen);
    put_rows(frame, block);
    for (const GlobeField &field : content_.fields)
        if (!goes_by_rows(field)) put(frame, field, seconds, block, seen);
    frame.commit();
}

} // namespace squall::transport
