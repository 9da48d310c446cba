/// The engine `pnetcdf`: one CDF-5 file that all writers write together through PnetCDF. Points are
/// copied into the library's buffer and written in few large collective steps.

#include <algorithm>
#include <deque>

#include <pnetcdf.h>
#include <unistd.h>

#include "box.hpp"
#include "engine.hpp"
#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/reservation.hpp"
#include "engines/pnetcdf/file.hpp"
#include "publish.hpp"

namespace squall::io {
namespace {

using pnetcdf::alone;
using pnetcdf::check;

/// Larger ones leave the cache: with 32 MiB frames went at 0.80 of the speed of the library's own loop,
/// with 8 MiB at 0.86.
constexpr std::int64_t largest_buffer = 8 << 20;

/// The bytes that a box takes in the buffer.
std::int64_t room_for(const Box &box, Type type) {
    return (volume(box) * static_cast<std::int64_t>(size_of(type)) + 63) / 64 * 64;
}

/// Cuts a piece into contiguous ones that take no more than `most` bytes each.
void cut(const Piece &piece, Type type, std::int64_t most, std::deque<Piece> &into) {
    const auto d = std::ranges::find_if(piece.box.count, [](std::int64_t n) { return n > 1; });
    if (room_for(piece.box, type) <= most || d == piece.box.count.end()) return into.push_back(piece);
    const auto at = d - piece.box.count.begin();
    Piece low = piece, high = piece;
    low.box.count[at] = *d / 2;
    high.box.count[at] -= *d / 2;
    high.box.start[at] += *d / 2;
    high.points = static_cast<const std::byte *>(piece.points) +
                  volume(low.box) * static_cast<std::int64_t>(size_of(type));
    cut(low, type, most, into);
    cut(high, type, most, into);
}

class PnetcdfWriter final : public Writer {
  public:
    PnetcdfWriter(const Layout &layout, const std::string &path, MPI_Comm writers)
        : layout_(layout), path_(path), writers_(writers), reserved_(path) {
        MPI_Comm_rank(writers, &rank_);
        const auto lock = alone();
        file_ = pnetcdf::create_file(layout, path, writers);
        buffer_ = std::min(netcdf::bytes_of_frame(layout) + 64 * std::ssize(layout.fields), largest_buffer);
        const int status = ncmpi_buffer_attach(file_.id, buffer_);
        if (status != NC_NOERR) ncmpi_close(file_.id);
        check(status, "attaching the buffer");
        open_ = true;
    }

    /// Closing would wait for the others. What cannot be given back is the library's handle; the
    /// disk space can.
    ~PnetcdfWriter() override {
        if (open_ && rank_ == 0) static_cast<void>(::truncate(path_.c_str(), 0));
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) override {
        const auto lock = alone();
        const auto &f = layout_.fields[field].field;
        const auto refusal = f.per_frame && frame >= begun_ ? begin(frame) : "";
        std::deque<Piece> parts;
        for (const auto &p : pieces)
            if (volume(p.box) > 0) cut(p, f.type, buffer_, parts);
        std::string fault;
        int steps = agree(refusal.empty() ? steps_for(parts, f.type) : -1);
        if (steps < 0) refused_ = frame;
        if (!refusal.empty()) throw Error(refusal);
        if (f.per_frame && refused_ == frame) return;
        for (;; --steps) {
            while (!parts.empty() && pending_ + room_for(parts.front().box, f.type) <= buffer_) {
                keep(fault, post(field, frame, parts.front()), "writing field " + f.name);
                parts.pop_front();
            }
            if (steps == 0) break;
            keep(fault, carry_out(), "writing");
        }
        if (!fault.empty()) throw Error(fault);
    }

    void flush() override {
        const auto lock = alone();
        std::string fault;
        keep(fault, carry_out(), "writing");
        keep(fault, ncmpi_sync_numrecs(file_.id), "writing the number of frames");
        if (!fault.empty()) throw Error(fault);
    }

    void close(std::int64_t frames) override {
        const auto lock = alone();
        open_ = false;
        if (pending_ > 0) ncmpi_cancel(file_.id, NC_REQ_ALL, nullptr, nullptr);
        ncmpi_buffer_detach(file_.id);
        const int status = ncmpi_close(file_.id);
        std::string fault;
        if (begun_ == frames) keep(fault, status, "closing the file");
        try {
            // A frame that was cut short; those before it were flushed. Make the header say so.
            if (rank_ == 0 && begun_ != frames) netcdf::set_records(path_, frames);
            bring_to_disk(path_);
        } catch (const Error &e) {
            if (fault.empty()) fault = e.what();
        }
        MPI_Barrier(writers_);
        if (!fault.empty()) throw Error(fault);
        if (rank_ != 0) return;
        netcdf::check_length(path_); // MPI need not report that it wrote less than it should
        reserved_.give_back();
    }

    std::vector<std::string> made() const override {
        return rank_ == 0 ? std::vector<std::string>{""} : std::vector<std::string>{};
    }

  private:
    static void keep(std::string &fault, int status, const std::string &doing) {
        if (status != NC_NOERR && fault.empty()) fault = doing + ": " + ncmpi_strerror(status);
    }

    /// How often the buffer fills before the last of these parts is in it.
    int steps_for(const std::deque<Piece> &parts, Type type) const {
        int steps = 0;
        auto used = pending_;
        for (const auto &p : parts) {
            const auto room = room_for(p.box, type);
            if (used + room > buffer_) {
                ++steps;
                used = 0;
            }
            used += room;
        }
        return steps;
    }

    /// The most steps on any writer; -1 if any says so.
    int agree(int steps) const {
        int mine[] = {steps, steps < 0}, all[2];
        MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, writers_);
        return all[1] ? -1 : all[0];
    }

    /// Returns why the frame cannot be begun, or "".
    std::string begin(std::int64_t frame) {
        try {
            if (rank_ == 0) reserved_.reserve(netcdf::bytes_of_frame(layout_));
        } catch (const Error &e) {
            return e.what();
        }
        begun_ = frame + 1;
        return "";
    }

    int post(int field, std::int64_t frame, const Piece &piece) {
        const auto &f = layout_.fields[field].field;
        std::vector<MPI_Offset> start(f.per_frame, frame), count(f.per_frame, 1);
        start.insert(start.end(), piece.box.start.begin(), piece.box.start.end());
        count.insert(count.end(), piece.box.count.begin(), piece.box.count.end());
        pending_ += room_for(piece.box, f.type);
        return ncmpi_bput_vara(file_.id, file_.variables[field], start.data(), count.data(), piece.points,
                               volume(piece.box), pnetcdf::mpi_type_of(f.type), nullptr);
    }

    /// Writes what is in the buffer. Collective.
    int carry_out() {
        pending_ = 0;
        return ncmpi_wait_all(file_.id, NC_REQ_ALL, nullptr, nullptr);
    }

    const Layout &layout_;
    std::string path_;
    MPI_Comm writers_;
    netcdf::Reservation reserved_; ///< kept by writer 0
    int rank_ = 0;
    pnetcdf::File file_;
    bool open_ = false;
    std::int64_t buffer_ = 0, pending_ = 0; ///< bytes
    std::int64_t begun_ = 0;                ///< frames
    std::int64_t refused_ = -1;             ///< the frame for which there was no room
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, MPI_Comm writers) {
    return std::make_unique<PnetcdfWriter>(layout, path, writers);
}

} // namespace

extern const Engine pnetcdf_engine;
const Engine pnetcdf_engine = {.name = "pnetcdf",
                               .makes = "one CDF-5 file, written together through PnetCDF",
                               .codecs = {"none"},
                               .options = {"hints"},
                               .holding = Holding::any,
                               .create = create,
                               .objection = netcdf::hints_fault};

} // namespace squall::io
