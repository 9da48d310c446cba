/// The engine `netcdf-split`: a directory in which each writer keeps what it holds in a netCDF file
/// of its own, and an index that makes one of them all. Nobody waits for anybody but at the index.
///
/// part_000007.nc holds the boxes of writer 7, a variable each, frame after frame; fixed_000007.nc
/// its boxes of fields fixed in time, apart because in the classic format they would have to come
/// first. A field's first box is named as the field, others get .1, .2, ...; a dimension of which
/// a box takes a part only is named after it with the half-open range.

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <netcdf.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/file.hpp"
#include "engines/netcdf/kind.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf_split/index.hpp"
#include "publish/publish.hpp"
#include "publish/writer.hpp"

namespace squall::io {
namespace {

using netcdf::alone;
using netcdf::check;
using split::PartFile;
namespace fs = std::filesystem;

/// A netCDF file that takes boxes as they come.
class Part {
  public:
    Part(const Layout &layout, const std::string &directory, const std::string &name)
        : layout_(layout), name_(name), file_(layout, (fs::path(directory) / name).string()),
          dimensions_(netcdf::define_dimensions(file_.id(), layout)) {}

    const std::string &name() const { return name_; }

    void write(int field, std::int64_t frame, const Piece &piece) {
        const auto &f = layout_.fields[field];
        auto v = std::ranges::find_if(
            variables_, [&](const Variable &x) { return x.field == field && x.box == piece.box; });
        if (v == variables_.end()) v = variables_.insert(v, define(field, piece.box));
        file_.put(v->id, f.field, frame, piece.box.start.empty() ? piece.box : local(piece.box),
                  piece.points);
        if (v->runs.empty() || v->runs.back().second != frame)
            v->runs.emplace_back(frame, frame + 1);
        else
            v->runs.back().second = frame + 1;
    }

    void flush() { file_.flush(); }
    void close(std::int64_t frames) { file_.close(std::min(frames, file_.written())); }
    void bring_to_disk() {
        index_.bring_to_disk();
        file_.bring_to_disk();
    }

    /// What is in it of the first `frames` frames.
    std::vector<split::Stretch> contents(std::int64_t frames) const {
        std::vector<split::Stretch> stretches;
        for (const auto &v : variables_)
            for (const auto &[first, end] : v.runs)
                if (first < frames)
                    stretches.push_back(
                        {v.field, v.number, v.box, first, end >= frames ? split::open_end : end});
        return stretches;
    }

    /// Writes its index, if that is not what it was: boxes that stay are in it once for all frames.
    PartFile list(std::int64_t frames) {
        if (auto index = split::part_index(contents(frames)); listed_ != index) {
            index_ = split::write_file(fs::path(file_.path()).parent_path(), split::index_of(name_), index);
            listed_ = std::move(index);
        }
        return {name_, fs::file_size(file_.path())};
    }

  private:
    struct Variable {
        int field, id;
        std::uint32_t number; ///< among those of the field
        Box box;
        std::vector<std::pair<std::int64_t, std::int64_t>> runs; ///< of frames that it holds, half-open
    };

    static Box local(const Box &box) { return {std::vector<std::int64_t>(box.start.size(), 0), box.count}; }

    Variable define(int field, const Box &box) {
        const auto &f = layout_.fields[field];
        if (defined_) check(nc_redef(file_.id()), "adding a box");
        std::vector<int> ids(f.field.per_frame, 0);
        for (std::size_t d = 0; d < f.shape.size(); ++d) ids.push_back(dimension(f, box, d));
        const auto number = number_for(field);
        const auto name = split::variable_name(f.field.name, number);
        Field described = f.field;
        if (box.count != f.shape) describe(described, box, f.shape);
        const int id = netcdf::define_variable(file_.id(), layout_, described, name, ids, box.count);
        // Room for the declarations to come: else they would move what has been written.
        constexpr std::size_t room = 64 << 10;
        check(nc__enddef(file_.id(), defined_ ? 0 : room, 4, 0, 4), "writing the header");
        defined_ = true;
        return {field, id, number, box, {}};
    }

    int dimension(const FieldLayout &f, const Box &box, std::size_t d) {
        const auto &whole = f.field.dimensions[d];
        if (box.count[d] == f.shape[d]) return dimensions_.at(whole);
        const auto name = fmt::format("{}.{}.{}", whole, box.start[d], box.start[d] + box.count[d]);
        const auto [known, added] = dimensions_.try_emplace(name, 0);
        if (added)
            check(
                nc_def_dim(file_.id(), name.c_str(), static_cast<std::size_t>(box.count[d]), &known->second),
                "defining dimension " + name);
        return known->second;
    }

    /// Such that the variable has no name of a field.
    std::uint32_t number_for(int field) const {
        const auto &base = layout_.fields[field].field.name;
        std::uint32_t n = 0;
        for (const auto &v : variables_)
            if (v.field == field) n = std::max(n, v.number + 1);
        while (n > 0 && taken(split::variable_name(base, n))) ++n;
        return n;
    }
    bool taken(const std::string &name) const {
        return layout_.find(name) >= 0 || std::ranges::any_of(variables_, [&](const Variable &v) {
                   return split::variable_name(layout_.fields[v.field].field.name, v.number) == name;
               });
    }

    /// Where the box lies, for whoever opens the file by itself.
    static void describe(Field &field, const Box &box, const std::vector<std::int64_t> &shape) {
        field.attributes.emplace_back("squall_box",
                                      fmt::format("{} of {}", text(box), fmt::join(shape, " x ")));
    }

    const Layout &layout_;
    std::string name_;
    netcdf::File file_;
    std::map<std::string, int> dimensions_;
    bool defined_ = false;
    std::vector<Variable> variables_;
    std::string listed_; ///< the index that was written last,
    KeptOpen index_;     ///< and its file
};

class SplitWriter final : public Writer {
  public:
    SplitWriter(const Layout &layout, std::string path, Seat seat)
        : layout_(layout), path_(std::move(path)), number_(seat.writer) {}
    ~SplitWriter() override {
        const auto lock = alone();
        frames_.reset();
        fixed_.reset();
    }

    void open() override {
        std::error_code problem;
        if (number_ == 0) fs::create_directory(path_, problem);
        if (problem) throw Error(fmt::format("creating the directory: {}", problem.message()));
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces, std::int64_t) override {
        const auto lock = alone();
        const bool per_frame = layout_.fields[field].field.per_frame;
        auto &part = per_frame ? frames_ : fixed_;
        for (const auto &p : pieces) {
            if (volume(p.box) == 0) continue;
            if (!part)
                part.emplace(layout_, path_,
                             fmt::format("{}_{:06}.nc", per_frame ? "part" : "fixed", number_));
            part->write(field, frame, p);
        }
    }

    void flush() override {
        for_parts([](Part &p) { p.flush(); });
    }

    /// What this writer holds of the first `frames` frames.
    std::string account(std::int64_t frames) override {
        const auto lock = alone();
        std::vector<PartFile> files;
        if (fixed_) files.push_back(fixed_->list(1));
        if (frames_) files.push_back(frames_->list(frames));
        return split::to_text(files);
    }

    void describe(std::int64_t frames, const std::vector<std::string> &accounts, bool) override {
        index_ = split::write_index(path_, layout_, frames, accounts);
    }

    void close(std::int64_t frames) override {
        for_parts([&](Part &p) { p.close(frames); });
    }

    void make_durable() override {
        index_.bring_to_disk();
        for_parts([](Part &p) { p.bring_to_disk(); });
        bring_to_disk(path_);
    }

    std::vector<std::string> made() const override {
        std::vector<std::string> names;
        if (number_ == 0) names.push_back(split::index_name);
        for (const auto *part : {&fixed_, &frames_}) {
            if (!*part) continue;
            names.push_back((*part)->name());
            names.push_back(split::index_of((*part)->name()));
        }
        return names;
    }

  private:
    /// For both, whatever happens to the first.
    template <class F> void for_parts(F f) {
        const auto lock = alone();
        std::string fault;
        for (auto *part : {&fixed_, &frames_}) {
            try {
                if (*part) f(**part);
            } catch (const std::exception &e) {
                if (fault.empty()) fault = fmt::format("{}: {}", (*part)->name(), e.what());
            }
        }
        if (!fault.empty()) throw Error(fault);
    }

    const Layout &layout_;
    std::string path_;
    int number_;                         ///< of this writer
    std::optional<Part> fixed_, frames_; ///< if this writer holds anything
    KeptOpen index_;                     ///< on writer 0, the one that was written last
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<SplitWriter>(layout, path, seat);
}

} // namespace

extern const Engine netcdf_split_engine;
const Engine netcdf_split_engine = {
    .name = "netcdf-split",
    .makes = "a directory with one netCDF file per writer",
    .codecs = {"none", "deflate", "zstd"},
    .options = {netcdf::format_option("",
                                      "format of the files; default: classic, or netcdf4 with a codec; "
                                      "classic is cdf2, or cdf5 for a stream that cdf2 cannot hold",
                                      {"netcdf4"})},
    .distribution = Distribution::as_it_lies,
    .accounts = true,
    .directory = true,
    .create = create,
    .recognises = split::recognises,
    .open = split::open,
    .objection = netcdf::objection,
    .attributes_objection = netcdf::attributes_fault};

} // namespace squall::io
