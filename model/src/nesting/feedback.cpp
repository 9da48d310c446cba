#include "nesting/feedback.hpp"

#include "core/loop.hpp"

namespace squall {
namespace {

Region covered_by(const NestPlace &place, const Region &nest) {
    const int r = place.ratio;
    return {place.i0 + nest.i0 / r, place.i0 + nest.i1 / r, place.j0 + nest.j0 / r, place.j0 + nest.j1 / r};
}

/// Cells and low faces that any variable may be given.
Region inside(const NestPlace &place) {
    const Region all = place.covered();
    return {all.i0 + 1, all.i1, all.j0 + 1, all.j1};
}

} // namespace

Feedback::Feedback(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest)
    : place_(place), parent_(parent),
      covered_(covered_by(place, {nest.x0, nest.x0 + nest.shape.nx, nest.y0, nest.y0 + nest.shape.ny})),
      shape_{covered_.i1 - covered_.i0, covered_.j1 - covered_.j0, nest.shape.nz},
      exchange_(
          comm, [&](int rank) { return covered_by(place, region_of(nest, rank)); },
          [&](int rank) { return meet(region_of(parent, rank), inside(place)); }) {}

Region Feedback::limits(Stagger kind) const {
    Region r = inside(place_);
    if (kind != Stagger::x) --r.i1;
    if (kind != Stagger::y) --r.j1;
    return r;
}

void Feedback::average(const FedBack &v, Array3 &into) const {
    const int r = place_.ratio, wide = v.kind == Stagger::x ? 1 : r, deep = v.kind == Stagger::y ? 1 : r;
    const real share = real(1) / real(wide * deep);
    for_each_row({0, shape_.nx, 0, shape_.ny, 0, v.levels}, [&](int k, int j) {
        return [=, out = into.view().row(k, j), first = v.nest.row(k, j * r), sj = v.nest.sj](int i) {
            real sum = 0;
            for (int b = 0; b < deep; ++b)
                for (int a = 0; a < wide; ++a) sum += first[i * r + a + sj * b];
            out[i] = sum * share;
        };
    });
}

void Feedback::give(std::span<const FedBack> variables) {
    while (averages_.size() < variables.size()) averages_.emplace_back(shape_);
    std::vector<MovedField> fields;
    for (std::size_t n = 0; n < variables.size(); ++n) {
        const FedBack &v = variables[n];
        average(v, averages_[n]);
        fields.push_back({in_domain(ConstField3(averages_[n].view()), covered_.i0, covered_.j0),
                          in_domain(v.parent, parent_.x0, parent_.y0), v.levels, limits(v.kind)});
    }
    exchange_.move(fields);
}

} // namespace squall
