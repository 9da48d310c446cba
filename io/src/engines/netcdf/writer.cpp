#include "engines/netcdf/netcdf.hpp"

#include <netcdf.h>

#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/file.hpp"
#include "engines/netcdf/kind.hpp"
#include "engines/netcdf/library.hpp"

namespace squall::io::netcdf {
namespace {

class NetcdfWriter final : public Writer {
  public:
    NetcdfWriter(const Layout &layout, std::string path) : layout_(layout), path_(std::move(path)) {}
    ~NetcdfWriter() override {
        const auto lock = alone();
        file_.reset();
    }

    void open() override {
        const auto lock = alone();
        file_ = std::make_unique<File>(layout_, path_);
        variables_ = define_all(file_->id(), layout_);
        check(nc_enddef(file_->id()), "writing the header");
    }

    void reopen(std::int64_t frames) override {
        const auto lock = alone();
        try {
            open_again(frames, [&](int file) { define_missing(file, layout_); });
        } catch (const std::exception &e) {
            unopened_ = e.what();
            throw;
        }
    }

    /// The library forgets nothing, and after a write that failed it may lose later ones in silence.
    bool roll_back(std::int64_t frames) override {
        const auto lock = alone();
        if (frames == 0) return false; // the file goes
        file_->close(frames);
        closed_ = true;
        file_->bring_to_disk(); // what was lost so far only this one tells
        try {
            open_again(frames, [](int) {});
            return true;
        } catch (const std::exception &) {
            return false; // as it is, it is whole
        }
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces, std::int64_t) override {
        const auto lock = alone();
        for (const auto &p : pieces)
            file_->put(variables_[field], layout_.fields[field].field, frame, p.box, p.points);
    }

    void flush() override {
        const auto lock = alone();
        file_->flush();
    }

    void close(std::int64_t frames) override {
        const auto lock = alone();
        if (!file_) throw Error(unopened_);
        if (!closed_) file_->close(frames);
        closed_ = true;
    }

    void make_durable() override { file_->bring_to_disk(); }

    std::vector<std::string> made() const override { return {""}; }

  private:
    template <class F> void open_again(std::int64_t frames, F prepare) {
        auto file = std::make_unique<File>(layout_, path_, frames);
        prepare(file->id());
        variables_.clear();
        for (const auto &f : layout_.fields)
            check(nc_inq_varid(file->id(), f.field.name.c_str(), &variables_.emplace_back()),
                  "looking for field " + f.field.name);
        file_ = std::move(file);
        closed_ = false;
    }

    const Layout &layout_;
    std::string path_;
    std::unique_ptr<File> file_;
    std::string unopened_; ///< why the file of an earlier run is not open
    std::vector<int> variables_;
    bool closed_ = false;
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &file, Seat) {
    return std::make_unique<NetcdfWriter>(layout, file);
}

} // namespace squall::io::netcdf

namespace squall::io {

extern const Engine netcdf_engine;
const Engine netcdf_engine = {
    .name = "netcdf",
    .makes = "one netCDF file, written by one rank",
    .codecs = {"none", "deflate", "zstd"},
    .options = {netcdf::format_option("",
                                      "format of the file; default: classic, or netcdf4 with a codec; "
                                      "classic is cdf2, or cdf5 for a stream that cdf2 cannot hold",
                                      {"netcdf4"})},
    .distribution = Distribution::to_first,
    .appends = true,
    .create = netcdf::create,
    .recognises = netcdf::recognises,
    .open = netcdf::open,
    .salvage = {.recognises = netcdf::is_classic, .open = netcdf::open_cut_off, .cut = netcdf::set_records},
    .objection = netcdf::objection,
    .attributes_objection = netcdf::attributes_fault,
    .append_objection = netcdf::append_fault};

} // namespace squall::io
