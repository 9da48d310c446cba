#include "engines/netcdf/file.hpp"

#include <algorithm>

#include <netcdf.h>

#include "common/box.hpp"
#include "engines/netcdf/abandoned.hpp"
#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/hdf5.hpp"
#include "engines/netcdf/kind.hpp"
#include "engines/netcdf/library.hpp"

namespace squall::io::netcdf {

File::File(const Layout &layout, std::string path)
    : path_(std::move(path)), netcdf4_(kind_of(layout) == Kind::netcdf4), reserved_(path_) {
    std::size_t buffer =
        256 << 10; // few system calls, and what is converted is still in the cache when written
    check(nc__create(path_.c_str(), NC_CLOBBER | format_flags(layout), 0, &buffer, &id_),
          "creating the file");
    keep_open();
    open_ = true;
}

File::File(const Layout &layout, std::string path, std::int64_t frames)
    : path_(std::move(path)), netcdf4_(kind_of(layout) == Kind::netcdf4), reserved_(path_), kept_(path_),
      written_(frames) {
    std::size_t buffer = 256 << 10;
    if (!is_classic(path_)) require_self_contained(path_);
    is_classic(path_) ? set_records(path_, frames) : cut_records(path_, frames);
    check(nc__open(path_.c_str(), NC_WRITE, &buffer, &id_), "opening the file to append to it");
    open_ = true;
    int format = 0, old = 0;
    check(nc_set_fill(id_, NC_NOFILL, &old), "opening the file to append to it");
    check(nc_inq_format(id_, &format), "opening the file to append to it");
    netcdf4_ = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
}

void File::keep_open() {
    try {
        kept_ = KeptOpen(path_);
    } catch (...) {
        nc_close(id_);
        throw;
    }
}

File::~File() {
    if (open_) nc_close(id_);
}

void File::put(int variable, const Field &field, std::int64_t frame, const Box &box, const void *points) {
    if (field.per_frame && frame >= written_) begin(frame);
    bytes_ += volume(box) * static_cast<std::int64_t>(size_of(field.type));
    netcdf::put(id_, variable, field, frame, box, points);
}

/// Makes sure of the earlier frames before another is begun.
void File::begin(std::int64_t frame) {
    largest_ = std::max(largest_, bytes_);
    bytes_ = 0;
    if (netcdf4_ && frame > 0) reserved_.reserve(bound_for_frame(largest_));
    written_ = frame + 1;
}

void File::flush() { check(nc_sync(id_), "flushing the file"); }

void File::close(std::int64_t frames) {
    if (!open_) throw Error("closing the file has failed before");
    kept_.around_close([&] { close_library(frames); });
}

void File::close_library(std::int64_t frames) {
    open_ = false;
    if (netcdf4_) sync_before_close();
    const int status = nc_close(id_);
    // A frame that was cut short may be why closing complains: in a classic file, those before it
    // were flushed and only the header's count of them may be wrong.
    if (written_ == frames || netcdf4_) check(status, "closing the file");
    if (written_ != frames && !kept_.is_lost())
        netcdf4_ ? cut_records(path_, frames) : set_records(path_, frames);
    reserved_.give_back();
}

/// A file that HDF5 cannot close ends the process, in netCDF: what is lost shows here, before the last bytes,
/// and then the file is closed without them.
void File::sync_before_close() {
    static_cast<void>(nc_sync(id_)); // what it cannot do closing says
    try {
        kept_.bring_to_disk();
    } catch (const std::exception &) { // of which bring_to_disk() tells again
        abandon(path_);
    }
}

} // namespace squall::io::netcdf
