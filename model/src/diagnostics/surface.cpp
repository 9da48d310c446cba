// At the ground and reduced to the sea.
#include "diagnostics/surface.hpp"

#include "diagnostics/derived_field.hpp"
#include "diagnostics/wind.hpp"

namespace squall {
namespace {

constexpr real lapse = real(6.5e-3); ///< of the standard atmosphere [K m-1]
constexpr real hot = real(290.5), cold = 255;

/// The lowest layer with 12 hPa of air below it, some 100 m, in a column that weighs 1000 hPa.
int representative_layer(const GridView &g) {
    constexpr real below = 1200;
    for (int k = 0; k < g.nz; ++k)
        if ((1 - g.c3h[k]) * (constants::p0 - g.p_top) - g.c4h[k] >= below) return k;
    return g.nz - 1;
}

/// Of the pressure at sea level over that at the surface, from temperature [K] and height [m] there.
real logarithm_of_reduction(real surface, real ground) {
    const real sea = surface + lapse * ground;
    real top = surface < cold ? real(0.5) * (surface + cold) : surface;
    if (surface > hot) top = real(0.5) * (surface + hot);
    real slope = lapse;
    if (sea > hot && ground > 0) slope = surface > hot ? 0 : (hot - surface) / ground;
    const real exponent = constants::g * ground / (constants::r_d * top);
    const real a = slope * constants::r_d / constants::g;
    return a > 0 ? std::log1p(a * exponent) / a : exponent;
}

real temperature_2m(const SeenAir &air, int i, int j) {
    const real psfc = air.psfc(i, j);
    const real ground = air.skin(i, j) * power(constants::p0 / psfc, constants::kappa);
    const real theta = ground + (air.theta(i, 0, j) - ground) * share_of_lowest(air, i, j, 2);
    const real weight = air.density(i, 0, j) * (2 * constants::g); // Pa of the air below 2 m
    return theta * power((psfc - weight) / constants::p0, constants::kappa);
}

/// Over land how wet the ground is, is not known.
real mixing_ratio_2m(const SeenAir &air, int i, int j) {
    const real lowest = air.mixing_ratio(i, 0, j);
    if (air.on_land(i, j)) return lowest;
    const real at_sea = saturation_mixing_ratio(air.skin(i, j), air.psfc(i, j));
    return at_sea + (lowest - at_sea) * share_of_lowest(air, i, j, 2);
}

real virtual_theta(const SeenAir &air, int i, int k, int j) {
    return air.virtual_temperature(i, k, j) * power(constants::p0 / air.pressure(i, k, j), constants::kappa);
}

/// How much faster the air above is within the mixed layer, of which ever less comes down.
real wind_gust(const SeenAir &air, int i, int j) {
    const real mean = wind_speed_10m(air, i, j), mixed = virtual_theta(air, i, 0, j) + real(0.5);
    real excess = 0;
    for (int k = 0; k < air.grid.nz && virtual_theta(air, i, k, j) <= mixed; ++k) {
        const real x = air.wind_x(i, k, j), y = air.wind_y(i, k, j);
        const real share = 1 - std::min(air.height_above_ground(i, k, j) / 2000, real(0.5));
        excess = std::max(excess, share * (std::sqrt(x * x + y * y) - mean));
    }
    return mean + excess;
}

real direction_10m(const SeenAir &air, int i, int j) {
    const Wind10 wind = wind_10m(air, i, j);
    return wind_direction(to_earth(air, i, j, wind.x, wind.y));
}

std::vector<DerivedField> fallen() {
    const auto sum = [](ConstField2 SeenAir::*amount) {
        return on_columns([amount](const SeenAir &air, int i, int j) { return (air.*amount)(i, j); });
    };
    const auto rain = on_columns([](const SeenAir &air, int i, int j) {
        return std::max(air.rain_sum(i, j) - air.snow_sum(i, j) - air.graupel_sum(i, j), real(0));
    });
    std::vector<DerivedField> fields{
        {"precipitation",
         "accumulated precipitation",
         "mm",
         "lwe_thickness_of_precipitation_amount",
         "RAINNC + RAINC",
         {Need::rain},
         {},
         sum(&SeenAir::rain_sum)},
        {"rain",
         "accumulated rain",
         "mm",
         "thickness_of_rainfall_amount",
         "precipitation minus snow and graupel",
         {Need::snow, Need::graupel},
         {},
         rain},
        {"snow",
         "accumulated snow and ice",
         "mm",
         "lwe_thickness_of_snowfall_amount",
         "SNOWNC",
         {Need::snow},
         {},
         sum(&SeenAir::snow_sum)},
        {"graupel",
         "accumulated graupel and hail",
         "mm",
         "",
         "GRAUPELNC",
         {Need::graupel},
         {},
         sum(&SeenAir::graupel_sum)},
    };
    for (DerivedField &field : fields) field.cell_methods = since_the_start;
    return fields;
}

} // namespace

real sea_level_pressure(const SeenAir &air, int i, int j) {
    const int k = representative_layer(air.grid);
    const real surface = air.virtual_temperature(i, k, j) *
                         power(air.psfc(i, j) / air.pressure(i, k, j), constants::r_d * lapse / constants::g);
    return air.psfc(i, j) * exponential(logarithm_of_reduction(surface, air.ground(i, j)));
}

std::vector<DerivedField> surface_fields() {
    const std::string profile =
        "by the logarithmic profile of neutral air, roughness 0.1 m over land, 0.2 mm over water";
    std::vector<DerivedField> fields{
        {"sea_level_pressure",
         "sea-level pressure",
         "Pa",
         "air_pressure_at_mean_sea_level",
         "Trenberth, Berry and Buja (1993), NCAR/TN-396+STR, section 4: 6.5 K/km below the ground, adjusted "
         "where it is warmer than 290.5 K or colder than 255 K; from the lowest layer with 12 hPa of air "
         "below it",
         {},
         {},
         on_columns(sea_level_pressure)},
        {"T2",
         "temperature at 2 m",
         "K",
         "air_temperature",
         "potential temperature between the surface and the lowest layer " + profile,
         {Need::vapour, Need::skin},
         {},
         on_columns(temperature_2m)},
        {"Q2",
         "vapour mixing ratio at 2 m",
         "kg kg-1",
         "humidity_mixing_ratio",
         "over water interpolated between saturation at the surface and the lowest layer with the profile of "
         "T2, over land that of the lowest layer",
         {Need::vapour, Need::skin},
         {},
         on_columns(mixing_ratio_2m)},
        {"U10",
         "wind along x at 10 m",
         "m s-1",
         "x_wind",
         "wind of the lowest layer " + profile,
         {},
         {},
         on_columns([](const SeenAir &air, int i, int j) { return wind_10m(air, i, j).x; })},
        {"V10",
         "wind along y at 10 m",
         "m s-1",
         "y_wind",
         "as U10",
         {},
         {},
         on_columns([](const SeenAir &air, int i, int j) { return wind_10m(air, i, j).y; })},
        {"wind_speed_10m",
         "wind speed at 10 m",
         "m s-1",
         "wind_speed",
         "from U10 and V10",
         {},
         {},
         on_columns(wind_speed_10m)},
        {"wind_gust",
         "wind gusts at 10 m",
         "m s-1",
         "wind_speed_of_gust",
         "wind_speed_10m plus the largest excess of the wind aloft, of which all is mixed down from the "
         "ground, half from 1 km and above, up to the height where virtual potential temperature exceeds "
         "that of the lowest layer by 0.5 K; Benjamin et al. (2002), RUC20",
         {},
         {},
         on_columns(wind_gust)},
        {"wind_direction_10m",
         "wind direction at 10 m",
         "degree",
         "wind_from_direction",
         "from U10 and V10; where the wind comes from, clockwise from true north",
         {},
         {},
         on_columns(direction_10m)},
    };
    for (DerivedField &field : fallen()) fields.push_back(std::move(field));
    return fields;
}

} // namespace squall
