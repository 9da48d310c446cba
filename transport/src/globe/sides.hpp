/// Which cells the patches of the same rows send each other: those beside each row from which air may come.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel/decomposition.hpp"

namespace squall::transport {

class Sides {
  public:
    Sides() = default;
    Sides(const Patch &patch, const std::vector<int> &reach) { reach_to(patch, reach); }
    /// `reach`: cells on either side of each row of the patch, at most as many as the globe has.
    void reach_to(const Patch &patch, const std::vector<int> &reach);

    int reach(int j) const { return reach_[static_cast<std::size_t>(j)]; }
    const std::vector<int> &reach() const { return reach_; }

    /// f(row, place among the cells beside that row, from west on, column of the globe) for each cell that
    /// the patch in column `to` of these patches wants and that in column `from` has.
    template <class F> void for_each_wanted(int to, int from, F f) const {
        const int x0 = begins_[static_cast<std::size_t>(to)], x1 = begins_[static_cast<std::size_t>(to) + 1];
        for (int j = 0; j < static_cast<int>(reach_.size()); ++j)
            for (int place = 0; place < 2 * reach(j); ++place) {
                const int h = reach(j), n = columns_;
                const int column = ((place < h ? x0 - h + place : x1 + place - h) + n) % n;
                if (owner(column) == from) f(j, place, column);
            }
    }
    /// How many these are.
    std::int64_t wanted(int to, int from) const;

  private:
    int owner(int column) const;

    int columns_ = 0;         ///< of the globe
    std::vector<int> begins_; ///< first columns of the patches in these rows, and the end of the last
    std::vector<int> reach_;
};

} // namespace squall::transport
