#include "run/boundary_note.hpp"

#include "boundary/boundary_theta.hpp"
#include "physics/declared_state.hpp"

namespace squall {

std::string note_on_boundary(const Config &config) {
    if (config.boundary.file.empty() || !scalars_of(config).moist()) return "";
    return theta_of(BoundaryFile(config), config).note;
}

} // namespace squall
