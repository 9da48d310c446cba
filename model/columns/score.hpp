/// How far fields are from WRF's.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wrf_columns.hpp"

namespace squall::columns {

/// nRMSE: root of the mean square difference over the standard deviation of WRF's field from its mean over
/// each level and time, over the columns that count.
class Score {
  public:
    /// Fields of one time: values of `columns` columns, level after level.
    void add(const Field &wrf, const Field &ours, int columns, const std::function<bool(int)> &counts) {
        for (std::size_t first = 0; first < wrf.size(); first += static_cast<std::size_t>(columns)) {
            double sum = 0;
            std::size_t n = 0;
            for (int c = 0; c < columns; ++c)
                if (counts(c)) sum += wrf[first + static_cast<std::size_t>(c)], ++n;
            for (int c = 0; c < columns; ++c)
                if (counts(c)) {
                    const double x = wrf[first + static_cast<std::size_t>(c)],
                                 y = ours[first + static_cast<std::size_t>(c)];
                    difference_ += (x - y) * (x - y);
                    spread_ += (x - sum / static_cast<double>(n)) * (x - sum / static_cast<double>(n));
                }
            points_ += n;
        }
    }
    /// Instead: `count` of `all`, whose share nrmse() is.
    void add_share(std::size_t count, std::size_t all) {
        counted_ += count;
        points_ += all;
        share_ = true;
    }
    /// Instead: a number that nrmse() is.
    void set(double number, std::size_t points) { number_ = number, points_ = points; }
    double nrmse() const {
        if (number_) return *number_;
        return share_ ? static_cast<double>(counted_) / static_cast<double>(points_)
                      : std::sqrt(difference_ / spread_);
    }
    /// Root of the mean square difference, in the field's unit; 0 of what add() did not count.
    double rms() const { return std::sqrt(difference_ / static_cast<double>(points_)); }
    std::size_t points() const { return points_; }

  private:
    double difference_ = 0, spread_ = 0;
    std::size_t points_ = 0, counted_ = 0;
    bool share_ = false;
    std::optional<double> number_;
};

/// A line of the table.
struct Result {
    std::string scheme, field, where;
    Score score;
};
using Results = std::vector<Result>;

/// The score of a field in some columns, begun where there is none yet.
inline Score &score_of(Results &results, const std::string &scheme, const std::string &field,
                       const std::string &where) {
    for (Result &r : results)
        if (r.scheme == scheme && r.field == field && r.where == where) return r.score;
    return results.emplace_back(Result{scheme, field, where, {}}).score;
}

/// One file per kind of scheme: adds what it makes of every pair of frames.
void score_surface(const WrfColumns &file, Results &results);
void score_cumulus(const WrfColumns &file, Results &results);
void score_radiation(const WrfColumns &file, Results &results);

} // namespace squall::columns
