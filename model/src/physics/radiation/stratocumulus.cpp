#include "physics/radiation/stratocumulus.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace squall::radiation {
namespace {

constexpr double above_cloud = 70, below_cloud = 22; // F0, F1 [W m-2]
constexpr double extinction = 85;                    // kappa [m2 kg-1]
constexpr double divergence = 3.75e-6;               // D [s-1]
constexpr double inversion_water = 8e-3;             // of all kinds [kg kg-1]
constexpr double highest = 2000;                     // over the inversion [m]
constexpr double gas = double(constants::r_d), gravity = double(constants::g);
constexpr double molar_ratio = 18.016 / 28.964; // of vapour and dry air

/// Of a layer: its depth, density and water of all kinds per mass of air, and the path of its cloud.
struct Slab {
    double depth, density, water, path; ///< [m], [kg m-3], [kg kg-1], [kg m-2]
};

Slab slab_of(const Column &c, std::size_t k) {
    const Layer &layer = c.layers[k];
    const double vapour = double(layer.ratios[h2o]) * molar_ratio;
    const double virtual_t = layer.temperature * (1 + 0.608 * vapour);
    const double mass = (c.pressure[k] - c.pressure[k + 1]) / gravity;
    Slab s{};
    s.density = layer.pressure / (gas * virtual_t);
    s.depth = mass / s.density;
    s.path = layer.cloud[liquid].path * layer.cover / 1000;
    s.water = vapour / (1 + vapour) + s.path / mass;
    return s;
}

/// Where the water of all kinds falls to that of the inversion, between the middles of layers; none: 0.
struct Inversion {
    double height = 0, density = 0;
};

Inversion inversion_of(const std::vector<Slab> &slabs) {
    double bottom = 0;
    for (std::size_t k = 0; k + 1 < slabs.size(); ++k) {
        const Slab &below = slabs[k], &above = slabs[k + 1];
        const double middle = bottom + 0.5 * below.depth;
        if (below.water < inversion_water) return {};
        if (above.water < inversion_water) {
            const double share = (below.water - inversion_water) / (below.water - above.water);
            return {middle + share * 0.5 * (below.depth + above.depth), below.density};
        }
        bottom += below.depth;
    }
    return {};
}

/// The third term: what balances the warming of sinking air.
double over_inversion(const Inversion &inversion, double z) {
    const double over = std::min(z - inversion.height, highest);
    if (inversion.height <= 0 || over <= 0) return 0;
    const double root = std::cbrt(over);
    return inversion.density * double(constants::c_p) * divergence *
           (0.25 * over * root + inversion.height * root);
}

class Stratocumulus final : public Scheme {
  public:
    void solve_longwave(std::span<const Task> tasks) override {
        for (const Task &task : tasks) solve(*task.column, *task.longwave);
    }
    void solve_shortwave(std::span<const Task> tasks) override {
        for (const Task &task : tasks) task.shortwave->resize(task.column->size());
    }

  private:
    void solve(const Column &c, Fluxes &fluxes) {
        fluxes.resize(c.size());
        slabs_.clear();
        double above = 0, below = 0, z = 0; // of the interface: optical depths, height
        for (std::size_t k = 0; k < c.layers.size(); ++k) {
            slabs_.push_back(slab_of(c, k));
            above += extinction * slabs_.back().path;
        }
        const Inversion inversion = inversion_of(slabs_);
        for (std::size_t k = 0; k <= slabs_.size(); ++k) {
            fluxes.up[k] = above_cloud * std::exp(-std::max(above, 0.0)) + below_cloud * std::exp(-below) +
                           over_inversion(inversion, z);
            if (k == slabs_.size()) break;
            above -= extinction * slabs_[k].path;
            below += extinction * slabs_[k].path;
            z += slabs_[k].depth;
        }
    }

    std::vector<Slab> slabs_{};
};

} // namespace

SchemeEntry stratocumulus_scheme() {
    return {
        "longwave cooling of stratocumulus by its liquid water alone, Stevens et al. (2005)", false,
        [](const std::string &) {},
        [](const std::string &) -> SchemeMaker { return [] { return std::make_unique<Stratocumulus>(); }; }};
}

} // namespace squall::radiation
