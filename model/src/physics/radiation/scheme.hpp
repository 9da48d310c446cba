/// What every radiation scheme is to those who call it, and which there are.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "physics/radiation/cloud_mask.hpp"
#include "physics/radiation/column.hpp"

namespace squall::radiation {

/// A column, what its random numbers are a function of (`part` aside), and the fluxes that are wanted of it.
struct Task {
    const Column *column;
    Seed seed;
    Fluxes *longwave, *shortwave;
};

/// Works for one thread.
class Scheme {
  public:
    virtual ~Scheme() = default;

    /// Sets the fluxes of neighbouring columns. What comes of one depends on it alone, not on its neighbours.
    virtual void solve_longwave(std::span<const Task> tasks) = 0;
    /// Likewise; zero by night.
    virtual void solve_shortwave(std::span<const Task> tasks) = 0;
};

/// What a column takes of the processor's time, in any unit, about: by which ranks share columns. All zero
/// where one costs hardly more than to send it to another rank.
struct ColumnCosts {
    double night = 0, day = 0;
    double cloudy_layer = 0; ///< more, for each
    bool worth_sharing() const { return night > 0; }
};

/// Makes one for each thread, on what they share.
using SchemeMaker = std::function<std::unique_ptr<Scheme>()>;

struct SchemeEntry {
    std::string description;
    bool has_tables; ///< which `squall fetch radiation` gets
    /// Throws std::runtime_error where tables are missing in `folder` (empty: that of the command), with what
    /// to do.
    std::function<void(const std::string &folder)> check;
    /// Reads what all threads share. Throws likewise, and where a table is damaged.
    std::function<SchemeMaker(const std::string &folder)> prepare;
    ColumnCosts costs{};
    bool sees_aerosol = has_tables; ///< that of Column::aerosol
};

/// By the name in run files.
const std::map<std::string, SchemeEntry> &schemes();

/// Throws std::runtime_error where there is none of that name, with those there are.
const SchemeEntry &scheme_named(const std::string &name);

} // namespace squall::radiation
