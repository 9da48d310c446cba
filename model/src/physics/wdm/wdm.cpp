#include "physics/wdm/wdm.hpp"

#include "physics/moist_kernel.hpp"
#include "physics/wdm/scheme.hpp"

namespace squall {
namespace {

template <class Classes> MicrophysicsEntry counted(std::string title, std::vector<Water> waters) {
    MicrophysicsEntry entry = moist_kernel<wdm::Scheme<Classes>>(std::move(title), std::move(waters));
    entry.numbers = {Number::nuclei, Number::droplets, Number::rain};
    entry.longest_step = wsm6::longest_step;
    entry.sizes = SizesOf::wdm;
    return entry;
}

} // namespace

MicrophysicsEntry wdm5_scheme() {
    return counted<wdm::FiveClasses>("wsm5 with numbers of droplets, drops and nuclei, Lim and Hong (2010)",
                                     {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow});
}

MicrophysicsEntry wdm6_scheme() {
    return counted<wdm::SixClasses>(
        "wsm6 with numbers of droplets, drops and nuclei, Lim and Hong (2010)",
        {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel});
}

} // namespace squall
