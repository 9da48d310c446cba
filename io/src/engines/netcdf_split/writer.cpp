/// The engine `netcdf-split`: a directory in which each writer keeps what it holds in a netCDF file
/// of its own, and an index that makes one of them all. Nobody waits for anybody but at the index.
///
/// part_000007.nc holds the boxes of writer 7, a variable each, frame after frame; fixed_000007.nc
/// its boxes of fields fixed in time, apart because in the classic format they would have to come
/// first. A field's first box is named as the field, others get .1, .2, ...; a dimension of which
/// a box takes a part only is named after it with the half-open range.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <netcdf.h>

#include "box.hpp"
#include "engines/netcdf/define.hpp"
#include "engines/netcdf/file.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf_split/index.hpp"
#include "publish.hpp"

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

    /// What is in it of the first `frames` frames.
    PartFile contents(std::int64_t frames) const {
        PartFile part{name_, fs::file_size(file_.path()), {}};
        for (const auto &v : variables_)
            for (const auto &[first, end] : v.runs)
                if (first < frames)
                    part.holds.push_back(
                        {layout_.fields[v.field].field.name, v.name, v.box, first, std::min(end, frames)});
        return part;
    }

  private:
    struct Variable {
        int field, id;
        std::string name;
        Box box;
        std::vector<std::pair<std::int64_t, std::int64_t>> runs; ///< of frames that it holds, half-open
    };

    static Box local(const Box &box) { return {std::vector<std::int64_t>(box.start.size(), 0), box.count}; }

    Variable define(int field, const Box &box) {
        const auto &f = layout_.fields[field];
        if (defined_) check(nc_redef(file_.id()), "adding a box");
        std::vector<int> ids(f.field.per_frame, 0);
        for (std::size_t d = 0; d < f.shape.size(); ++d) ids.push_back(dimension(f, box, d));
        const auto name = name_for(field);
        Field described = f.field;
        if (box.count != f.shape) describe(described, box, f.shape);
        const int id = netcdf::define_variable(file_.id(), layout_, described, name, ids, box.count);
        // Room for the declarations to come: else they would move what has been written.
        constexpr std::size_t room = 64 << 10;
        check(nc__enddef(file_.id(), defined_ ? 0 : room, 4, 0, 4), "writing the header");
        defined_ = true;
        return {field, id, name, box, {}};
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

    std::string name_for(int field) const {
        const auto &base = layout_.fields[field].field.name;
        auto n = std::ranges::count(variables_, field, &Variable::field);
        if (n == 0) return base;
        const auto taken = [&](const std::string &name) {
            return layout_.find(name) >= 0 ||
                   std::ranges::find(variables_, name, &Variable::name) != variables_.end();
        };
        while (taken(fmt::format("{}.{}", base, n))) ++n;
        return fmt::format("{}.{}", base, n);
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
};

class SplitWriter final : public Writer {
  public:
    SplitWriter(const Layout &layout, const std::string &path, MPI_Comm writers)
        : layout_(layout), path_(path), writers_(writers) {
        MPI_Comm_rank(writers, &rank_);
        MPI_Comm_size(writers, &size_);
        std::error_code problem;
        if (rank_ == 0) fs::create_directory(path, problem);
        int cause = problem.value();
        MPI_Bcast(&cause, 1, MPI_INT, 0, writers);
        if (cause != 0) throw Error(fmt::format("creating the directory: {}", std::strerror(cause)));
    }
    ~SplitWriter() override {
        const auto lock = alone();
        frames_.reset();
        fixed_.reset();
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) override {
        const auto lock = alone();
        const bool per_frame = layout_.fields[field].field.per_frame;
        if (per_frame) begun_ = std::max(begun_, frame + 1);
        auto &part = per_frame ? frames_ : fixed_;
        for (const auto &p : pieces) {
            if (volume(p.box) == 0) continue;
            if (!part)
                part.emplace(layout_, path_, fmt::format("{}_{:06}.nc", per_frame ? "part" : "fixed", rank_));
            part->write(field, frame, p);
        }
    }

    void flush() override {
        const auto fault = for_parts([](Part &p) { p.flush(); });
        if (layout_.spec.frames_per_file > 1)
            tell(begun_, fault); // the others are closed next
        else if (!fault.empty())
            throw Error(fault);
    }

    void close(std::int64_t frames) override {
        tell(frames, for_parts([&](Part &p) { p.close(frames); }));
        if (rank_ == 0) bring_to_disk((fs::path(path_) / split::index_name).string());
        bring_to_disk(path_);
    }

    std::vector<std::string> made() const override {
        std::vector<std::string> names;
        if (rank_ == 0) names.push_back(split::index_name);
        if (fixed_) names.push_back(fixed_->name());
        if (frames_) names.push_back(frames_->name());
        return names;
    }

  private:
    /// Returns what went wrong.
    template <class F> std::string for_parts(F f) {
        const auto lock = alone();
        std::string fault;
        for (auto *part : {&fixed_, &frames_}) {
            try {
                if (*part) f(**part);
            } catch (const std::exception &e) {
                if (fault.empty()) fault = fmt::format("{}: {}", (*part)->name(), e.what());
            }
        }
        return fault;
    }

    /// Everybody tells writer 0 what he holds of the first `frames` frames, and 0 writes it down,
    /// unless somebody reports a fault. Throws that, or what went wrong at 0.
    void tell(std::int64_t frames, const std::string &fault) {
        std::vector<PartFile> files;
        if (fault.empty() && fixed_) files.push_back(fixed_->contents(1));
        if (fault.empty() && frames_) files.push_back(frames_->contents(frames));
        const auto texts = gather(fault.empty() ? split::to_text(files) : "");
        if (!fault.empty()) throw Error(fault);
        if (rank_ == 0 && std::ranges::find(texts, "") == texts.end())
            split::write_index(path_, layout_, frames, texts);
    }

    /// All texts, on writer 0.
    std::vector<std::string> gather(const std::string &text) const {
        const int mine = static_cast<int>(text.size());
        std::vector<int> sizes(size_), offsets(size_, 0);
        MPI_Gather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, writers_);
        for (int r = 1; r < size_; ++r) offsets[r] = offsets[r - 1] + sizes[r - 1];
        std::string all(offsets.back() + sizes.back(), ' ');
        MPI_Gatherv(text.data(), mine, MPI_CHAR, all.data(), sizes.data(), offsets.data(), MPI_CHAR, 0,
                    writers_);
        std::vector<std::string> texts;
        for (int r = 0; r < size_; ++r) texts.push_back(all.substr(offsets[r], sizes[r]));
        return texts;
    }

    const Layout &layout_;
    std::string path_;
    MPI_Comm writers_;
    int rank_ = 0, size_ = 1;
    std::optional<Part> fixed_, frames_; ///< if this writer holds anything
    std::int64_t begun_ = 0;             ///< frames
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, MPI_Comm writers) {
    return std::make_unique<SplitWriter>(layout, path, writers);
}

} // namespace

extern const Engine netcdf_split_engine;
const Engine netcdf_split_engine = {.name = "netcdf-split",
                                    .makes = "a directory with a netCDF file for each writer",
                                    .codecs = {"none", "deflate", "zstd"},
                                    .options = {"format"},
                                    .holding = Holding::any,
                                    .directory = true,
                                    .create = create,
                                    .recognises = split::recognises,
                                    .open = split::open,
                                    .objection = netcdf::objection};

} // namespace squall::io
