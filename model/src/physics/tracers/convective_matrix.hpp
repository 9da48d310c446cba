/// Mixing of tracers in a column by a plume: the mass-flux matrix of chemistry-transport models
/// (Heimann and Keeling 1989, AGU Geophys. Monogr. 55, 237-275; Tiedtke 1989).
///
/// Layer k takes in the share E and gives off D of the plume, whose mass flux is M; the same mass sinks
/// around it. With m the mass of layers, c the mixing ratio in the plume and q around it, k + 1/2 the
/// interface above layer k,
///
///   (M(k-1/2) + E) c(k+1/2) = M(k-1/2) c(k-1/2) + E q,      M(k+1/2) = M(k-1/2) + E - D,
///   m dq/dt = D (c(k+1/2) - q) + M(k+1/2) (q(k+1) - q).
///
/// One backward Euler step, m q = m q_old + dt (...), is a matrix without negative entries whose rows
/// and, weighted by mass, columns sum to one: whatever dt, nothing negative comes out, uniform air stays
/// uniform and no mass is lost. It is solved in O(nz): upwards c is eliminated as a + b q, downwards q
/// follows. All in double precision and without differences of like numbers.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "physics/tracers/plume.hpp"

namespace squall {

class ConvectiveMatrix {
  public:
    explicit ConvectiveMatrix(int nz);

    /// Of a plume over dt [s]; holds for the calls of apply() that follow.
    void factor(const AirColumn &air, const Plume &plume, double dt);

    /// Mixes one column, q[k stride] in layer k.
    void apply(real *q, std::ptrdiff_t stride);

  private:
    /// Of one layer; times dt and over its mass.
    struct Layer {
        double given;   ///< D
        double sinking; ///< M(k+1/2)
        double kept;    ///< share of c(k-1/2) in c(k+1/2)
        double slope;   ///< b, of c(k+1/2) = a + b q(k)
        double inverse; ///< of what q is divided by
    };
    int first_ = 0, last_ = -1;
    std::vector<Layer> layers_;
    std::vector<double> mixed_; ///< of one tracer
};

} // namespace squall
