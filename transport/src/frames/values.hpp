/// The values of a history's fields in the cells of a patch.
#pragma once

#include <vector>

#include "frames/fields.hpp"
#include "globe/block.hpp"
#include "parallel/tiles.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

/// Columns of a patch, each range in one row.
using Columns = std::vector<Range>;
/// All of them, a range a row.
Columns all_columns(const Shape &shape);

class FieldValues {
  public:
    /// All arguments must outlive this object. `flow`: null for winds of analyses.
    FieldValues(const Settings &settings, const PatchOfGlobe &where, const Flow *flow)
        : settings_(settings), where_(where), flow_(flow) {}

    /// Sets the values of a field in columns, as (j, k, i), or (j, i) of one without layers; `values` gets
    /// the size of the whole patch, and what it had in other columns remains. `T`: float, in which values are
    /// rounded once, or double.
    template <class T>
    void set(const GlobeField &field, double seconds, const Block &block, const Columns &columns,
             std::vector<T> &values) const;

    /// Sets the mixing ratios of some tracers in rows from j0 on, as (tracer, j, k, i), the same bits as by
    /// set().
    void set_ratios(const std::vector<int> &tracers, const Block &block, int j0, int rows,
                    std::vector<float> &values) const;

  private:
    template <class T, class Make>
    void layers(const Columns &columns, std::vector<T> &values, const Make &make) const;
    template <class T, class End>
    void sums(const Block &block, int field, const Columns &columns, std::vector<T> &values,
              const End &end) const;
    template <class T>
    void mixing_ratios(const Block &block, int tracer, const Columns &columns, std::vector<T> &values) const;
    template <class T>
    void column_masses(const Block &block, int tracer, const Columns &columns, std::vector<T> &values) const;
    template <class T>
    void surface_pressures(const Block &block, const Columns &columns, std::vector<T> &values) const;
    template <class T> void air(const Block &block, const Columns &columns, std::vector<T> &values) const;
    template <class T>
    void pressures(const Block &block, const Columns &columns, std::vector<T> &values) const;
    template <class T> void exact(int tracer, double seconds, std::vector<T> &values) const;
    template <class T>
    void derived(const GlobeField &field, double seconds, const Block &block, const Columns &columns,
                 std::vector<T> &values) const;
    template <class T>
    void seen(const GlobeField &field, const Block &block, const Columns &columns,
              const std::vector<double> &ratios, std::vector<T> &values) const;

    const Settings &settings_;
    const PatchOfGlobe &where_;
    const Flow *flow_;
};

} // namespace squall::transport
