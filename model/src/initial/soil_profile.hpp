/// Soil as an initial file has it: layers at depths of its own.
#pragma once

#include <vector>

#include "initial/input_file.hpp"

namespace squall {

/// Values at depths, from the surface down.
class SoilProfile {
  public:
    /// Below all that are there. Depth [m].
    void add(real depth, Array2 values);

    /// Between depths linear, beyond the outermost constant. There must be one.
    real at(real depth, int i, int j) const;

    bool empty() const { return depth_.empty(); }
    real deepest() const { return depth_.back(); }

  private:
    std::vector<real> depth_;
    std::vector<Array2> values_;
};

/// Adds the layers of a variable at the depths ZS; none where the file lacks either.
void add_layers(const InputFile &file, const char *name, const Patch &patch, Limits limits,
                SoilProfile &profile);

} // namespace squall
