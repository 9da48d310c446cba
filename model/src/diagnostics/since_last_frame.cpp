#include "diagnostics/since_last_frame.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "parallel/tiles.hpp"

namespace squall {
namespace {

/// Before anything was taken.
real nothing(Keep keep) {
    constexpr real largest = std::numeric_limits<float>::max();
    if (keep == Keep::change) return missing;
    return keep == Keep::largest ? -largest : largest;
}

bool is_nothing(real x) { return std::abs(x) >= missing; }

} // namespace

SinceLastFrame::SinceLastFrame(Shape shape, std::vector<Range> tiles,
                               const std::vector<const RunningField *> &fields)
    : tiles_(std::move(tiles)) {
    for (const RunningField *field : fields) {
        kept_.push_back({field, Array2(shape)});
        kept_.back().value.fill(nothing(field->keep));
        now_.push_back(field->keep == Keep::change ? Array2(shape) : Array2());
    }
    if (!fields.empty()) shown_ = Array2(shape);
}

void SinceLastFrame::take(const SeenAir &seen) {
    for_each_tile(tiles_, [&](const Range &tile) {
        const SeenAir air = seen;
        for (std::size_t n = 0; n < kept_.size(); ++n) {
            const RunningField &field = *kept_[n].field;
            const Field2 kept = kept_[n].value.view(), now = now_[n].view();
            const auto keep = [&](int i, int j, real value) {
                if (field.keep == Keep::change)
                    now(i, j) = value;
                else if (!is_nothing(value))
                    kept(i, j) = field.keep == Keep::largest ? std::max(kept(i, j), value)
                                                             : std::min(kept(i, j), value);
            };
            for (int j = tile.j0; j < tile.j1; ++j)
                for (int i = tile.i0; i < tile.i1; ++i) keep(i, j, field.value(air, i, j));
        }
    });
}

ConstField2 SinceLastFrame::of(const RunningField &field, double hours) {
    const auto found = std::ranges::find(kept_, &field, &Kept::field);
    if (found == kept_.end()) throw std::logic_error(field.name + " is not kept");
    const ConstField2 kept = found->value.view();
    const ConstField2 now = now_[static_cast<std::size_t>(found - kept_.begin())].view();
    const bool change = field.keep == Keep::change;
    const Field2 shown = shown_.view();
    for_each_tile(tiles_, [&](const Range &tile) {
        for_each_column(tile, [&](int i, int j) {
            const real value = change ? (now(i, j) - kept(i, j)) / static_cast<real>(hours) : kept(i, j);
            shown(i, j) = is_nothing(kept(i, j)) ? missing : value;
        });
    });
    return shown;
}

void SinceLastFrame::begin_anew() {
    for (std::size_t n = 0; n < kept_.size(); ++n)
        if (kept_[n].field->keep == Keep::change)
            kept_[n].value.copy_from(now_[n]);
        else
            kept_[n].value.fill(nothing(kept_[n].field->keep));
}

} // namespace squall
