/// Microphysics schemes that are kernels: values with
///
///     static int scratch_rows(int nz);
///     void advance(const MoistColumns &columns, const Scratch &scratch) const;
///
/// which serve processors and devices. What each makes of a column depends on nothing but that column.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parallel/launch.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/moist_patch.hpp"

namespace squall {

/// Such a scheme with memory of its own.
template <class Kernel> class MoistKernel final : public MicrophysicsScheme {
  public:
    explicit MoistKernel(int nz) : memory_(Kernel::scratch_rows(nz), columns_at_a_time) {}
    void advance(const MoistColumns &columns) override { Kernel{}.advance(columns, memory_.rows()); }

  private:
    ScratchMemory memory_;
};

/// Its entry.
template <class Kernel> MicrophysicsEntry moist_kernel(std::string title, std::vector<Water> waters) {
    return {
        .title = std::move(title),
        .waters = std::move(waters),
        .make = [](int nz) { return std::make_unique<MoistKernel<Kernel>>(nz); },
        .launch =
            [](const MoistPatch &patch, const std::vector<Range> &tiles, std::vector<ScratchMemory> &memory) {
                launch_columns(tiles, memory, [patch](const Range &columns, const Scratch &scratch) {
                    const MoistColumns c = patch.prepare(columns, scratch);
                    Kernel{}.advance(c, scratch.from(MoistPatch::scratch_rows(c.nz)));
                    patch.finish(columns, c, scratch);
                });
            },
        .scratch_rows = Kernel::scratch_rows};
}

} // namespace squall
