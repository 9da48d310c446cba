/// The rim of a domain from a boundary file (WRF's real.exe).
///
/// The file holds mass-coupled values at the beginning of each record and their tendencies; in between
/// everything is linear in time. It knows nothing of w, and of scalars the vapour and perhaps aerosols alone.
/// Theta is converted to that which the run integrates, of moist or of dry air.
#pragma once

#include <vector>

#include "boundary/boundary_file.hpp"
#include "boundary/rim.hpp"
#include "boundary/rim_source.hpp"
#include "grid/scalars.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

class FileRim : public RimSource {
  public:
    struct Holds {
        bool moist;   ///< potential temperature of moist air (boundary_theta.hpp)
        bool aerosol; ///< QNWFA and QNIFA
    };
    FileRim(BoundaryFile file, Holds holds, const Config &config, const Patch &patch,
            const ScalarSet &scalars);

    bool knows_w() const override { return false; }
    bool knows_scalar(int n) const override;
    void check(const RimFields &fields) const override;
    bool changes_at(double seconds) const override { return file_.record_at(seconds) != record_; }

    double next_change(double seconds) const override { return file_.record(file_.record_at(seconds)).end; }

    /// Reads the record that holds from `seconds` on. Refuses (std::runtime_error) values that no atmosphere
    /// has.
    double fill(double seconds, const GridView &grid, const State &state, RimFields &into) override;

    /// Refuses a file whose column mass is far from the state's, as that of another domain or date is.
    void check_agrees(const State &state, const RimFields &fields, real elapsed) const override;

  private:
    struct Limits {
        real low, high;
    };
    /// A scalar that the file has.
    struct Carried {
        int scalar;
        const char *name, *unit;
        Limits limits;
    };

    void convert_theta(const GridView &grid, RimFields &fields) const;
    void check_values(const GridView &grid, const RimFields &fields) const;
    void check_limits(const char *name, const char *unit, const RimField &field, const GridView *coupled,
                      Limits limits) const;
    Patch patch_;
    Rim rim_;
    BoundaryFile file_;
    int specified_, vapour_;
    std::vector<Carried> carried_;
    bool moistens_; ///< whether the run integrates theta of moist air
    bool converts_; ///< whether the file holds the other one
    int record_ = -1;
};

} // namespace squall
