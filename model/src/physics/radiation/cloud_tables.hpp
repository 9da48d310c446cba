/// Optics of clouds by what they are made of, band by band (tables of RRTMGP: drops by Mie's theory, ice by
/// Yang et al. 2013, doi 10.1175/JAS-D-12-039.1).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "physics/radiation/column.hpp"

namespace squall::radiation {

/// Of a layer's cloud in a band.
struct CloudOptics {
    real absorbed = 0;  ///< optical depth of absorption
    real scattered = 0; ///< and of scattering
    real forward = 0;   ///< of that, times its asymmetry
    real peak = 0;      ///< of scattering that counts as none, where narrowed
};

class CloudTables {
  public:
    /// Throws std::runtime_error for a file that is not there or is no such table.
    static CloudTables read(const std::string &path);

    int bands() const { return bands_; }

    /// Of all cloud in a layer. Sizes beyond the tables are taken as their ends.
    /// `narrowed`: scattering close to forward counts as none (delta-Eddington scaling, Joseph, Wiscombe and
    /// Weinman 1976).
    void set(const Layer &layer, bool narrowed, CloudOptics *bands) const;

  private:
    /// Evenly spaced sizes, and of each band and size what a gram of cloud does.
    struct Kind {
        double first = 0, step = 0; ///< radius [um]
        int sizes = 0;
        std::vector<real> extinction, albedo, asymmetry; ///< (band, size); extinction [m2 g-1]
    };
    void add(const Kind &kind, const Cloud &cloud, bool narrowed, CloudOptics *bands) const;

    int bands_ = 0;
    Kind drops_, crystals_;
};

} // namespace squall::radiation
