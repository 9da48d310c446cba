/// Small tables where kernels can read them, on whichever processor they run.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <span>

namespace squall {

/// Keeps copies of tables for as long as itself.
class KernelMemory {
  public:
    template <class T> const T *keep(std::span<const T> table) {
        std::shared_ptr<T[]> copy = std::make_shared<T[]>(table.size());
        std::copy(table.begin(), table.end(), copy.get());
        tables_.push_back(copy);
        return copy.get();
    }

  private:
    std::list<std::shared_ptr<const void>> tables_;
};

} // namespace squall
