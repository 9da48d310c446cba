#include "dynamics/scalar_transport.hpp"

#include <utility>

#include "dynamics/mass_flux.hpp"
#include "parallel/launch.hpp"

namespace squall {

ScalarTransport::ScalarTransport(const GridView &grid, Shape shape, int count, Limiter limiter,
                                 TransportScheme scheme, const std::vector<Range> &tiles,
                                 std::vector<ScratchMemory> &scratch, Halo &halo)
    : grid_(grid), limiter_(limiter), scheme_(scheme), tiles_(tiles), scratch_(scratch), halo_(halo),
      ru_(shape), rv_(shape), omega_(shape), spare_(shape), mass_change_(shape),
      rows_(static_cast<std::size_t>(count), ActiveRows(grid, scratch)) {
    if (limiter_ == Limiter::none) return;
    face_rows_ = make_tiles({0, shape.nz + 1, 0, shape.ny + 1, 0, 1}, shape.nz + 1, 1);
    fast_.resize(static_cast<std::size_t>(shape.ny + 1) * static_cast<std::size_t>(shape.nz + 1));
    for (int n = 0; n < count; ++n) out_.emplace_back(shape);
    for (int n = 0; n < count && limiter_ == Limiter::monotonic; ++n) in_.emplace_back(shape);
}

template <class Kernel> void ScalarTransport::on_tiles(const Kernel &kernel) {
    launch(tiles_, scratch_, kernel);
}

SubstepSum ScalarTransport::substep_sum() { return {grid_.nx, grid_.ny, grid_.nz, ru_.view(), rv_.view()}; }

void ScalarTransport::finish_substeps(int substeps, ConstField3 ru, ConstField3 rv) {
    on_tiles([=, sum = substep_sum(), n = 1 / static_cast<real>(substeps)](
                 const Range &tile, const Scratch &) { sum.average(tile, n, ru, rv); });
    on_tiles([g = grid_, ru = this->ru(), rv = this->rv(), omega = omega_.view(),
              change = mass_change_.view()](const Range &tile, const Scratch &) {
        diagnose_omega(tile, g, ru, rv, omega, change);
    });
}

void ScalarTransport::advance(std::vector<Array3> &old, const std::vector<Array3> &stage,
                              std::vector<Array3> &result, const std::vector<Array3> &held,
                              ConstField2 mu_old, ConstField2 mu_new, Range inner, StageOfStep part) {
    const bool limited = part.last && limiter_ != Limiter::none;
    const MovingAir air{ru(), rv(), omega(), mu_old, mu_new, part.dt};
    stages_.clear();
    for (std::size_t n = 0; n < old.size(); ++n)
        stages_.push_back({grid_,
                           scheme_,
                           air,
                           inner,
                           std::as_const(old[n]).view(),
                           stage[n].view(),
                           held.empty() ? ConstField3{} : held[n].view(),
                           {},
                           limited ? fast_.data() : nullptr,
                           limiter_ == Limiter::monotonic,
                           sides_ && part.last && int(n) < waters_ ? *sides_ : SideLines{}});
    if (limited && !held.empty()) add_held(old);
    for (std::size_t n = 0; n < old.size(); ++n) {
        if (part.first) rows_[n].begin_step(stages_[n].old, stages_[n].held);
        rows_[n].find(&stage == &old ? ConstField3{} : stages_[n].stage);
        stages_[n].rows = rows_[n].view();
        if (limited) stages_[n].held = {}; // which `old` has
    }
    if (limited) find_scales();
    for (std::size_t n = 0; n < old.size(); ++n) {
        on_tiles([scalar = stages_[n], scales = limited ? scales(n) : ExcessScales{},
                  out = spare_.view()](const Range &tile, const Scratch &scratch) {
            scalar.apply(tile, scales, out, scratch);
        });
        std::swap(result[n], spare_);
    }
}

void ScalarTransport::add_held(std::vector<Array3> &old) {
    exchanged_.clear();
    for (std::size_t n = 0; n < old.size(); ++n) {
        exchanged_.push_back(HaloField::of(old[n], grid_.nz));
        on_tiles([scalar = stages_[n], q = old[n].view()](const Range &tile, const Scratch &) {
            scalar.add_held(tile, q);
        });
    }
    halo_.start(exchanged_, 1);
    halo_.finish();
}

ExcessScales ScalarTransport::scales(std::size_t n) const {
    return {out_[n].view(), in_.empty() ? ConstField3{} : in_[n].view()};
}

void ScalarTransport::find_scales() {
    if (stages_.empty()) return;
    launch(face_rows_, scratch_,
           [g = grid_, air = stages_.front().air, fast = fast_.data()](const Range &rows, const Scratch &) {
               find_fast_rows(rows, g, air, fast);
           });
    exchanged_.clear();
    for (std::size_t n = 0; n < stages_.size(); ++n) {
        on_tiles([scalar = stages_[n], out = out_[n].view(),
                  in = in_.empty() ? Field3{} : in_[n].view()](const Range &tile, const Scratch &scratch) {
            scalar.find_scales(tile, out, in, scratch);
        });
        exchanged_.push_back(HaloField::of(out_[n], grid_.nz));
        if (!in_.empty()) exchanged_.push_back(HaloField::of(in_[n], grid_.nz));
    }
    halo_.start(exchanged_, 1);
    halo_.finish();
}

} // namespace squall
