// squall-columns FILE: physics schemes on the columns of a WRF history, against the tendencies and fluxes
// that WRF's wrote a time step later. Prints a line of JSON for each field; `squall lab verify` reads them.
#include <cstdio>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <mpi.h>

#include "score.hpp"

int main(int argc, char **argv) try {
    const bool radiation = argc == 3 && std::strcmp(argv[2], "radiation") == 0;
    if (argc != 2 && !radiation) {
        fmt::print(stderr,
                   "usage: squall-columns FILE [radiation], a WRF history whose frames are pairs one step "
                   "apart; of surface, boundary layer and cumulus, or of radiation by RRTM (1) and "
                   "Dudhia (1)\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    {
        using namespace squall::columns;
        const WrfColumns file(argv[1]);
        Results results;
        if (radiation)
            score_radiation(file, results);
        else {
            score_surface(file, results);
            score_cumulus(file, results);
        }
        for (const Result &r : results)
            if (r.score.points() > 0)
                fmt::print("{{\"scheme\": \"{}\", \"field\": \"{}\", \"where\": \"{}\", \"nrmse\": {:.6g}, "
                           "\"rms\": {:.6g}, \"points\": {}}}\n",
                           r.scheme, r.field, r.where, r.score.nrmse(), r.score.rms(), r.score.points());
    }
    MPI_Finalize();
    return 0;
} catch (const std::exception &error) {
    fmt::print(stderr, "squall-columns: {}\n", error.what());
    return 1;
}
