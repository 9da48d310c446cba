/// Values over a column's height, of mass-flux schemes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/real.hpp"

namespace squall::tiedtke {

/// Values of layers, from the ground up, or of interfaces, of which k is the lower one of layer k.
class Profile {
  public:
    explicit Profile(int n) : values_(static_cast<std::size_t>(n)) {}
    real &operator[](int k) { return values_[static_cast<std::size_t>(k)]; }
    real operator[](int k) const { return values_[static_cast<std::size_t>(k)]; }
    int size() const { return static_cast<int>(values_.size()); }
    void clear() { std::fill(values_.begin(), values_.end(), real(0)); }

  private:
    std::vector<real> values_;
};

} // namespace squall::tiedtke
