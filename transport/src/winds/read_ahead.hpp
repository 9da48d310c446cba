/// Records of a file of winds, each read on a thread while the one before it is in use.
#pragma once

#include <future>
#include <optional>
#include <string>

#include <mpi.h>

#include "winds/hand_out.hpp"
#include "winds/wind_file.hpp"

namespace squall::transport {

/// Of a rank, in all.
struct WindCosts {
    double reading = 0;    ///< on the thread, beside the steps [s]
    double waiting = 0;    ///< of steps, for what was not read yet [s]
    double scattering = 0; ///< [s]
    Sent sent;             ///< when scattering
    int records = 0;
};

class ReadAhead {
  public:
    /// Arguments must outlive this object. `last`: the last record that is wanted. Collective over `comm`.
    ReadAhead(const std::string &path, const WindHeader &header, const HandOut &hand_out, std::size_t last,
              MPI_Comm comm);

    /// The patch's part of a record; then the next one is read. Throws AgreedError on all ranks for a record
    /// that cannot be read. Collective.
    WindValues take(std::size_t record);

    const WindCosts &costs() const { return costs_; }

  private:
    struct Read {
        WindValues values;
        double seconds = 0;
    };
    void begin(std::size_t record);
    Read finish(std::size_t record);

    const WindHeader &header_;
    const HandOut &hand_out_;
    std::size_t last_;
    MPI_Comm comm_;
    std::optional<WindFile> file_;
    std::size_t begun_ = 0;
    WindCosts costs_;
    std::future<Read> ahead_; ///< last, so that its thread ends before what it uses does
};

} // namespace squall::transport
