#include "initial/land_use.hpp"

#include <array>
#include <chrono>
#include <span>

#include "settings/calendar.hpp"

namespace squall {
namespace {

/// In summer and in winter: albedo [%], availability of moisture, emissivity, roughness [cm], thermal inertia
/// [0.01 cal cm-2 K-1 s-1/2]; and the effect of snow.
struct Row {
    float albedo[2], availability[2], emissivity[2], roughness[2], inertia[2], snow_effect;
};

// clang-format off
constexpr std::array<Row, 27> usgs{{
    {15, 15, 0.1, 0.1, 0.88, 0.88, 80, 80, 3, 3, 1.67}, // 1 urban and built-up land
    {17, 20, 0.3, 0.6, 0.985, 0.92, 15, 5, 4, 4, 2}, // 2 dryland cropland and pasture
    {18, 20, 0.5, 0.5, 0.985, 0.93, 10, 2, 4, 4, 1.76}, // 3 irrigated cropland and pasture
    {18, 20, 0.25, 0.5, 0.985, 0.92, 15, 5, 4, 4, 2}, // 4 mixed dryland/irrigated cropland and pasture
    {18, 20, 0.25, 0.4, 0.98, 0.92, 14, 5, 4, 4, 2}, // 5 cropland/grassland mosaic
    {16, 20, 0.35, 0.6, 0.985, 0.93, 20, 20, 4, 4, 2}, // 6 cropland/woodland mosaic
    {19, 23, 0.15, 0.3, 0.96, 0.92, 12, 10, 3, 4, 2}, // 7 grassland
    {22, 22, 0.1, 0.2, 0.93, 0.93, 5, 1, 3, 4, 1.3}, // 8 shrubland
    {20, 22, 0.15, 0.25, 0.95, 0.93, 6, 1, 3, 4, 1.24}, // 9 mixed shrubland/grassland
    {20, 20, 0.15, 0.15, 0.92, 0.92, 15, 15, 3, 3, 2}, // 10 savanna
    {16, 17, 0.3, 0.6, 0.93, 0.93, 50, 50, 4, 5, 2.4}, // 11 deciduous broadleaf forest
    {14, 15, 0.3, 0.6, 0.94, 0.93, 50, 50, 4, 5, 2.6}, // 12 deciduous needleleaf forest
    {12, 12, 0.5, 0.5, 0.95, 0.95, 50, 50, 5, 5, 1.67}, // 13 evergreen broadleaf forest
    {12, 12, 0.3, 0.6, 0.95, 0.95, 50, 50, 4, 5, 3}, // 14 evergreen needleleaf forest
    {13, 14, 0.3, 0.6, 0.97, 0.93, 50, 20, 4, 6, 1.12}, // 15 mixed forest
    {8, 8, 1, 1, 0.98, 0.98, 0.01, 0.01, 6, 6, 0}, // 16 water bodies
    {14, 14, 0.6, 0.75, 0.95, 0.95, 20, 20, 6, 6, 1.5}, // 17 herbaceous wetland
    {14, 14, 0.35, 0.7, 0.95, 0.95, 40, 40, 5, 6, 1.14}, // 18 wooded wetland
    {25, 23, 0.02, 0.05, 0.9, 0.9, 1, 1, 2, 2, 0.81}, // 19 barren or sparsely vegetated
    {15, 15, 0.5, 0.6, 0.92, 0.92, 10, 10, 5, 5, 2}, // 20 herbaceous tundra
    {15, 15, 0.5, 0.6, 0.93, 0.93, 30, 30, 5, 5, 1.75}, // 21 wooded tundra
    {15, 15, 0.5, 0.6, 0.92, 0.92, 15, 15, 5, 5, 1.75}, // 22 mixed tundra
    {25, 25, 0.02, 0.05, 0.9, 0.9, 10, 5, 2, 5, 1.8}, // 23 bare ground tundra
    {55, 70, 0.95, 0.95, 0.95, 0.95, 0.1, 0.1, 5, 5, 0}, // 24 snow or ice
    {30, 40, 0.4, 0.4, 0.9, 0.9, 1, 1, 5, 5, 0.62}, // 25 playa
    {18, 18, 0.5, 0.4, 0.95, 0.95, 15, 15, 6, 5, 0.62}, // 26 lava
    {70, 70, 0.4, 0.4, 0.9, 0.9, 1, 1, 5, 5, 0}, // 27 white sand
}};

constexpr std::array<Row, 20> modis{{
    {12, 12, 0.3, 0.6, 0.95, 0.95, 50, 50, 4, 5, 3}, // 1 evergreen needleleaf forest
    {12, 12, 0.5, 0.5, 0.95, 0.95, 50, 50, 5, 5, 1.67}, // 2 evergreen broadleaf forest
    {14, 15, 0.3, 0.6, 0.94, 0.93, 50, 50, 4, 5, 2.6}, // 3 deciduous needleleaf forest
    {16, 17, 0.3, 0.6, 0.93, 0.93, 50, 50, 4, 5, 2.4}, // 4 deciduous broadleaf forest
    {13, 14, 0.3, 0.6, 0.97, 0.93, 50, 20, 4, 6, 1.12}, // 5 mixed forests
    {22, 22, 0.1, 0.2, 0.93, 0.93, 5, 1, 3, 4, 1.3}, // 6 closed shrublands
    {20, 22, 0.15, 0.25, 0.95, 0.93, 6, 1, 3, 4, 1.24}, // 7 open shrublands
    {22, 22, 0.1, 0.2, 0.93, 0.93, 5, 1, 3, 4, 1.3}, // 8 woody savannas
    {20, 20, 0.15, 0.15, 0.92, 0.92, 15, 15, 3, 3, 2}, // 9 savannas
    {19, 23, 0.15, 0.3, 0.96, 0.92, 12, 10, 3, 4, 2}, // 10 grasslands
    {14, 14, 0.42, 0.725, 0.95, 0.95, 30, 30, 5.5, 6, 1.32}, // 11 permanent wetlands
    {17, 20, 0.3, 0.6, 0.985, 0.92, 15, 5, 4, 4, 2}, // 12 croplands
    {15, 15, 0.1, 0.1, 0.88, 0.88, 80, 80, 3, 3, 1.67}, // 13 urban and built-up
    {18, 20, 0.25, 0.4, 0.98, 0.92, 14, 5, 4, 4, 2}, // 14 cropland/natural vegetation mosaic
    {55, 70, 0.95, 0.95, 0.95, 0.95, 0.1, 0.1, 5, 5, 0}, // 15 snow and ice
    {25, 23, 0.02, 0.05, 0.9, 0.9, 1, 1, 2, 2, 0.81}, // 16 barren or sparsely vegetated
    {8, 8, 1, 1, 0.98, 0.98, 0.01, 0.01, 6, 6, 0}, // 17 water
    {15, 15, 0.5, 0.6, 0.93, 0.93, 30, 30, 5, 5, 1.75}, // 18 wooded tundra
    {15, 15, 0.5, 0.6, 0.92, 0.92, 15, 15, 5, 5, 1.75}, // 19 mixed tundra
    {25, 25, 0.02, 0.05, 0.9, 0.9, 10, 5, 2, 5, 1.8}, // 20 barren tundra
}};
// clang-format on

std::span<const Row> rows(LandClasses classes) {
    if (classes == LandClasses::usgs) return usgs;
    return modis;
}

} // namespace

bool land_classes(const std::string &mminlu, LandClasses &classes) {
    if (mminlu.starts_with("USGS"))
        classes = LandClasses::usgs;
    else if (mminlu.starts_with("MODI"))
        classes = LandClasses::modis;
    else
        return false;
    return true;
}

int land_use_count(LandClasses classes) { return static_cast<int>(rows(classes).size()); }
int water_of(LandClasses classes) { return classes == LandClasses::usgs ? 16 : 17; }
int ice_of(LandClasses classes) { return classes == LandClasses::usgs ? 24 : 15; }

LandUse land_use(LandClasses classes, int number, bool summer) {
    const Row &row = rows(classes)[static_cast<std::size_t>(number - 1)];
    const int s = summer ? 0 : 1;
    return {real(row.albedo[s]) / 100,    real(row.availability[s]),  real(row.emissivity[s]),
            real(row.roughness[s]) / 100, real(row.inertia[s]) / 100, real(row.snow_effect)};
}

int day_of_year(const std::string &time) {
    using namespace std::chrono;
    const sys_days day = floor<days>(parse_time(time));
    return static_cast<int>((day - sys_days(year_month_day(day).year() / January / 1)).count()) + 1;
}

bool is_summer(int day, real latitude) { return (day >= 105 && day <= 288) == (latitude >= 0); }

} // namespace squall
