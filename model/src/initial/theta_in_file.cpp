#include "initial/theta_in_file.hpp"

#include <cmath>

#include "core/loop.hpp"

namespace squall {
namespace {

/// T and THM of one state differ by rounding; more is another state [K].
constexpr real of_one_state = real(2e-3);

} // namespace

bool has_thm(const InputFile &file, const Patch &patch) {
    if (!file.has("THM")) return false;
    Patch corner;
    corner.shape = {1, 1, patch.shape.nz};
    corner.nx_domain = patch.nx_domain;
    corner.ny_domain = patch.ny_domain;
    Array3 column(corner.shape);
    file.volume("THM", Points::cells, corner.shape.nz, corner, column);
    return column(0, corner.shape.nz - 1, 0) != 0;
}

void read_theta_of(const std::string &variable, const InputFile &file, const Patch &patch, Array3 &into) {
    file.volume(variable, Points::cells, patch.shape.nz, patch, into, {real(-1e4), real(2e4)});
}

bool made_with_moist_theta(const InputFile &file) {
    return file.has_attribute("USE_THETA_M") && file.number("USE_THETA_M") != 0;
}

void read_dry_theta(const InputFile &file, const Patch &patch, const Array3 &vapour, Array3 &into) {
    read_theta_of("T", file, patch, into);
    if (!file.has_attribute("USE_THETA_M") || !has_thm(file, patch)) return;
    Array3 integrated(patch.shape);
    read_theta_of("THM", file, patch, integrated);
    const bool moist = made_with_moist_theta(file);
    const Field3 t = into.view();
    const ConstField3 thm = integrated.view(), q = vapour.view();
    for_each({0, patch.shape.nx, 0, patch.shape.ny, 0, patch.shape.nz}, [=](int i, int k, int j) {
        const real dry = moist ? dried(thm(i, k, j), q(i, k, j)) : thm(i, k, j);
        if (std::abs(dry - t(i, k, j)) > of_one_state) t(i, k, j) = dry;
    });
}

} // namespace squall
