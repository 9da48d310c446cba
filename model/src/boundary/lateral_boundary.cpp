// Construction of the lateral boundary, and what its source says.
#include "boundary/lateral_boundary.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {

LateralBoundary::LateralBoundary(const Config &config, const Patch &patch, const Grid &grid,
                                 const ScalarSet &scalars, std::unique_ptr<RimSource> source)
    : patch_(patch), grid_(GridView(grid).kept_in(tables_)), rim_(patch), source_(std::move(source)),
      specified_(config.boundary.specified_rows), relaxation_(config.boundary.relaxation_rows),
      decay_(config.boundary.relaxation_decay), keeps_constants_(!config.run.as_wrf()),
      dt_(config.run.time_step), fields_(make_fields(scalars)) {
    check_specified_rows(specified_, patch);
    set_time_step(dt_);
    source_->check(fields_);
    water_.resize(std::size_t(patch.shape.nx) * std::size_t(patch.shape.ny));
}

void LateralBoundary::set_time_step(double dt) {
    dt_ = dt;
    weights_.clear();
    for (int d = 0; d < specified_ + relaxation_ - 1; ++d) {
        const bool relaxed = d >= specified_;
        const double linear = relaxed ? double(specified_ + relaxation_ - 1 - d) / (relaxation_ - 1) : 0;
        const double share = linear * std::exp(-decay_ * (d - specified_));
        weights_.push_back({real(0.1 / dt_ * share), real(0.02 / dt_ * share)});
    }
}

RimFields LateralBoundary::make_fields(const ScalarSet &scalars) const {
    const int nz = patch_.shape.nz, reach = specified_ + relaxation_ - 1, width = specified_ + relaxation_;
    const auto make = [&](Points points, int nk) { return RimField(patch_, points, nk, reach, width); };
    RimFields fields{make(Points::x_faces, nz),
                     make(Points::y_faces, nz),
                     make(Points::cells, nz),
                     make(Points::cells, nz + 1),
                     make(Points::cells, 1),
                     make(Points::cells, source_->knows_w() ? nz + 1 : 0),
                     {}};
    for (int n = 0; n < scalars.size(); ++n)
        fields.scalars.push_back(make(Points::cells, source_->knows_scalar(n) ? nz : 0));
    return fields;
}

OutflowFaces LateralBoundary::outflow_faces() const {
    constexpr Range everywhere{0, 1 << 30, 0, 1 << 30, 0, 1};
    return {rim_.inner(everywhere, Points::x_faces, 1),
            rim_.inner(everywhere, Points::y_faces, 1),
            1 - patch_.x0,
            patch_.nx_domain - 1 - patch_.x0,
            1 - patch_.y0,
            patch_.ny_domain - 1 - patch_.y0};
}

void check_specified_rows(int specified, const Patch &patch) {
    const Shape s = patch.shape;
    if ((s.nx > specified || (!patch.at_west() && !patch.at_east())) &&
        (s.ny > specified || (!patch.at_south() && !patch.at_north())))
        return;
    throw std::runtime_error(
        fmt::format("boundary.specified_rows = {} needs patches with more cells on a side than the {} x {} "
                    "that these ranks make; use fewer ranks or fewer rows",
                    specified, s.nx, s.ny));
}

void LateralBoundary::set_time(double seconds, const State &state) {
    if (changes_at(seconds)) values_at_ = source_->fill(seconds, grid_, state, fields_);
    const double elapsed = seconds - values_at_;
    begin_ = real(elapsed);
    end_ = real(elapsed + dt_);
}

} // namespace squall
