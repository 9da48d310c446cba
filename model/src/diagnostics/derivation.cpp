#include "diagnostics/derivation.hpp"

#include "parallel/tiles.hpp"

namespace squall {

void Derivation::begin(std::function<SeenAir()> air) {
    look_ = std::move(air);
    air_.reset();
    made_.clear();
}

const SeenAir &Derivation::air() {
    if (!air_) air_.emplace(look_());
    return *air_;
}

ConstField3 Derivation::layers(const DerivedField &field) {
    if (layers_.bytes() == 0) layers_ = Array3(shape_);
    const SeenAir &now = air();
    for_each_tile(tiles_, [&](const Range &tile) { field.layers(now, tile, layers_.view()); });
    return layers_.view();
}

ConstField2 Derivation::columns(const DerivedField &field) {
    Planes planes;
    const std::size_t results = field.made_with.empty() ? 1 : planes.size();
    for (std::size_t n = 0; n < results; ++n) {
        if (columns_[n].bytes() == 0) columns_[n] = Array2(shape_);
        planes[n] = columns_[n].view();
    }
    if (field.made_with.empty() || field.made_with != made_) {
        const SeenAir &now = air();
        for_each_tile(tiles_, [&](const Range &tile) { field.columns(now, tile, planes); });
    }
    made_ = field.made_with;
    return planes[field.result];
}

} // namespace squall
