#include "physics/noah/classes.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace squall::noah {
namespace {

/// A row of Vegetation in double precision; pairs are without green leaves and with all of them.
struct VegetationRow {
    Cover cover;
    int roots;
    double resistance, light, deficit, snow, snow_albedo;
    std::array<double, 2> leaf_area, emissivity, albedo, roughness;
};

/// A row of Soil in double precision.
struct SoilRow {
    double exponent, dry, porosity, reference, suction, conductivity, diffusivity, wilting, quartz, limit;
};

// clang-format off
constexpr std::array<VegetationRow, usgs_classes + modis_classes> vegetations{{
    // USGS
    {Cover::urban, 1, 200, 999, 999, 0.04, 0.46, {1, 1}, {0.88, 0.88}, {0.15, 0.15}, {0.5, 0.5}}, // 1 urban and built-up land
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.66, {1.56, 5.68}, {0.92, 0.985}, {0.23, 0.17}, {0.05, 0.15}}, // 2 dryland cropland and pasture
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.66, {1.56, 5.68}, {0.93, 0.985}, {0.25, 0.2}, {0.02, 0.1}}, // 3 irrigated cropland and pasture
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.66, {1, 4.5}, {0.92, 0.985}, {0.23, 0.18}, {0.05, 0.15}}, // 4 mixed dryland/irrigated cropland and pasture
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.68, {2.29, 4.29}, {0.92, 0.98}, {0.23, 0.18}, {0.05, 0.14}}, // 5 cropland/grassland mosaic
    {Cover::plants, 3, 70, 65, 44.14, 0.04, 0.6, {2, 4}, {0.93, 0.985}, {0.2, 0.16}, {0.2, 0.2}}, // 6 cropland/woodland mosaic
    {Cover::plants, 3, 40, 100, 36.35, 0.04, 0.7, {0.52, 2.9}, {0.92, 0.96}, {0.23, 0.19}, {0.1, 0.12}}, // 7 grassland
    {Cover::plants, 3, 300, 100, 42, 0.03, 0.6, {0.5, 3.66}, {0.93, 0.93}, {0.3, 0.25}, {0.01, 0.05}}, // 8 shrubland
    {Cover::plants, 3, 170, 100, 39.18, 0.035, 0.65, {0.6, 2.6}, {0.93, 0.95}, {0.3, 0.22}, {0.01, 0.06}}, // 9 mixed shrubland/grassland
    {Cover::plants, 3, 70, 65, 54.53, 0.04, 0.5, {0.5, 3.66}, {0.92, 0.92}, {0.2, 0.2}, {0.15, 0.15}}, // 10 savanna
    {Cover::plants, 4, 100, 30, 54.53, 0.08, 0.58, {1.85, 3.31}, {0.93, 0.93}, {0.17, 0.16}, {0.5, 0.5}}, // 11 deciduous broadleaf forest
    {Cover::plants, 4, 150, 30, 47.35, 0.08, 0.54, {1, 5.16}, {0.93, 0.94}, {0.15, 0.14}, {0.5, 0.5}}, // 12 deciduous needleleaf forest
    {Cover::plants, 4, 150, 30, 41.69, 0.08, 0.35, {3.08, 6.48}, {0.95, 0.95}, {0.12, 0.12}, {0.5, 0.5}}, // 13 evergreen broadleaf forest
    {Cover::plants, 4, 125, 30, 47.35, 0.08, 0.52, {5, 6.4}, {0.95, 0.95}, {0.12, 0.12}, {0.5, 0.5}}, // 14 evergreen needleleaf forest
    {Cover::plants, 4, 125, 30, 51.93, 0.08, 0.53, {2.8, 5.5}, {0.93, 0.97}, {0.25, 0.17}, {0.2, 0.5}}, // 15 mixed forest
    {Cover::plants, 0, 100, 30, 51.75, 0.01, 0.7, {0.01, 0.01}, {0.98, 0.98}, {0.08, 0.08}, {0.0001, 0.0001}}, // 16 water bodies
    {Cover::plants, 2, 40, 100, 60, 0.01, 0.68, {1.5, 5.65}, {0.95, 0.95}, {0.14, 0.14}, {0.2, 0.2}}, // 17 herbaceous wetland
    {Cover::plants, 2, 100, 30, 51.93, 0.02, 0.5, {2, 5.8}, {0.95, 0.95}, {0.14, 0.14}, {0.4, 0.4}}, // 18 wooded wetland
    {Cover::bare, 1, 999, 999, 999, 0.02, 0.75, {0.1, 0.75}, {0.9, 0.9}, {0.38, 0.38}, {0.01, 0.01}}, // 19 barren or sparsely vegetated
    {Cover::plants, 3, 150, 100, 42, 0.025, 0.68, {0.41, 3.35}, {0.92, 0.92}, {0.2, 0.15}, {0.1, 0.1}}, // 20 herbaceous tundra
    {Cover::plants, 3, 150, 100, 42, 0.025, 0.55, {0.41, 3.35}, {0.93, 0.93}, {0.2, 0.15}, {0.3, 0.3}}, // 21 wooded tundra
    {Cover::plants, 3, 150, 100, 42, 0.025, 0.6, {0.41, 3.35}, {0.92, 0.92}, {0.2, 0.15}, {0.15, 0.15}}, // 22 mixed tundra
    {Cover::plants, 2, 200, 100, 42, 0.02, 0.75, {0.41, 3.35}, {0.9, 0.9}, {0.25, 0.25}, {0.05, 0.1}}, // 23 bare ground tundra
    {Cover::ice, 1, 999, 999, 999, 0.02, 0.82, {0.01, 0.01}, {0.95, 0.95}, {0.7, 0.55}, {0.001, 0.001}}, // 24 snow or ice
    {Cover::bare, 1, 40, 100, 36.25, 0.02, 0.75, {0.01, 0.01}, {0.89, 0.89}, {0.3, 0.3}, {0.01, 0.01}}, // 25 playa
    {Cover::bare, 0, 999, 999, 999, 0.02, 0.75, {0.01, 0.01}, {0.88, 0.88}, {0.16, 0.16}, {0.15, 0.15}}, // 26 lava
    {Cover::bare, 0, 999, 999, 999, 0.02, 0.75, {0.01, 0.01}, {0.83, 0.83}, {0.6, 0.6}, {0.01, 0.01}}, // 27 white sand
    // IGBP and MODIS
    {Cover::plants, 4, 125, 30, 47.35, 0.08, 0.52, {5, 6.4}, {0.95, 0.95}, {0.12, 0.12}, {0.5, 0.5}}, // 1 evergreen needleleaf forest
    {Cover::plants, 4, 150, 30, 41.69, 0.08, 0.35, {3.08, 6.48}, {0.95, 0.95}, {0.12, 0.12}, {0.5, 0.5}}, // 2 evergreen broadleaf forest
    {Cover::plants, 4, 150, 30, 47.35, 0.08, 0.54, {1, 5.16}, {0.93, 0.94}, {0.15, 0.14}, {0.5, 0.5}}, // 3 deciduous needleleaf forest
    {Cover::plants, 4, 100, 30, 54.53, 0.08, 0.58, {1.85, 3.31}, {0.93, 0.93}, {0.17, 0.16}, {0.5, 0.5}}, // 4 deciduous broadleaf forest
    {Cover::plants, 4, 125, 30, 51.93, 0.08, 0.53, {2.8, 5.5}, {0.93, 0.97}, {0.25, 0.17}, {0.2, 0.5}}, // 5 mixed forests
    {Cover::plants, 3, 300, 100, 42, 0.03, 0.6, {0.5, 3.66}, {0.93, 0.93}, {0.3, 0.25}, {0.01, 0.05}}, // 6 closed shrublands
    {Cover::plants, 3, 170, 100, 39.18, 0.035, 0.65, {0.6, 2.6}, {0.93, 0.95}, {0.3, 0.22}, {0.01, 0.06}}, // 7 open shrublands
    {Cover::plants, 3, 300, 100, 42, 0.03, 0.6, {0.5, 3.66}, {0.93, 0.93}, {0.3, 0.25}, {0.01, 0.05}}, // 8 woody savannas
    {Cover::plants, 3, 70, 65, 54.53, 0.04, 0.5, {0.5, 3.66}, {0.92, 0.92}, {0.2, 0.2}, {0.15, 0.15}}, // 9 savannas
    {Cover::plants, 3, 40, 100, 36.35, 0.04, 0.7, {0.52, 2.9}, {0.92, 0.96}, {0.23, 0.19}, {0.1, 0.12}}, // 10 grasslands
    {Cover::plants, 2, 70, 65, 55.97, 0.015, 0.59, {1.75, 5.72}, {0.95, 0.95}, {0.14, 0.14}, {0.3, 0.3}}, // 11 permanent wetlands
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.66, {1.56, 5.68}, {0.92, 0.985}, {0.23, 0.17}, {0.05, 0.15}}, // 12 croplands
    {Cover::urban, 1, 200, 999, 999, 0.04, 0.46, {1, 1}, {0.88, 0.88}, {0.15, 0.15}, {0.5, 0.5}}, // 13 urban and built-up
    {Cover::plants, 3, 40, 100, 36.25, 0.04, 0.68, {2.29, 4.29}, {0.92, 0.98}, {0.23, 0.18}, {0.05, 0.14}}, // 14 cropland/natural vegetation mosaic
    {Cover::ice, 1, 999, 999, 999, 0.02, 0.82, {0.01, 0.01}, {0.95, 0.95}, {0.7, 0.55}, {0.001, 0.001}}, // 15 snow and ice
    {Cover::bare, 1, 999, 999, 999, 0.02, 0.75, {0.1, 0.75}, {0.9, 0.9}, {0.38, 0.38}, {0.01, 0.01}}, // 16 barren or sparsely vegetated
    {Cover::plants, 0, 100, 30, 51.75, 0.01, 0.7, {0.01, 0.01}, {0.98, 0.98}, {0.08, 0.08}, {0.0001, 0.0001}}, // 17 water
    {Cover::plants, 3, 150, 100, 42, 0.025, 0.55, {0.41, 3.35}, {0.93, 0.93}, {0.2, 0.15}, {0.3, 0.3}}, // 18 wooded tundra
    {Cover::plants, 3, 150, 100, 42, 0.025, 0.6, {0.41, 3.35}, {0.92, 0.92}, {0.2, 0.15}, {0.15, 0.15}}, // 19 mixed tundra
    {Cover::plants, 2, 200, 100, 42, 0.02, 0.75, {0.41, 3.35}, {0.9, 0.9}, {0.25, 0.25}, {0.05, 0.1}}, // 20 barren tundra
}};

constexpr std::array<SoilRow, soil_classes> soils{{
    {2.79, 0.01, 0.339, 0.192, 0.069, 4.66e-05, 2.65e-05, 0.01, 0.92, 0.9}, // 1 sand
    {4.26, 0.028, 0.421, 0.283, 0.036, 1.41e-05, 5.14e-06, 0.028, 0.82, 0.9}, // 2 loamy sand
    {4.74, 0.047, 0.434, 0.312, 0.141, 5.23e-06, 8.05e-06, 0.047, 0.6, 0.85}, // 3 sandy loam
    {5.33, 0.084, 0.476, 0.36, 0.759, 2.81e-06, 2.39e-05, 0.084, 0.25, 0.74}, // 4 silt loam
    {3.86, 0.061, 0.484, 0.347, 0.955, 2.18e-06, 1.66e-05, 0.061, 0.1, 0.9}, // 5 silt
    {5.25, 0.066, 0.439, 0.329, 0.355, 3.38e-06, 1.43e-05, 0.066, 0.4, 0.74}, // 6 loam
    {6.77, 0.069, 0.404, 0.315, 0.135, 4.45e-06, 1.01e-05, 0.069, 0.6, 0.85}, // 7 sandy clay loam
    {8.72, 0.12, 0.464, 0.387, 0.617, 2.03e-06, 2.35e-05, 0.12, 0.1, 0.8}, // 8 silty clay loam
    {8.17, 0.103, 0.465, 0.382, 0.263, 2.45e-06, 1.13e-05, 0.103, 0.35, 0.86}, // 9 clay loam
    {10.73, 0.1, 0.406, 0.338, 0.098, 7.22e-06, 1.87e-05, 0.1, 0.52, 0.86}, // 10 sandy clay
    {10.39, 0.126, 0.468, 0.404, 0.324, 1.34e-06, 9.64e-06, 0.126, 0.1, 0.9}, // 11 silty clay
    {11.55, 0.138, 0.468, 0.412, 0.468, 9.74e-07, 1.12e-05, 0.138, 0.25, 0.9}, // 12 clay
    {5.25, 0.066, 0.439, 0.329, 0.355, 3.38e-06, 1.43e-05, 0.066, 0.05, 0.74}, // 13 organic material
    {0, 0, 1, 0, 0, 0, 0, 0, 0.6, 0.9}, // 14 water
    {2.79, 0.006, 0.2, 0.17, 0.069, 0.000141, 0.000136, 0.006, 0.07, 0.8}, // 15 bedrock
    {4.26, 0.028, 0.421, 0.283, 0.036, 1.41e-05, 5.14e-06, 0.028, 0.25, 0.9}, // 16 other(land-ice)
    {11.55, 0.03, 0.468, 0.454, 0.468, 9.74e-07, 1.12e-05, 0.03, 0.6, 0.9}, // 17 playa
    {2.79, 0.006, 0.2, 0.17, 0.069, 0.000141, 0.000136, 0.006, 0.52, 0.8}, // 18 lava
    {2.79, 0.01, 0.339, 0.192, 0.069, 4.66e-05, 2.65e-05, 0.01, 0.92, 0.9}, // 19 white sand
}};
// clang-format on

Range2 range(const std::array<double, 2> &pair) { return {real(pair[0]), real(pair[1])}; }

} // namespace

Vegetation vegetation(int row) {
    const VegetationRow &v = vegetations[static_cast<std::size_t>(row)];
    return {v.cover,
            v.roots,
            real(v.resistance),
            real(v.light),
            real(v.deficit),
            real(v.snow),
            real(v.snow_albedo),
            range(v.leaf_area),
            range(v.emissivity),
            range(v.albedo),
            range(v.roughness)};
}

void Soil::find_powers() {
    constexpr real of_quartz = real(7.7), other = 2; // [W m-1 K-1]
    const real solid = std::pow(of_quartz, quartz) * std::pow(other, 1 - quartz);
    mineral = std::pow(solid, 1 - porosity);
    residual = std::pow(residual_moisture / porosity, exponent + 2);
}

Soil soil(int number) {
    static const std::array<Soil, soil_classes> found = [] {
        std::array<Soil, soil_classes> all{};
        for (std::size_t n = 0; n < all.size(); ++n) {
            const SoilRow &s = soils[n];
            all[n] = {real(s.exponent),
                      real(s.dry),
                      real(s.porosity),
                      real(s.reference),
                      real(s.suction),
                      real(s.conductivity),
                      real(s.diffusivity),
                      real(s.wilting),
                      real(s.quartz),
                      real(s.limit),
                      0,
                      0};
            all[n].find_powers();
        }
        return all;
    }();
    return found[static_cast<std::size_t>(number - 1)];
}

} // namespace squall::noah
