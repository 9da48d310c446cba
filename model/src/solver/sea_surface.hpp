/// The sea under a domain over time, and leaves on its land: temperature and ice from a file of analyses
/// (WRF's sst_update with a wrflowinp file), linear in time between them; run.compatibility = "wrf" holds
/// each until the next.
///
/// Sea is what is water, or sea ice, where the run starts. A cell is frozen where ice covers half of it and
/// more, or with physics.fractional_sea_ice least_ice; it then has the mean of ice and water. What freezes
/// becomes ice at the sea's freezing point; what thaws has the sea's temperature.
#pragma once

#include <memory>
#include <vector>

#include "core/loop.hpp"
#include "grid/ground.hpp"
#include "grid/surface_state.hpp"
#include "initial/analysis_file.hpp"
#include "initial/initial.hpp"
#include "initial/land_use.hpp"
#include "parallel/decomposition.hpp"
#include "physics/sea_ice.hpp"
#include "settings/config.hpp"

namespace squall {

class SeaSurface {
  public:
    static bool wanted(const SurfaceState &surface) { return surface.has_sea(); }

    /// Of the state that the run, or a nest, starts from; sets the water's temperature to the skin's where it
    /// has none. Opens boundary.lower_file, where there is one; throws std::runtime_error as AnalysisFile.
    SeaSurface(const Config &config, const Patch &patch, InitialState &initial);

    /// Whether read() has something to do at `seconds` after run.start.
    bool reads_at(double seconds) const;

    /// Reads the analyses around a time. Throws std::runtime_error, perhaps on this rank alone: a variable
    /// that is missing, or a sea that cannot be. Local.
    void read(double seconds);

    /// Sets the surface of the sea in `columns` as of `seconds`, and the ground to what the state has of ice:
    /// in one of a restart that is not what the run started with. k0 and k1 are not looked at; OpenMP threads
    /// may work on disjoint columns at once.
    void set(Range columns, double seconds, Ground &ground, SurfaceState &surface) const;

  private:
    struct Analysis {
        Array2 temperature, ice;
        Array2 leaf_area, green; ///< of land; green in per cent
    };

    void read_record(std::int64_t record, Analysis &into);
    void read_leaves(const InputFile &file, Analysis &into) const;
    void set_leaves(int i, int j, real share, Ground &ground, SurfaceState &surface) const;
    void turn(int i, int j, SurfaceState &surface) const;
    static void blend(int i, int j, SurfaceState &surface);
    bool is_frozen(real ice) const { return ice >= sea_ice::threshold(fractional_); }
    void set_ground(int i, int j, Ground &ground, const SurfaceState &surface) const;
    LandUse use_of(int number, int i, int j) const;
    bool is_sea(int i, int j) const { return sea_[static_cast<std::size_t>(j * patch_.shape.nx + i)]; }

    Patch patch_;
    LandClasses classes_;
    bool steps_, has_skin_; ///< in time; a scheme adds to the water's temperature
    bool fractional_;       ///< ice covers part of a cell
    std::vector<bool> sea_, summer_;
    std::unique_ptr<AnalysisFile> file_;             ///< none: what the run starts with stays
    bool has_ice_ = false;                           ///< the file; without, ice stays
    bool has_leaf_area_ = false, has_green_ = false; ///< likewise, and the run asks for it
    Between held_{-1, -1, 0};
    Analysis before_, after_;
};

} // namespace squall
