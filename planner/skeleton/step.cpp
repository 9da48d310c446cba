/// squall-step-messages: the messages of a step and nothing else. The model's own decomposition and halos
/// exchange what squall-planner says that a step does, so that any MPI, one that is simulated too, can count
/// them.
///
/// usage: squall-step-messages NX NY NZ PERIODIC_X PERIODIC_Y PX PY EXCHANGES
/// EXCHANGES is a file with a line for each kind: times, width, 1 with corners, then pairs of levels and
/// points (0: cells, 1: x faces, 2: y faces), as `squall lab reproduce` writes it from squall-planner's
/// "exchanges".

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <mpi.h>

#include "parallel/halo.hpp"

namespace {

using namespace squall;

std::vector<HaloExchange> read_exchanges(const std::string &file) {
    std::vector<HaloExchange> exchanges;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        HaloExchange e;
        if (!(words >> e.times >> e.width >> e.corners)) continue;
        int nk = 0, points = 0;
        while (words >> nk >> points) e.fields.push_back({nk, static_cast<Points>(points)});
        exchanges.push_back(e);
    }
    return exchanges;
}

/// Each kind as often as a step asks for it; what the fields hold does not matter.
void exchange(Halo &halo, const Patch &patch, const std::vector<HaloExchange> &exchanges) {
    Array3 array(patch.shape);
    for (const HaloExchange &e : exchanges) {
        std::vector<HaloField> fields;
        for (const auto &part : e.fields) fields.push_back(HaloField::of(array, part.nk, part.points));
        for (std::int64_t n = 0; n < e.times; ++n) {
            if (e.corners) {
                halo.fill(fields, e.width);
                continue;
            }
            halo.start(fields, e.width);
            halo.finish();
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto number = [&](int n) { return n < argc ? std::atoi(argv[n]) : 0; };
    const auto exchanges = argc == 9 ? read_exchanges(argv[8]) : std::vector<HaloExchange>();
    if (exchanges.empty() || number(6) * number(7) != ranks) {
        if (rank == 0)
            std::cerr << "squall-step-messages: needs NX NY NZ PERIODIC_X PERIODIC_Y PX PY EXCHANGES\n";
        MPI_Finalize();
        return 1;
    }
    const auto side = [&](int n) { return number(n) ? Boundary::periodic : Boundary::open; };
    const Boundaries boundaries{side(4), side(4), side(5), side(5)};
    const Patch patch = make_patch(rank, number(6), number(7), number(1), number(2), number(3), boundaries);
    {
        Halo halo(MPI_COMM_WORLD, patch, boundaries);
        exchange(halo, patch, exchanges);
    }
    MPI_Finalize();
    return 0;
}
