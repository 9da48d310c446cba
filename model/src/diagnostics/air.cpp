// The state of the air on mass points.
#include "diagnostics/derived_field.hpp"

namespace squall {
namespace {

real relative_humidity_of(const SeenAir &air, int i, int k, int j) {
    return 100 *
           relative_humidity(air.mixing_ratio(i, k, j), air.temperature(i, k, j), air.pressure(i, k, j));
}

real dew_point_of(const SeenAir &air, int i, int k, int j) {
    return dew_point(air.mixing_ratio(i, k, j), air.pressure(i, k, j));
}

} // namespace

std::vector<DerivedField> air_fields() {
    const auto of = [](real (SeenAir::*method)(int, int, int) const) {
        return on_layers(
            [method](const SeenAir &air, int i, int k, int j) { return (air.*method)(i, k, j); });
    };
    return {
        {"theta",
         "potential temperature",
         "K",
         "air_potential_temperature",
         "T + 300 K",
         {},
         of(&SeenAir::theta),
         {}},
        {"temperature",
         "temperature",
         "K",
         "air_temperature",
         "theta (p / 1000 hPa)^(R / cp)",
         {},
         of(&SeenAir::temperature),
         {}},
        {"pressure", "pressure", "Pa", "air_pressure", "P + PB", {}, of(&SeenAir::pressure), {}},
        {"height",
         "height",
         "m",
         "altitude",
         "at the middle of layers, (PH + PHB) / g",
         {},
         of(&SeenAir::height),
         {}},
        {"relative_humidity",
         "relative humidity",
         "%",
         "relative_humidity",
         "vapour pressure divided by saturation vapour pressure over water, Bolton (1980), equation 10",
         {Need::vapour},
         on_layers(relative_humidity_of),
         {}},
        {"dew_point",
         "dew point",
         "K",
         "dew_point_temperature",
         "temperature at which the vapour pressure is the saturation vapour pressure over water, Bolton "
         "(1980), equation 10",
         {Need::vapour},
         on_layers(dew_point_of),
         {}},
    };
}

} // namespace squall
