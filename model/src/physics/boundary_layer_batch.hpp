/// Neighbouring columns of a row and what they are part of, as the two halves of BoundaryLayer see them.
#pragma once

#include "physics/boundary_layer.hpp"
#include "physics/column_batch.hpp"

namespace squall {

struct BoundaryLayer::Batch : ColumnBatch {
    Surroundings around;
    BoundaryLayerRates rates;
};

/// Fields of a batch that the driver holds, and rows.
enum StoredInBatch {
    u,
    v,
    theta,
    pressure,
    density,
    depth,
    exner,
    weight,
    du,
    dv,
    dtheta,
    dvapour,
    dcloud,
    dice,
    dqke,
    dice_number,
    stored_fields
};
enum RowOfBatch {
    lowest_temperature,
    lowest_pressure,
    spacing,
    heat_exchange,
    vapour_exchange,
    heat_exchange_2m,
    vapour_exchange_2m,
    wind_speed,
    richardson,
    conductance,
    momentum_profile,
    heat_profile,
    air_saturation,
    former_roughness,
    stored_rows
};

} // namespace squall
