/// Maps of emissions from netCDF files, brought onto the cells of the globe.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "winds/fluxes.hpp"

namespace squall::transport {

/// Emission from the ground in the cells of a patch.
struct EmissionMap {
    struct Record {
        double begin, end;        ///< between which it holds, seconds after the start of the run
        std::vector<double> flux; ///< [kg m-2 s-1], ny x nx, i fastest
    };
    std::vector<Record> records;
};

/// The file, and the span of the run, for which it must have emissions.
struct EmissionFile {
    std::string path, variable; ///< variable: empty where the file has one alone with the units
    std::string start;          ///< calendar time of the run's start
    double duration = 0;        ///< of the run [s]
};

/// Reads a variable in kg m-2 s-1 over latitude and longitude, and over time if the file has it, on any
/// regular grid of degrees (`units` degrees_north and degrees_east tell the coordinates; cells end at their
/// bounds, or halfway to the next). Each of the globe's cells has the mean of the file's over its area, so
/// that the total is the file's. A record holds within its bounds of time, or halfway to the next. Missing
/// values and what the file does not cover emit nothing. One rank reads. Collective; throws
/// std::invalid_argument on all ranks: a file that cannot be opened, other units or dimensions, a time that
/// it does not cover.
EmissionMap read_emissions(const EmissionFile &file, const PatchOfGlobe &where, MPI_Comm comm);

/// The part of the above that needs no grid. Collective; throws as it does.
void check_emissions(const EmissionFile &file, MPI_Comm comm);

} // namespace squall::transport
