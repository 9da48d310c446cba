#include "winds/flow.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "globe/grid.hpp"
#include "winds/flows.hpp"

namespace squall::transport {
namespace {

using Maker = std::function<std::unique_ptr<Flow>(const WindSettings &)>;

template <class F> Maker maker() {
    return [](const WindSettings &settings) { return std::make_unique<F>(settings); };
}

const std::map<std::string, Maker> &makers() {
    static const std::map<std::string, Maker> all{
        {"solid-body", maker<SolidBody>()},          {"moving-vortices", maker<MovingVortices>()},
        {"deformation", maker<Deformation>()},       {"dcmip-1-1", maker<Deformation3>()},
        {"dcmip-1-2", maker<HadleyCells>()},         {"dcmip-1-3", maker<OverMountain>()},
        {"rossby-haurwitz", maker<RossbyHaurwitz>()}};
    return all;
}

constexpr double scale_height = test_gas_constant * test_temperature / gravity;

} // namespace

Direction3 to_direction(double lon, double lat) {
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

double dot(const Direction3 &a, const Direction3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Rodrigues' formula.
Direction3 turned(const Direction3 &r, const Direction3 &n, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), along = dot(n, r) * (1 - c);
    return {r[0] * c + (n[1] * r[2] - n[2] * r[1]) * s + n[0] * along,
            r[1] * c + (n[2] * r[0] - n[0] * r[2]) * s + n[1] * along,
            r[2] * c + (n[0] * r[1] - n[1] * r[0]) * s + n[2] * along};
}

double height_of(double pressure) { return scale_height * std::log(test_surface / pressure); }
double pressure_at(double height) { return test_surface * std::exp(-height / scale_height); }

const std::vector<std::string> &flow_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto &[name, unused] : makers()) all.push_back(name);
        return all;
    }();
    return names;
}

std::unique_ptr<Flow> make_flow(const WindSettings &settings) {
    const auto found = makers().find(settings.flow);
    if (found == makers().end())
        throw std::invalid_argument(fmt::format("there is no flow \"{}\"; there are {}", settings.flow,
                                                fmt::join(flow_names(), ", ")));
    return found->second(settings);
}

} // namespace squall::transport
