#include "physics/tracers/convective_matrix.hpp"

namespace squall {

ConvectiveMatrix::ConvectiveMatrix(int nz)
    : layers_(static_cast<std::size_t>(nz)), mixed_(static_cast<std::size_t>(nz)) {}

void ConvectiveMatrix::factor(const AirColumn &air, const Plume &plume, double dt) {
    first_ = plume.first;
    last_ = plume.last;
    double below = 0; // b of c(k-1/2) = a + b q(k)
    for (int k = first_; k <= last_; ++k) {
        const bool bottom = k == first_, top = k == last_;
        const double per_mass = dt / air.mass[k], exchanged = plume_exchange * air.depth[k] * plume.flux;
        const double arriving = bottom ? 0 : plume.flux, leaving = top ? 0 : plume.flux;
        const double taken = bottom ? plume.flux : top ? 0 : exchanged;
        const double given = arriving + taken - leaving;
        Layer &l = layers_[k];
        l.kept = arriving / (arriving + taken);
        l.slope = l.kept * below + taken / (arriving + taken);
        l.given = per_mass * given;
        l.sinking = per_mass * leaving;
        l.inverse = 1 / (1 + l.sinking + l.given * (1 - l.slope));
        below = l.slope * l.sinking * l.inverse;
    }
}

void ConvectiveMatrix::apply(real *q, std::ptrdiff_t stride) {
    double rising = 0; // a of c(k-1/2) = a + b q(k)
    for (int k = first_; k <= last_; ++k) {
        const Layer &l = layers_[k];
        const double carried = l.kept * rising;
        mixed_[k] = (q[k * stride] + l.given * carried) * l.inverse;
        rising = carried + l.slope * mixed_[k];
    }
    double above = 0;
    for (int k = last_; k >= first_; --k) {
        above = mixed_[k] + layers_[k].sinking * layers_[k].inverse * above;
        q[k * stride] = static_cast<real>(above);
    }
}

} // namespace squall
