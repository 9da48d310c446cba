/// NetCDF files with CF's conventions that others have made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include "settings/calendar.hpp"
#include "squall/io.hpp"

namespace squall::transport {

/// Its functions throw std::runtime_error in words that follow "it" or "its", such as "has no variable x".
class CfFile {
  public:
    explicit CfFile(const std::string &path) : file_(path) {}

    const io::Reader &reader() const { return file_; }
    /// Extents of a variable over time and all that comes after it, and their names; "" for a record
    /// dimension.
    struct Axes {
        std::vector<std::string> names;
        std::vector<std::int64_t> sizes;
    };
    Axes axes(const std::string &name) const;
    /// All of a variable, slowest dimension first; missing values are NaN, and packed ones unpacked.
    std::vector<double> numbers(const std::string &name) const;
    /// What one index of the first dimension has.
    std::vector<double> numbers(const std::string &name, std::int64_t first) const;
    /// An attribute; "" where there is none.
    std::string text(const std::string &variable, const std::string &attribute) const;

    /// Whether a dimension has a coordinate in degrees_north ('n') or degrees_east ('e'), in any of CF's ways
    /// of writing: degree_N, degreesN.
    bool is_degrees(const std::string &dimension, char direction) const;
    /// Pairs of begin and end of the cells of a coordinate: its bounds, or halfway to the next.
    std::vector<double> bounds(const std::string &coordinate) const;

    /// Times of a coordinate as seconds after `start`; `bounds`: pairs. Throws for another calendar.
    struct Times {
        std::vector<double> at, bounds; ///< bounds: empty where the file has none
    };
    Times times(const std::string &coordinate, CalendarTime start) const;
    /// The coordinate of time of a variable's first dimension.
    std::string time_of(const std::string &variable) const;

  private:
    std::vector<double> read(const std::string &name, std::int64_t frame, const io::Box &box) const;
    io::Reader file_;
};

/// Calls `read` on the first rank of `comm`; throws on all what it throws there, as AgreedError. Collective.
void on_first_rank(MPI_Comm comm, const std::function<void()> &read);
/// Gives all ranks the first one's. Collective.
void broadcast(MPI_Comm comm, std::vector<double> &values);

/// Pairs of begin and end: each ends halfway to the next. For one number alone the pair is empty at it.
std::vector<double> halfway(const std::vector<double> &middles);

} // namespace squall::transport
