/// Reading a directory of the engine `netcdf-split` as if it were one file.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <list>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/copy.hpp"
#include "common/document.hpp"
#include "engines/netcdf/netcdf.hpp"
#include "engines/netcdf_split/index.hpp"
#include "read/source_check.hpp"

namespace squall::io::split {
namespace {

namespace fs = std::filesystem;

/// Part files, of which the last used stay open.
class Shelf {
  public:
    explicit Shelf(std::string directory) : directory_(std::move(directory)) {}

    const Source &operator[](const std::string &name) {
        const auto found = std::ranges::find(open_, name, &Entry::first);
        if (found != open_.end())
            open_.splice(open_.begin(), open_, found);
        else {
            open_.emplace_front(name, netcdf::open(confined(directory_, name)));
            if (open_.size() > most_open) open_.pop_back();
        }
        return *open_.front().second;
    }

  private:
    static constexpr std::size_t most_open = 64;
    using Entry = std::pair<std::string, std::unique_ptr<Source>>;
    std::string directory_;
    std::list<Entry> open_; ///< the last used first
};

class SplitSource final : public Source {
  public:
    explicit SplitSource(const std::string &path) : shelf_(path) {
        auto files = parse_index(read_text(path), *this);
        where_.resize(fields.size());
        for (const auto &file : files) check(path, file);
        for (auto &file : files) {
            const auto name = index_of(file.name);
            const auto bytes = text_of(confined(path, name), std::numeric_limits<std::size_t>::max());
            for (auto &stretch : parse_part_index(bytes, *this, name))
                where_[static_cast<std::size_t>(stretch.field)].push_back(
                    {names_.size(), std::move(stretch)});
            names_.push_back(std::move(file.name));
        }
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const override {
        std::vector<std::pair<const Place *, Box>> parts;
        std::vector<Box> from_corner; // of the box
        for (const auto &place : where_[field]) {
            if (fields[field].per_frame && (frame < place.stretch.first || frame >= place.stretch.end))
                continue;
            const auto common = intersection(box, place.stretch.box);
            if (volume(common) == 0) continue;
            parts.emplace_back(&place, common);
            from_corner.push_back(common);
            for (std::size_t d = 0; d < box.start.size(); ++d) from_corner.back().start[d] -= box.start[d];
        }
        if (const auto fault = tiling_fault(from_corner, box.count); !fault.empty())
            throw Error(fmt::format(
                "the index does not assign each point to exactly one part: {}; it is damaged, restore it",
                fault));
        for (const auto &[place, part] : parts) {
            try {
                read(names_[place->file], place->stretch, frame, part, box, contiguous, memory);
            } catch (const std::exception &e) {
                throw Error(fmt::format("{}: {}", names_[place->file], e.what()));
            }
        }
    }

  private:
    struct Place {
        std::size_t file; ///< number in names_
        Stretch stretch;
    };

    static void check(const std::string &path, const PartFile &file) {
        std::error_code problem;
        const auto bytes = fs::file_size(confined(path, file.name), problem);
        if (problem)
            throw Error(fmt::format("part {} is missing, restore it: {}", file.name, problem.message()));
        if (bytes < file.bytes)
            throw Error(fmt::format("part {} has {} bytes of {}; it was truncated, restore it", file.name,
                                    bytes, file.bytes));
    }

    void read(const std::string &file, const Stretch &stretch, std::int64_t frame, const Box &part,
              const Box &box, void *contiguous, Type memory) const {
        const auto &source = shelf_[file];
        const auto name = variable_name(fields[static_cast<std::size_t>(stretch.field)].name, stretch.number);
        const auto variable = std::ranges::find(source.fields, name, &Field::name);
        if (variable == source.fields.end()) throw Error(fmt::format("it has no variable {}", name));
        if (variable->per_frame && frame >= source.frames)
            throw Error(fmt::format("it has {} frames, but the index lists {}", source.frames, stretch.end));
        if (shape_of(source, *variable) != stretch.box.count)
            throw Error(fmt::format(
                "the extents of variable {} differ from its box; the index is damaged, restore it", name));
        Box local = part;
        for (std::size_t d = 0; d < local.start.size(); ++d) local.start[d] -= stretch.box.start[d];
        const int index = static_cast<int>(variable - source.fields.begin());
        if (part == box) return source.read(index, frame, local, contiguous, memory);
        std::vector<std::byte> points(static_cast<std::size_t>(volume(part)) * size_of(memory));
        source.read(index, frame, local, points.data(), memory);
        copy_part(part, part, points.data(), box, contiguous, memory);
    }

    mutable Shelf shelf_;
    std::vector<std::string> names_;        ///< of the files
    std::vector<std::vector<Place>> where_; ///< of each field
};

} // namespace

bool recognises(const std::string &path) { return fs::is_regular_file(fs::path(path) / index_name); }

std::unique_ptr<Source> open(const std::string &path) { return std::make_unique<SplitSource>(path); }

} // namespace squall::io::split
