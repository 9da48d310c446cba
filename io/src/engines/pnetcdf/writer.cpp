/// The engine `pnetcdf`: one classic file that all writers write together through PnetCDF. Points are
/// copied into the library's buffer and written in few large collective steps.

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <pnetcdf.h>
#include <unistd.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/kind.hpp"
#include "engines/netcdf/mpi_io.hpp"
#include "engines/netcdf/reservation.hpp"
#include "engines/pnetcdf/file.hpp"
#include "publish/kept_open.hpp"
#include "publish/writer.hpp"

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

/// Cuts a box into parts that take no more than `most` bytes each, and whose points follow each other.
void cut(const Box &box, Type type, std::int64_t most, std::vector<Box> &into) {
    const auto d = std::ranges::find_if(box.count, [](std::int64_t n) { return n > 1; });
    if (room_for(box, type) <= most || d == box.count.end()) return into.push_back(box);
    const auto at = d - box.count.begin();
    Box low = box, high = box;
    low.count[at] = *d / 2;
    high.count[at] -= *d / 2;
    high.start[at] += *d / 2;
    cut(low, type, most, into);
    cut(high, type, most, into);
}

class PnetcdfWriter final : public Writer {
  public:
    PnetcdfWriter(const Layout &layout, const std::string &path, Seat seat)
        : layout_(layout), path_(path), seat_(seat), reserved_(path),
          buffer_(std::min(netcdf::bytes_of_frame(layout) + 64 * std::ssize(layout.fields), largest_buffer)) {
    }

    /// Closing would wait for the others. What cannot be given back is the library's handle; the
    /// disk space can, unless it holds frames for `squall recover`.
    ~PnetcdfWriter() override {
        if (open_ && flushed_ == 0 && seat_.leads()) static_cast<void>(::truncate(path_.c_str(), 0));
    }

    void prepare() override {
        if (seat_.leads() && seat_.writers > 1) netcdf::require_errors_reported(layout_);
    }

    void open() override {
        const auto lock = alone();
        file_ = pnetcdf::create_file(layout_, path_, seat_.comm);
        open_ = true; // what fails from here on fails on this writer alone, and the others do not close it
        check(ncmpi_buffer_attach(file_.id, buffer_), "attaching the buffer");
        kept_ = KeptOpen(path_);
    }

    void begin(std::int64_t frame) override {
        if (seat_.leads()) reserved_.reserve(netcdf::bytes_of_frame(layout_));
        begun_ = frame + 1;
    }

    /// Bytes in the buffer, at most.
    std::int64_t weight(int field, const std::vector<Box> &boxes) const override {
        std::int64_t bytes = 0;
        for (const auto &box : boxes)
            for (const auto &part : parts_of(field, box)) bytes += room_for(part, type_of_field(field));
        return bytes;
    }

    /// All writers empty their buffers equally often: as often as the fullest one may have to. A part takes
    /// a quarter of the buffer at most, so three quarters are filled before one has to wait.
    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces,
               std::int64_t largest) override {
        const auto lock = alone();
        auto parts = parts_of(field, pieces);
        const auto filled = buffer_ - buffer_ / 4;
        std::string fault;
        if (fullest_ > 0 && fullest_ + largest > filled) keep(fault, carry_out(), "writing");
        for (auto steps = largest / filled;; --steps) {
            while (!parts.empty() &&
                   pending_ + room_for(parts.front().box, type_of_field(field)) <= buffer_) {
                keep(fault, post(field, frame, parts.front()), "writing field " + name_of_field(field));
                parts.pop_front();
            }
            if (steps == 0) break;
            keep(fault, carry_out(), "writing");
        }
        fullest_ += largest % filled;
        if (!parts.empty() && fault.empty())
            fault = "the buffer is full; this is a bug in Squall, please report it";
        if (!fault.empty()) throw Error(fault);
    }

    void flush() override {
        const auto lock = alone();
        std::string fault;
        keep(fault, carry_out(), "writing");
        keep(fault, ncmpi_sync_numrecs(file_.id), "writing the number of frames");
        if (!fault.empty()) throw Error(fault);
        flushed_ = begun_;
    }

    void close(std::int64_t frames) override {
        const auto lock = alone();
        kept_.around_close([&] { close_library(frames); });
    }

    /// All writers have closed it.
    void describe(std::int64_t, const std::vector<std::string> &, bool closing) override {
        if (!closing || kept_.is_lost()) return;
        kept_.around_close([&] { // of which a close that lost bytes is the cause, and make_durable() tells it
            netcdf::check_length(path_); // MPI need not report that it wrote less than it should
            if (seat_.leads()) netcdf::clear_padding(path_);
        });
        reserved_.give_back();
    }

    void make_durable() override { kept_.bring_to_disk(); }

    std::vector<std::string> made() const override {
        return seat_.leads() ? std::vector<std::string>{""} : std::vector<std::string>{};
    }

  private:
    void close_library(std::int64_t frames) {
        open_ = false;
        if (pending_ > 0) ncmpi_cancel(file_.id, NC_REQ_ALL, nullptr, nullptr);
        ncmpi_buffer_detach(file_.id);
        const int status = ncmpi_close(file_.id);
        std::string fault;
        if (begun_ == frames) keep(fault, status, "closing the file");
        try {
            // A frame that was cut short; those before it were flushed. Make the header say so.
            if (seat_.leads() && begun_ != frames) netcdf::set_records(path_, frames);
        } catch (const Error &e) {
            if (fault.empty()) fault = e.what();
        }
        if (!fault.empty()) throw Error(fault);
    }

    void keep(std::string &fault, int status, const std::string &doing) const {
        if (status == NC_NOERR || !fault.empty()) return;
        fault = doing + ": " + ncmpi_strerror(status);
        try { // MPI knows an error of writing, and not which
            netcdf::Reservation(path_).reserve(netcdf::bytes_of_frame(layout_));
        } catch (const Error &e) {
            fault += fmt::format("; {}", e.what());
        }
    }

    Type type_of_field(int field) const { return layout_.fields[field].field.type; }
    const std::string &name_of_field(int field) const { return layout_.fields[field].field.name; }

    std::vector<Box> parts_of(int field, const Box &box) const {
        std::vector<Box> parts;
        if (volume(box) > 0) cut(box, type_of_field(field), buffer_ / 4, parts);
        return parts;
    }

    std::deque<Piece> parts_of(int field, const std::vector<Piece> &pieces) const {
        std::deque<Piece> parts;
        for (const auto &piece : pieces) {
            const auto *points = static_cast<const std::byte *>(piece.points);
            for (auto &part : parts_of(field, piece.box)) {
                const auto bytes = volume(part) * static_cast<std::int64_t>(size_of(type_of_field(field)));
                parts.push_back({std::move(part), points});
                points += bytes;
            }
        }
        return parts;
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
        pending_ = fullest_ = 0;
        return ncmpi_wait_all(file_.id, NC_REQ_ALL, nullptr, nullptr);
    }

    const Layout &layout_;
    std::string path_;
    Seat seat_;
    netcdf::Reservation reserved_; ///< kept by writer 0
    KeptOpen kept_;
    pnetcdf::File file_;
    bool open_ = false;
    std::int64_t buffer_, pending_ = 0;    ///< bytes
    std::int64_t fullest_ = 0;             ///< bytes that are pending at most on any writer
    std::int64_t begun_ = 0, flushed_ = 0; ///< frames
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<PnetcdfWriter>(layout, path, seat);
}

std::string objection(const Layout &layout) {
    const auto fault = netcdf::hints_fault(layout);
    return fault.empty() ? netcdf::kind_fault(layout) : fault;
}

} // namespace

extern const Engine pnetcdf_engine;
const Engine pnetcdf_engine = {
    .name = "pnetcdf",
    .makes = "one classic netCDF file, written together through PnetCDF",
    .codecs = {"none"},
    .options = {netcdf::format_option(
                    "classic",
                    "format of the file; classic: cdf2, or cdf5 for a stream that cdf2 cannot hold"),
                {"hints", OptionInfo::Kind::text, "", "", "hints for MPI-IO: key=value, with ; between them"},
                netcdf::ompio_option()},
    .distribution = Distribution::as_it_lies,
    .together = true,
    .create = create,
    .objection = objection,
    .attributes_objection = netcdf::attributes_fault};

} // namespace squall::io
