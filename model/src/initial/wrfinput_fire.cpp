#include "initial/wrfinput_fire.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall {
namespace {

/// Reads planes of the fire's grid. WRF's files have one cell of the atmosphere more in each direction.
class Planes {
  public:
    Planes(const Config &config, const Patch &patch)
        : file_(config.initial.file), rx_(config.fire.refinement_x), ry_(config.fire.ry()), patch_(patch) {}

    bool has(const char *name) const { return file_.has(name); }

    Array2 read(const char *name) const {
        check(name);
        const Shape shape = fire_shape(patch_.shape, rx_, ry_);
        Array2 plane(shape);
        const io::Box box{{patch_.y0 * ry_, patch_.x0 * rx_}, {shape.ny, shape.nx}};
        file_.read(name, 0, box, plane.view().origin, {plane.view().sj, 1});
        for (int j = 0; j < shape.ny; ++j)
            for (int i = 0; i < shape.nx; ++i)
                if (!(std::abs(plane(i, j)) < 1e6))
                    throw std::runtime_error(fmt::format("{}: {} is {} in cell {} west-east, {} south-north "
                                                         "of the fire's grid (0-based)",
                                                         file_.path(), name, plane(i, j), box.start[1] + i,
                                                         box.start[0] + j));
        return plane;
    }

    /// `key` asks for it.
    Array2 wanted(const char *name, const char *key) const {
        if (has(name)) return read(name);
        throw std::runtime_error(
            fmt::format("{} does not hold {}, which {} = \"file\" asks for", file_.path(), name, key));
    }

  private:
    void check(const char *name) const {
        const auto is = file_.shape(name);
        const auto fits = [](std::int64_t n, int cells, int ratio) {
            return n == std::int64_t(cells) * ratio || n == std::int64_t(cells + 1) * ratio;
        };
        if (is.size() == 2 && fits(is[0], patch_.ny_domain, ry_) && fits(is[1], patch_.nx_domain, rx_))
            return;
        throw std::runtime_error(fmt::format(
            "{}: {} has {} x {} cells (south-north by west-east), but the domain has {} x {} and "
            "fire.refinement_y = {}, refinement_x = {} make {} x {} of them: set the file's sr_y and sr_x",
            file_.path(), name, is.empty() ? 0 : is.front(), is.empty() ? 0 : is.back(), patch_.ny_domain,
            patch_.nx_domain, ry_, rx_, patch_.ny_domain * ry_, patch_.nx_domain * rx_));
    }

    io::Reader file_;
    int rx_, ry_;
    const Patch &patch_;
};

} // namespace

FireInput read_fire_input(const Config &config, const Patch &patch) {
    FireInput input;
    if (config.initial.file.empty() || !config.fire.reads_file()) return input;
    const Planes planes(config, patch);
    if (config.fire.fuel == "file") input.category = planes.wanted("NFUEL_CAT", "fire.fuel");
    if (config.fire.moisture == "file") input.moisture = planes.wanted("FMC_G", "fire.moisture");
    if (config.fire.terrain == "domain") return input;
    if (planes.has("ZSF")) input.height = planes.read("ZSF");
    if (planes.has("DZDXF") && planes.has("DZDYF")) {
        input.slope_x = planes.read("DZDXF");
        input.slope_y = planes.read("DZDYF");
    }
    return input;
}

} // namespace squall
