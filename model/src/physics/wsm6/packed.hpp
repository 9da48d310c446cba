/// Points of a batch of columns, packed so that vectors are full of points to which the same happens.
#pragma once

#include <utility>

#include "physics/wsm6/row.hpp"

namespace squall::wsm6 {

/// Points of some layers that wait until there are enough for vectors. `Layer`: a Row.
template <class Layer> class PackedPoints {
  public:
    bool full() const { return count_ == room; }

    void add(const Layer &from, int i, int k) {
        const int n = count_++;
        at(0)[n] = from.exner[i], at(1)[n] = from.pressure[i], at(2)[n] = from.density[i];
        row().take(n, from, i);
        column_[n] = i, layer_[n] = k;
    }

    /// Runs react(point) on them, as react_layer(), and takes them back to their columns.
    template <class React> [[gnu::flatten]] void react(const MoistColumns &c, React react) {
        for_each_i_ahead(0, count_, [react, row = row()](int n) {
            auto x = row.point(n);
            react(x);
            row.set(n, x);
        });
        for (int n = 0; n < count_; ++n) Layer(c, layer_[n]).take(column_[n], row(), n);
        count_ = 0;
    }

  private:
    static constexpr int room = columns_at_a_time;

    real *at(int field) { return &memory_[field * room]; }
    Layer row() { return Layer(memory_, room); }

    int count_ = 0, column_[room], layer_[room];
    alignas(64) real memory_[Layer::rows * room]{};
};

/// Runs Reactions::at<as_wrf, kind>(point, dt) on all points of columns that are not at rest, of a kind at a
/// time.
template <class Layer, class Reactions, bool as_wrf> class PackedReactions {
  public:
    PackedReactions(const MoistColumns &c, real dt) : c_(c), dt_(dt) {}

    void run() {
        for (int k = 0; k < c_.nz; ++k) {
            const Layer row(c_, k);
            int kinds[columns_at_a_time];
            for_each_i(0, c_.n, [row, kind = &kinds[0]](int i) {
                const auto x = row.point(i);
                const bool rest =
                    (row.condensate(i) <= 0) & (x.vapour <= below_saturation(x.temperature, x.pressure));
                kind[i] = rest ? at_rest : int(Reactions::kind_of(x));
            });
            for (int i = 0; i < c_.n; ++i)
                if (kinds[i] != at_rest) add(row, i, k, kinds[i]);
        }
        for (int kind = 0; kind < at_rest; ++kind) react(kind, all_kinds{});
    }

  private:
    static constexpr int at_rest = Reactions::kinds;
    using all_kinds = std::make_integer_sequence<int, at_rest>;

    void add(const Layer &row, int i, int k, int kind) {
        points_[kind].add(row, i, k);
        if (points_[kind].full()) react(kind, all_kinds{});
    }

    template <int... known> void react(int kind, std::integer_sequence<int, known...>) {
        ((kind == known ? react_as<typename Reactions::Kind(known)>() : void()), ...);
    }

    template <typename Reactions::Kind kind> void react_as() {
        points_[kind].react(c_, [dt = dt_](auto &x) { Reactions::template at<as_wrf, kind>(x, dt); });
    }

    const MoistColumns &c_;
    real dt_;
    PackedPoints<Layer> points_[at_rest];
};

} // namespace squall::wsm6
