#include "columns/convection.hpp"

#include <algorithm>

namespace squall::transport {
namespace {

/// A draught on its way through the layers: how much of its air is of which layer [kg m-2 s-1].
class Draught {
  public:
    explicit Draught(Exchange &exchange) : exchange_(exchange), of_layers_(at(exchange.air().nz())) {}

    /// Through layer k, into which `in` comes and from which `out` goes on. `exchanged`: what it takes in
    /// and leaves besides.
    void cross(int k, double in, double out, double exchanged) {
        const double taken = std::max(out - in, 0.0) + exchanged, left = std::max(in - out, 0.0) + exchanged;
        of_layers_[at(k)] += taken;
        if (left <= 0) return;
        const double share = left / (in + taken);
        for (int from = 0; from < exchange_.air().nz(); ++from) {
            double &here = of_layers_[at(from)];
            if (here <= 0) continue;
            exchange_.pass(from, k, here * share);
            here *= 1 - share;
        }
    }

  private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    Exchange &exchange_;
    Scratch<double> of_layers_;
};

} // namespace

Draughts given_draughts(const Weather &weather, int i, int j) {
    Draughts draughts;
    const int nz = weather.shape.nz;
    for (int k = 0; k <= nz; ++k) {
        const bool inside = k > 0 && k < nz;
        draughts.up.push_back(inside ? std::max(weather.updraught[weather.interface(i, k, j)], 0.0) : 0);
        draughts.down.push_back(inside ? std::max(weather.downdraught[weather.interface(i, k, j)], 0.0) : 0);
    }
    return draughts;
}

void mix_draughts(const Draughts &draughts, Exchange &exchange) {
    const auto &[up, down, entrainment] = draughts;
    const ColumnAir &air = exchange.air();
    const int nz = air.nz(), i = exchange.column();
    const auto exchanged = [&, &rate = entrainment](const Scratch<double> &flux, int k) {
        const auto low = static_cast<std::size_t>(k);
        return rate * air.thickness(i, k) * std::min(flux[low], flux[low + 1]);
    };
    Draught rising(exchange), sinking(exchange);
    for (int k = 0; k < nz; ++k) {
        const auto low = static_cast<std::size_t>(k);
        rising.cross(k, up[low], up[low + 1], exchanged(up, k));
    }
    for (int k = nz - 1; k >= 0; --k) {
        const auto low = static_cast<std::size_t>(k);
        sinking.cross(k, down[low + 1], down[low], exchanged(down, k));
    }
    for (int k = 1; k < nz; ++k) {
        const double between = up[static_cast<std::size_t>(k)] - down[static_cast<std::size_t>(k)];
        between > 0 ? exchange.pass(k, k - 1, between) : exchange.pass(k - 1, k, -between);
    }
}

} // namespace squall::transport
