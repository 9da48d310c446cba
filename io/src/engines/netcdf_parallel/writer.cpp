/// The engine `netcdf-parallel`: one netCDF-4 file that all writers write together through parallel
/// HDF5, compressed if asked for. All writes are collective, and each writer holds whole chunks, so
/// that none is compressed twice. Waiting for the others is done without the lock of the library, as
/// far as it is not the library that waits.

#include <algorithm>
#include <cstring>

#include <netcdf.h>
#include <netcdf_par.h>
#include <unistd.h>

#include "engine.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/hdf5.hpp"
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf/reservation.hpp"
#include "publish.hpp"

namespace squall::io {
namespace {

using netcdf::alone;
using netcdf::check;

class ParallelWriter final : public Writer {
  public:
    ParallelWriter(const Layout &layout, const std::string &path, MPI_Comm writers)
        : layout_(layout), path_(path), writers_(writers), reserved_(path) {
        MPI_Comm_rank(writers, &rank_);
        const netcdf::Hints hints(layout);
        const auto lock = alone();
        check(nc_create_par(path.c_str(), NC_NETCDF4 | NC_CLOBBER, writers, hints, &id_),
              "creating the file");
        try {
            define();
        } catch (...) { // the same on every writer
            nc_close(id_);
            throw;
        }
        open_ = true;
    }

    /// Closing would wait for the others. What cannot be given back is the library's handle; the
    /// disk space can.
    ~ParallelWriter() override {
        if (open_ && rank_ == 0) static_cast<void>(::truncate(path_.c_str(), 0));
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) override {
        const auto &f = layout_.fields[field].field;
        std::string fault;
        if (f.per_frame && frame >= begun_) fault = begin(frame);
        const int rounds = agree(fault.empty() ? static_cast<int>(pieces.size()) : -1);
        if (rounds < 0) refused_ = frame;
        if (!fault.empty()) throw Error(fault);
        if (f.per_frame && refused_ == frame) return;
        for (int round = 0; round < rounds; ++round) {
            try {
                if (layout_.fields[field].shape.empty())
                    write_number(field, frame, pieces);
                else
                    write_piece(field, frame, round < std::ssize(pieces) ? pieces[round] : nothing(field));
            } catch (const Error &e) {
                if (fault.empty()) fault = e.what();
            }
        }
        if (!fault.empty()) throw Error(fault);
    }

    void flush() override {
        const auto lock = alone();
        check(nc_sync(id_), "flushing the file");
    }

    void close(std::int64_t frames) override {
        open_ = false;
        const int status = close_file();
        MPI_Barrier(writers_); // nobody has it open any more
        check(status, "closing the file");
        if (rank_ == 0) {
            const auto lock = alone();
            if (begun_ != frames) netcdf::cut_records(path_, frames);
            reserved_.give_back();
        }
        bring_to_disk(path_);
    }

    std::vector<std::string> made() const override {
        return rank_ == 0 ? std::vector<std::string>{""} : std::vector<std::string>{};
    }

  private:
    void define() {
        variables_ = netcdf::define_all(id_, layout_);
        check(nc_enddef(id_), "writing the header");
        for (std::size_t f = 0; f < variables_.size(); ++f)
            check(nc_var_par_access(id_, variables_[f], NC_COLLECTIVE), "choosing collective access");
    }

    /// Returns why the frame cannot be begun, or "".
    std::string begin(std::int64_t frame) {
        try {
            if (rank_ == 0) reserved_.reserve(netcdf::bound_for_frame(netcdf::bytes_of_frame(layout_)));
        } catch (const Error &e) {
            return e.what();
        }
        begun_ = frame + 1;
        return "";
    }

    /// The largest number of pieces on any writer; -1 if any says so.
    int agree(int pieces) const {
        int mine[] = {pieces, pieces < 0}, all[2];
        MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, writers_);
        return all[1] ? -1 : all[0];
    }

    int close_file() const {
        const auto lock = alone();
        return nc_close(id_);
    }

    void write_piece(int field, std::int64_t frame, const Piece &piece) {
        const auto lock = alone();
        netcdf::put(id_, variables_[field], layout_.fields[field].field, frame, piece.box, piece.points);
    }

    /// netCDF has no way to take part in the writing of a number but to write it too.
    void write_number(int field, std::int64_t frame, const std::vector<Piece> &pieces) {
        std::byte number[8] = {};
        const int size = static_cast<int>(size_of(layout_.fields[field].field.type));
        if (rank_ == 0 && !pieces.empty()) std::memcpy(number, pieces[0].points, size);
        MPI_Bcast(number, size, MPI_BYTE, 0, writers_); // whose share it is
        write_piece(field, frame, {{}, number});
    }

    /// To take part without a point of one's own.
    Piece nothing(int field) const {
        const std::vector<std::int64_t> zeros(layout_.fields[field].shape.size(), 0);
        return {{zeros, zeros}, ""};
    }

    const Layout &layout_;
    std::string path_;
    MPI_Comm writers_;
    netcdf::Reservation reserved_; ///< kept by writer 0
    int rank_ = 0, id_ = 0;
    bool open_ = false;
    std::vector<int> variables_;
    std::int64_t begun_ = 0;    ///< frames
    std::int64_t refused_ = -1; ///< the frame for which there was no room
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, MPI_Comm writers) {
    return std::make_unique<ParallelWriter>(layout, path, writers);
}

/// Whole chunks, cut along the first dimension that has several.
std::vector<Share> shares(const Layout &layout, int field, int writers) {
    const auto &f = layout.fields[field];
    const auto chunk = netcdf::chunk_shape(f.shape, f.field.type);
    const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    std::size_t d = 0;
    while (d < f.shape.size() && chunk[d] == f.shape[d]) ++d;
    if (d == f.shape.size()) return {{whole, 0}};
    const auto rows = (f.shape[d] + chunk[d] - 1) / chunk[d];
    std::vector<Share> all;
    for (int w = 0; w < writers; ++w) {
        const auto first = rows * w / writers * chunk[d];
        const auto end = std::min(rows * (w + 1) / writers * chunk[d], f.shape[d]);
        if (first >= end) continue;
        Share share{whole, w};
        share.box.start[d] = first;
        share.box.count[d] = end - first;
        all.push_back(std::move(share));
    }
    return all;
}

std::string objection(const Layout &layout) {
    const auto fault = netcdf::objection(layout);
    return fault.empty() ? netcdf::hints_fault(layout) : fault;
}

} // namespace

extern const Engine netcdf_parallel_engine;
const Engine netcdf_parallel_engine = {.name = "netcdf-parallel",
                                       .makes = "one netCDF-4 file, written together through parallel HDF5",
                                       .codecs = {"none", "deflate", "zstd"},
                                       .options = {"hints"},
                                       .holding = Holding::shares,
                                       .create = create,
                                       .shares = shares,
                                       .objection = objection};

} // namespace squall::io
