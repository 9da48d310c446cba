#include "output/lonlatbox.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

#include <fmt/format.h>

namespace squall {

bool lies_in(const std::vector<double> &box, double longitude, double latitude) {
    const auto east_of_west = [&](double x) { return x - box[0] - 360 * std::floor((x - box[0]) / 360); };
    const double width = box[1] - box[0] >= 360 ? 360 : east_of_west(box[1]);
    return latitude >= box[2] && latitude <= box[3] && east_of_west(longitude) <= width;
}

StreamConfig with_region(StreamConfig stream, const Config &config, const Grid &grid, const Patch &patch,
                         MPI_Comm comm) {
    if (stream.lonlatbox.empty()) return stream;
    std::array least{INT_MAX, INT_MAX, INT_MAX, INT_MAX}; // of i, -i, j, -j
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            if (!lies_in(stream.lonlatbox, static_cast<double>(grid.lon(i, j)),
                         static_cast<double>(grid.lat(i, j))))
                continue;
            const std::array here{patch.x0 + i, -patch.x0 - i, patch.y0 + j, -patch.y0 - j};
            std::ranges::transform(least, here, least.begin(), [](int a, int b) { return std::min(a, b); });
        }
    MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT, MPI_MIN, comm);
    if (least[0] == INT_MAX)
        throw ConfigError(fmt::format("{}:{}: output.{}.lonlatbox: no cell of the domain has its centre "
                                      "between {} and {} degrees east, {} and {} degrees north",
                                      config.file, stream.line, stream.name, stream.lonlatbox[0],
                                      stream.lonlatbox[1], stream.lonlatbox[2], stream.lonlatbox[3]));
    if (stream.average.empty()) stream.region = {least[0], -least[1], least[2], -least[3]};
    return stream;
}

} // namespace squall
