/// The engine `netcdf-parallel`: one netCDF-4 file that all writers write together through parallel
/// HDF5, compressed if asked for. All writes are collective, and each writer holds whole chunks, so
/// that none is compressed twice. Waiting for the others is done without the lock of the library, as
/// far as it is not the library that waits.

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <unistd.h>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "engines/netcdf/abandoned.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/hdf5.hpp"
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf/mpi_io.hpp"
#include "engines/netcdf/reservation.hpp"
#include "publish/cause.hpp"
#include "publish/kept_open.hpp"
#include "publish/writer.hpp"

namespace squall::io {
namespace {

using netcdf::alone;
using netcdf::check;

/// What went wrong first within HDF5 with a file that it had created, on this process; under alone(). It
/// keeps what it could not write of such a file, and later ones come out damaged without an error.
std::string first_fault;

template <class F> void noting_fault(F f) {
    try {
        f();
    } catch (const Error &e) {
        if (first_fault.empty()) first_fault = e.what();
        throw;
    }
}

void require_trust() {
    const auto lock = alone();
    if (!first_fault.empty())
        throw Error(fmt::format("HDF5 has failed before ({}), so that later writes cannot be trusted; start "
                                "the run again from its restart, or use another engine",
                                first_fault));
}

class ParallelWriter final : public Writer {
  public:
    ParallelWriter(const Layout &layout, const std::string &path, Seat seat)
        : layout_(layout), path_(path), seat_(seat), reserved_(path) {}

    void prepare() override {
        require_trust();
        if (!seat_.leads()) return;
        if (seat_.writers > 1) netcdf::require_errors_reported(layout_);
        // A file whose header could not be written HDF5 cannot close either: it ends the process.
        netcdf::require_room(path_, netcdf::bound_for_frame(netcdf::bytes_of_frame(layout_)));
    }

    void open() override {
        const netcdf::Hints hints(layout_);
        const auto lock = alone();
        // netCDF calls all that HDF5 cannot create "Permission denied".
        const int status = nc_create_par(netcdf::name_for_mpi(path_).c_str(), NC_NETCDF4 | NC_CLOBBER,
                                         seat_.comm, hints, &id_);
        if (status == EACCES) throw Error("creating the file: HDF5 failed");
        check(status, "creating the file");
        // What fails from here on may fail on this writer alone, as the sync of a header does. Closing the
        // file would wait for the others in the library, and these wait for this one outside of it.
        open_ = true;
        noting_fault([&] { naming_cause(path_, [&] { define(); }); }); // while it takes the room
        kept_ = KeptOpen(path_);
    }

    /// Closing would wait for the others: the file stays open. What cannot be given back is the library's
    /// handle; the disk space can, unless it holds frames for `squall recover`.
    ~ParallelWriter() override {
        if (!open_) return;
        const auto lock = alone();
        if (flushed_ > 0) {
            netcdf::leave_open(path_);
            return;
        }
        netcdf::abandon(path_);
        if (seat_.leads()) static_cast<void>(::truncate(path_.c_str(), 0));
    }

    void begin(std::int64_t frame) override {
        if (seat_.leads()) reserved_.reserve(netcdf::bound_for_frame(netcdf::bytes_of_frame(layout_)));
        begun_ = frame + 1;
    }

    std::int64_t weight(int, const std::vector<Box> &boxes) const override { return std::ssize(boxes); }

    /// All writers write equally often: as often as the one with the most pieces.
    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces,
               std::int64_t rounds) override {
        std::string fault;
        for (std::int64_t round = 0; round < rounds; ++round) {
            try {
                if (round < std::ssize(pieces))
                    write_piece(field, frame, pieces[round]);
                else if (!is_lone_number(field))
                    take_part(field, frame);
            } catch (const Error &e) {
                if (fault.empty()) fault = e.what();
            }
        }
        if (!fault.empty()) throw Error(fault);
    }

    void flush() override {
        const auto lock = alone();
        noting_fault([&] { check(nc_sync(id_), "flushing the file"); });
        flushed_ = begun_;
    }

    /// A file that HDF5 could not write it cannot close either, and ends the process when it tries: what is
    /// stored in it is for `squall recover`.
    void prepare_to_close() override { require_trust(); }

    void close(std::int64_t) override {
        open_ = false;
        const auto lock = alone();
        kept_.around_close([&] { noting_fault([&] { check(nc_close(id_), "closing the file"); }); });
    }

    /// All writers have closed it.
    void describe(std::int64_t frames, const std::vector<std::string> &, bool closing) override {
        if (!closing || kept_.is_lost()) return;
        const auto lock = alone();
        if (begun_ != frames) netcdf::cut_records(path_, frames);
        reserved_.give_back();
    }

    void make_durable() override { kept_.bring_to_disk(); }

    std::vector<std::string> made() const override {
        return seat_.leads() ? std::vector<std::string>{""} : std::vector<std::string>{};
    }

  private:
    void define() {
        variables_ = netcdf::define_all(id_, layout_);
        check(nc_enddef(id_), "writing the header");
        for (std::size_t f = 0; f < variables_.size(); ++f)
            check(nc_var_par_access(id_, variables_[f], is_lone_number(f) ? NC_INDEPENDENT : NC_COLLECTIVE),
                  "choosing the access to the file");
    }

    void write_piece(int field, std::int64_t frame, const Piece &piece) {
        const auto lock = alone();
        const auto &f = layout_.fields[field].field;
        noting_fault([&] { netcdf::put(id_, variables_[field], f, frame, piece.box, piece.points); });
    }

    /// In the others' writing, without a point of one's own.
    void take_part(int field, std::int64_t frame) {
        const auto &f = layout_.fields[field];
        std::vector<std::size_t> start(f.shape.size() + f.field.per_frame, 0), count(start);
        if (f.field.per_frame) {
            start[0] = static_cast<std::size_t>(frame);
            count[0] = f.shape.empty() ? 0 : 1;
        }
        const auto lock = alone();
        noting_fault([&] {
            check(nc_put_vara(id_, variables_[field], start.data(), count.data(), ""),
                  "writing field " + f.field.name);
        });
    }

    /// A number without dimensions is written by the writer that has it, on its own.
    bool is_lone_number(std::size_t field) const {
        return layout_.fields[field].shape.empty() && !layout_.fields[field].field.per_frame;
    }

    const Layout &layout_;
    std::string path_;
    Seat seat_;
    netcdf::Reservation reserved_; ///< kept by writer 0
    KeptOpen kept_;
    int id_ = 0;
    bool open_ = false;
    std::vector<int> variables_;
    std::int64_t begun_ = 0, flushed_ = 0; ///< frames
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<ParallelWriter>(layout, path, seat);
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
const Engine netcdf_parallel_engine = {
    .name = "netcdf-parallel",
    .makes = "one netCDF-4 file, written together through parallel HDF5",
    .codecs = {"none", "deflate", "zstd"},
    .options = {{"hints", OptionInfo::Kind::text, "", "", "hints for MPI-IO: key=value, with ; between them"},
                netcdf::ompio_option()},
    .distribution = Distribution::by_shares,
    .together = true,
    .create = create,
    .shares = shares,
    .objection = objection};

} // namespace squall::io
