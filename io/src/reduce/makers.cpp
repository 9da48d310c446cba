#include "reduce/makers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "common/box.hpp"
#include "reduce/checked.hpp"

namespace squall::io {

Makers::Makers(std::shared_ptr<const Layout> layout, Take take)
    : layout_(std::move(layout)), take_(std::move(take)) {
    for (const auto &onto : layout_->levels) companions_.expect(onto.coordinate);
    for (const auto &what : layout_->intervals) accumulators_.emplace_back(what);
}

bool Makers::use(const std::string &field) const {
    return companions_.want(field) ||
           std::ranges::find(layout_->levels, field, &OntoLevels::of) != layout_->levels.end() ||
           std::ranges::find(layout_->intervals, field, &OverTime::of) != layout_->intervals.end();
}

void Makers::guarded(const std::string &field, const std::function<void()> &f) {
    if (!fault_.empty()) return;
    try {
        f();
    } catch (const std::exception &e) {
        fault_ = fmt::format("field {}: {}", field, e.what());
    }
}

void Makers::begin(double seconds, bool sample) {
    seconds_ = seconds;
    sample_ = sample;
}

void Makers::put(const Put &put, bool per_frame) {
    if (!use(put.field)) return;
    guarded(put.field, [&] {
        const auto &f = *layout_->find_put(put.field);
        if (f.field.per_frame != per_frame) return; // the stage has the words for it
        if (!checked(*layout_, put)) return;
        if (companions_.want(put.field)) companions_.keep(put);
        make(put);
    });
}

void Makers::put_points(const Put &put, bool per_frame) {
    if (!use(put.field)) return;
    guarded(put.field,
            [&] { for_checked_boxes(*layout_, put, [&](const Put &part) { this->put(part, per_frame); }); });
}

/// Whether samples between frames need a field: whether something is made of it over time.
bool Makers::matters(const std::string &field) const {
    if (std::ranges::find(layout_->intervals, field, &OverTime::of) != layout_->intervals.end()) return true;
    return std::ranges::any_of(
        layout_->levels, [&](const OntoLevels &onto) { return onto.of == field && matters(onto.name); });
}

void Makers::make(const Put &put) {
    for (const auto &onto : layout_->levels) {
        if (onto.of != put.field || (sample_ && !matters(onto.name))) continue;
        hand_on(onto.name, onto_box(onto, put.box), finder_.interpolate(onto, put, companions_));
    }
    for (auto &accumulator : accumulators_) {
        if (accumulator.what().of != put.field) continue;
        accumulator.add(put, interval_);
        if (!sample_)
            hand_on(accumulator.what().name, put.box, accumulator.result(put.box, interval_, seconds_));
    }
}

void Makers::hand_on(const std::string &name, const Box &box, const std::vector<double> &values) {
    const Put made{name, box, values.data(), Type::f64, {}, true};
    make(made);
    if (!sample_) take_(made);
}

void Makers::abandon() {
    sample_ = true;
    end();
}

std::string Makers::end() {
    ++interval_.samples;
    untouched_ = false;
    for (const auto &accumulator : accumulators_)
        guarded(accumulator.what().name, [&] { accumulator.sample_done(interval_); });
    finder_.clear();
    companions_.clear_frame();
    if (std::exchange(sample_, false)) return "";
    for (auto &accumulator : accumulators_) accumulator.begin_anew();
    interval_ = {seconds_, false, 0};
    return std::exchange(fault_, "");
}

std::string Makers::prefix_of(const OverTime &what) const {
    return layout_->spec.name + "_" + what.name + "_";
}

std::vector<Field> Makers::accumulators() const {
    std::vector<Field> fields;
    if (accumulators_.empty()) return fields;
    for (const auto &a : accumulators_)
        for (const auto &plane : a.planes())
            fields.push_back(
                {prefix_of(a.what()) + plane,
                 Type::f64,
                 a.what().dimensions,
                 {{"long_name", fmt::format("{} of {}, of which stream {} makes {} over time", plane,
                                            a.what().of, layout_->spec.name, a.what().name)}}});
    fields.push_back(
        {layout_->spec.name + "_samples", Type::f64, {}, {{"long_name", "samples since the last frame"}}});
    fields.push_back({layout_->spec.name + "_begun",
                      Type::f64,
                      {},
                      {{"long_name", "time of the last frame"}, {"units", "s"}}});
    return fields;
}

void Makers::save(int rank, int ranks,
                  const std::function<void(const std::string &, const Box &, const double *)> &put) const {
    if (accumulators_.empty()) return;
    for (const auto &a : accumulators_) {
        const auto names = a.planes();
        const auto put_plane = [&](std::size_t plane, const Box &box, const double *values) {
            put(prefix_of(a.what()) + names[plane], box, values);
        };
        if (untouched_)
            a.for_share(rank, ranks, put_plane);
        else
            a.for_parts(put_plane);
    }
    const auto samples = static_cast<double>(interval_.samples);
    const double begun = interval_.first ? std::numeric_limits<double>::quiet_NaN() : interval_.begun;
    put(layout_->spec.name + "_samples", {}, &samples);
    put(layout_->spec.name + "_begun", {}, &begun);
}

void Makers::restore(const std::shared_ptr<const Reader> &file, std::int64_t frame) {
    for (const auto &field : accumulators())
        if (!file->has(field.name))
            throw Error(
                fmt::format("stream {}: {} has no field {}, which it needs to continue a reduction over time",
                            layout_->spec.name, file->path(), field.name));
    if (accumulators_.empty()) return;
    double samples = 0, begun = 0;
    file->read(layout_->spec.name + "_samples", frame, {}, &samples);
    file->read(layout_->spec.name + "_begun", frame, {}, &begun);
    interval_ = {begun, std::isnan(begun), static_cast<std::int64_t>(samples)};
    for (auto &a : accumulators_) a.read_from(file, frame, prefix_of(a.what()), interval_.samples);
}

} // namespace squall::io
