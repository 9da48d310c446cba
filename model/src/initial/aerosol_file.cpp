#include "initial/aerosol_file.hpp"

#include "initial/analysis_file.hpp"

namespace squall {

Array2 read_aerosol(const Config &config, const Patch &patch) {
    AnalysisFile file(config.physics.aerosol_file, config,
                      "it must hold AOD5502D on the domain's cells, like WRF's auxinput15");
    const Between at = file.around(0);
    Array2 depth(patch.shape), after(patch.shape);
    file.at(at.before).plane("AOD5502D", Points::cells, patch, depth, {0, 10});
    if (at.after == at.before) return depth;
    file.at(at.after).plane("AOD5502D", Points::cells, patch, after, {0, 10});
    const auto share = static_cast<real>(at.share);
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) depth(i, j) += share * (after(i, j) - depth(i, j));
    return depth;
}

} // namespace squall
