/// The columns of a patch that wait for their radiation, with what each costs.
#pragma once

#include <vector>

namespace squall {

class RadiationQueue {
  public:
    struct Column {
        int i, j;    ///< of the patch
        double work; ///< in any unit
    };

    /// Empties it.
    void clear();
    /// Neighbours after each other.
    void add(const Column &column);

    /// Takes off columns that cost about `work` together, to the nearest column: the last ones first, of
    /// those no cheaper than the mean of all that were added, so that few go far; then of the others.
    std::vector<Column> take_off(double work);

    const std::vector<Column> &columns() const { return columns_; }
    double work() const { return work_; } ///< of those that are left

  private:
    std::vector<Column> columns_;
    double work_ = 0, added_ = 0;
    int ever_ = 0;
};

} // namespace squall
