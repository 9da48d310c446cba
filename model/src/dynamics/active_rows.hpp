/// Where in a patch a scalar is.
#pragma once

#include <vector>

#include "core/kernel_memory.hpp"
#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "dynamics/row_flags.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Which rows of a patch (all i of a level k and a line j) hold anything of a scalar: rows far from any
/// need no transport, and most of the clouds and tracers of a domain are such.
class ActiveRows {
  public:
    /// Scratch is the caller's, one for each thread, and stays where it is.
    ActiveRows(const GridView &grid, std::vector<ScratchMemory> &scratch);

    /// Looks for values that are not zero in what all stages of a step read, halo included; `held` may be
    /// without data.
    void begin_step(ConstField3 old, ConstField3 held);
    /// The same in a stage; without data where it is `old`.
    void find(ConstField3 stage);
    ActiveRowsView view() const { return {near_.data(), grid_.nz}; }

  private:
    GridView grid_;
    std::vector<ScratchMemory> *scratch_;
    std::vector<Range> rows_, lines_;     ///< as columns of a launch: i is the level, or 0
    KernelVector<unsigned char> active_;  ///< rows that hold something
    KernelVector<unsigned char> carried_; ///< those of them that do so in all stages
    KernelVector<unsigned char> near_;
};

} // namespace squall
