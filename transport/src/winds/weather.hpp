/// What processes of columns know of the weather, over a patch, at the middle of a step.
#pragma once

#include <cstddef>
#include <vector>

#include "parallel/decomposition.hpp"

namespace squall::transport {

/// Winds by formula come with the air of the published tests: dry, 300 K, without a boundary layer or rain.
/// Fields of the surface have nx x ny values, i fastest; those of layers nx x nz x ny: i fastest, then k
/// from the ground, then j.
struct Weather {
    explicit Weather(Shape s)
        : shape(s), temperature(cells(s), 300.0), humidity(cells(s)), updraught(interfaces(s)),
          downdraught(interfaces(s)), boundary_layer(columns(s)), friction_velocity(columns(s)),
          sensible_heat(columns(s)), latent_heat(columns(s)), rain(columns(s)), convective_rain(columns(s)),
          land(columns(s)), frozen(columns(s)) {}

    std::size_t column(int i, int j) const { return static_cast<std::size_t>(j * shape.nx + i); }
    std::size_t cell(int i, int k, int j) const {
        return static_cast<std::size_t>((j * shape.nz + k) * shape.nx + i);
    }
    /// Of interface k below layer k, 0 to nz.
    std::size_t interface(int i, int k, int j) const {
        return static_cast<std::size_t>((j * (shape.nz + 1) + k) * shape.nx + i);
    }

    Shape shape;
    std::vector<double> temperature; ///< [K]
    std::vector<double> humidity;    ///< of air [kg kg-1]
    std::vector<double> updraught,
        downdraught;                       ///< convective mass flux at interfaces, both >= 0 [kg m-2 s-1]
    bool has_updraughts = false;           ///< whether the analysis tells them; else they are found
    std::vector<double> boundary_layer;    ///< its height above the ground [m]
    std::vector<double> friction_velocity; ///< [m s-1]
    std::vector<double> sensible_heat, latent_heat; ///< upward from the ground [W m-2]
    std::vector<double> rain, convective_rain;      ///< rain: all of it [kg m-2 s-1]
    std::vector<double> land, frozen; ///< fractions of a cell: land; ground or water below freezing

  private:
    static std::size_t columns(const Shape &s) { return static_cast<std::size_t>(s.nx * s.ny); }
    static std::size_t cells(const Shape &s) { return columns(s) * static_cast<std::size_t>(s.nz); }
    static std::size_t interfaces(const Shape &s) { return columns(s) * static_cast<std::size_t>(s.nz + 1); }
};

} // namespace squall::transport
