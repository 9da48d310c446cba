// A Runge-Kutta stage, from its slow tendencies to its result: how its kernels come to all columns.
#include <algorithm>
#include <optional>
#include <span>

#include "parallel/chain.hpp"
#include "solver/solver.hpp"

namespace squall {

StageReference Solver::stage_reference(const State &reference, bool first) {
    return {reference.u.view(),
            reference.v.view(),
            reference.w.view(),
            reference.theta.view(),
            reference.ph.view(),
            reference.mu.view(),
            muu_.view(),
            muv_.view(),
            dmudt_.view(),
            alt_.view(),
            php_.view(),
            p_.view(),
            tend_.u.view(),
            tend_.v.view(),
            tend_.w.view(),
            tend_.theta.view(),
            tend_.ph.view(),
            moisture_factors(),
            first && boundary_ ? ConstField2(held_->mu.view()) : ConstField2{}};
}

Substeps Solver::substeps_of(const State &reference, int count, StageOfStep part) {
    return {grid_,
            faces_,
            whole_vectors_,
            {0, grid_.nx, 0, grid_.ny, 0, grid_.nz},
            inner_,
            acoustic_settings(part.dt / static_cast<real>(count)),
            stage_reference(reference, part.first),
            {now_.u.view(), now_.v.view(), now_.w.view(), now_.theta.view(), now_.ph.view(), now_.mu.view(),
             muu_now_.view(), muv_now_.view()},
            acoustic_.fields(),
            ru_.view(),
            rv_.view(),
            boundary_ ? std::optional(boundary_->specified()) : std::nullopt,
            transport_ ? transport_->substep_sum() : SubstepSum{},
            part.last ? sides_.lines() : SideLines{},
            count,
            part.dt,
            part.first};
}

StageKernels Solver::kernels_of(const State &reference, State &result, int substeps, StageOfStep part) {
    return {{*slow_, flow_view(reference), reference.theta.view(), dt_, held_fields(), heating()},
            substeps_of(reference, substeps, part),
            {{grid_, faces_, stage_reference(reference, false), acoustic_.fields(), result.fields()},
             part.last ? heating() : ConstField3{},
             dt_}};
}

bool Solver::in_wavefronts() const {
    return !chains_are_launched() && tile_size_.x >= grid_.nx &&
           (exceeds_cache_ || launch_order() == LaunchOrder::rows);
}

bool Solver::fills_rows_itself() const { return in_wavefronts() && halo_.is_alone(); }

void Solver::run_kernels(const StageKernels &stage) {
    for (int begin = 0, end = 0; begin < stage.count(); begin = end) {
        end = in_wavefronts() ? end_of_wavefront(stage, begin) : begin + 1;
        if (in_wavefronts())
            stage_row_by_row(stage, begin, end);
        else
            launch_kernel(stage, begin);
        for (int kernel = begin; kernel < end; ++kernel) exchange_after(stage, kernel);
    }
}

std::span<const HaloField> Solver::changed_by(const StageKernels &stage, int kernel) const {
    if (kernel == 0) return slow_faces_;
    if (!stage.ends_substep(kernel)) return {};
    // No pressure gradient acts at the end of a stage; over a level base it needs no al.
    return std::span(departure_halos_).first(stage.ends_substeps(kernel) ? 2 : grid_.level_base ? 4 : 5);
}

void Solver::exchange_after(const StageKernels &stage, int kernel) {
    const auto fields = changed_by(stage, kernel);
    if (fills_rows_itself()) {
        if (!fields.empty()) halo_.count(fields, 1);
    } else if (kernel == 0) {
        halo_.start(fields, 1); // on their way while departures are prepared
    } else if (kernel == stage.first_of_substeps()) {
        halo_.finish();
    } else if (!fields.empty()) {
        halo_.start(fields, 1);
        halo_.finish();
    }
}

// One wavefront lasts until neighbours are asked, and until threads have too few rows for its reach.
int Solver::end_of_wavefront(const StageKernels &stage, int begin) const {
    const auto parts = static_cast<int>(row_parts_.size());
    const int rows = (grid_.ny + 2) / parts;
    Reach together = stage.reach(begin);
    int end = begin + 1;
    for (; end < stage.count(); ++end) {
        const bool asks = end == 1 || end == 2 || stage.ends_substep(end - 1);
        if (asks && !fills_rows_itself()) break;
        together = together + stage.reach(end);
        if (parts > 1 && together.south + together.north > rows) break;
    }
    return end;
}

void Solver::stage_row_by_row(const StageKernels &stage, int begin, int end) {
    const auto begins_part = [&](int j) {
        return j == 0 || std::ranges::any_of(row_parts_, [j](const Range &part) { return part.j0 == j; });
    };
    run_wavefront(
        row_parts_, scratch_, end - begin, [&](int n) { return stage.reach(begin + n); },
        [&](int n, const Range &row, const Scratch &scratch) {
            stage.run_row(begin + n, row, begins_part(row.j0), scratch);
            const bool of_cells = row.j0 >= 0 && row.j0 < grid_.ny;
            if (of_cells && fills_rows_itself()) halo_.fill_around_row(changed_by(stage, begin + n), row.j0);
        });
}

void Solver::launch_kernel(const StageKernels &stage, int kernel) {
    if (kernel == 0)
        slow_tendencies(stage);
    else if (stage.is_of_substeps(kernel))
        acoustic_substeps(stage, kernel);
    else
        finish(stage, kernel);
}

// A profile knows launches by the functions that ask for them.
void Solver::slow_tendencies(const StageKernels &stage) {
    launch(cell_tiles_,
           [slow = stage.slow](const Range &tile, const Scratch &scratch) { slow.find(tile, scratch); });
}

void Solver::acoustic_substeps(const StageKernels &stage, int kernel) {
    launch(kernel == stage.first_of_substeps() ? wide_tiles_ : cell_tiles_,
           [steps = stage.substeps, n = kernel - stage.first_of_substeps()](
               const Range &tile, const Scratch &scratch) { steps.run(n, tile, scratch); });
}

void Solver::finish(const StageKernels &stage, int kernel) {
    if (kernel == stage.all_but_mass())
        launch(cell_tiles_,
               [result = stage.result](const Range &tile, const Scratch &) { result.find(tile); });
    else if (kernel == stage.mass_of_result())
        launch(cell_tiles_,
               [result = stage.result](const Range &tile, const Scratch &) { result.find_mass(tile); });
    else if (const auto &rim = stage.substeps.rim)
        launch(cell_tiles_, [rim = *rim, dt = stage.substeps.dt, w = acoustic_.w.view()](
                                const Range &tile, const Scratch &) { rim.finish_w(tile, dt, w); });
}

} // namespace squall
