#include "engines/netcdf/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <hdf5.h>

#include "squall/io.hpp"

namespace squall::io::netcdf {
namespace {

/// An HDF5 handle, closed at the end.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
        if (id < 0) throw Error("taking back an unfinished frame: HDF5 cannot open the file or a field");
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() { close_(id_); }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// Cuts a dataset whose first dimension is unlimited, as only the record dimension is; the
/// dimension itself is such a dataset too.
void cut_dataset(hid_t file, const char *name, hsize_t records) {
    const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t extent[H5S_MAX_RANK], limit[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, extent, limit);
    if (rank < 1 || limit[0] != H5S_UNLIMITED || extent[0] <= records) return;
    extent[0] = records;
    if (H5Dset_extent(dataset, extent) < 0)
        throw Error(fmt::format("taking back an unfinished frame of field {}: HDF5 refuses", name));
}

std::vector<std::string> names_in(hid_t file) {
    std::vector<std::string> names;
    const auto keep = [](hid_t, const char *name, const H5L_info_t *, void *all) -> herr_t {
        static_cast<std::vector<std::string> *>(all)->emplace_back(name);
        return 0;
    };
    H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &names);
    return names;
}

[[noreturn]] void no_room(std::uint64_t bytes, int cause) {
    throw Error(fmt::format("no room for another frame of about {:.1f} MB: {}; make room, or write fewer frames "
                            "into a file",
                            static_cast<double>(bytes) / 1e6, std::strerror(cause)));
}

} // namespace

void cut_records(const std::string &file, std::int64_t records) {
    const Handle f(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    for (const auto &name : names_in(f)) cut_dataset(f, name.c_str(), static_cast<hsize_t>(records));
    if (H5Fflush(f, H5F_SCOPE_LOCAL) < 0)
        throw Error("taking back an unfinished frame: HDF5 cannot write the file");
}

void Room::reserve() {
    if (largest_ == 0) return; // the first frame has nothing before it to lose
    const auto need = largest_ + largest_ / 4 + (1 << 20);
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && size_ + need > limit.rlim_cur) no_room(need, EFBIG);
    const int fd = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return; // whoever writes will say why
    const int status =
        ::fallocate(fd, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size_), static_cast<off_t>(need));
    const int cause = errno;
    ::close(fd);
    if (status == 0)
        reserved_ = true;
    else if (cause == ENOSPC || cause == EDQUOT || cause == EFBIG) // others: this file system cannot do it
        no_room(need, cause);
}

void Room::measure() {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(file_, ignored);
    if (ignored) return;
    if (size > size_) largest_ = std::max<std::uint64_t>(largest_, size - size_);
    size_ = size;
}

void Room::give_back() {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(file_, ignored);
    if (reserved_ && !ignored) std::filesystem::resize_file(file_, size, ignored);
}

} // namespace squall::io::netcdf
