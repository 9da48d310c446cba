#include "engines/netcdf/hdf5.hpp"

#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "squall/io.hpp"

namespace squall::io::netcdf {
namespace {

/// An HDF5 handle, closed at the end.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
        if (id < 0) throw Error("HDF5 cannot open the file or a field in it");
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
        throw Error(fmt::format("removing an unfinished frame of field {}: HDF5 refuses", name));
}

struct Link {
    std::string name;
    bool leads_elsewhere;
};

std::vector<Link> links_in(hid_t file) {
    std::vector<Link> links;
    const auto keep = [](hid_t, const char *name, const H5L_info_t *about, void *all) -> herr_t {
        static_cast<std::vector<Link> *>(all)->push_back({name, about->type != H5L_TYPE_HARD});
        return 0;
    };
    H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &links);
    return links;
}

/// Whether it is a dataset whose points are in other files.
bool is_elsewhere(hid_t file, const char *name) {
    const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object) != H5I_DATASET) return false;
    const Handle about(H5Dget_create_plist(object), H5Pclose);
    return H5Pget_external_count(about) != 0 || H5Pget_layout(about) == H5D_VIRTUAL;
}

} // namespace

void require_self_contained(const std::string &file) {
    const Handle f(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    for (const auto &[name, leads_elsewhere] : links_in(f))
        if (leads_elsewhere || is_elsewhere(f, name.c_str()))
            throw Error(fmt::format("cannot append: {} in it leads to something else, or into another file; "
                                    "Squall does not write such files",
                                    name));
}

void cut_records(const std::string &file, std::int64_t records) {
    const Handle f(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    for (const auto &[name, leads_elsewhere] : links_in(f))
        if (!leads_elsewhere) cut_dataset(f, name.c_str(), static_cast<hsize_t>(records));
    if (H5Fflush(f, H5F_SCOPE_LOCAL) < 0)
        throw Error("removing an unfinished frame: HDF5 cannot write the file");
}

} // namespace squall::io::netcdf
