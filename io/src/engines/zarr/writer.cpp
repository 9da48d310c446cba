#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "box.hpp"
#include "engines/zarr/documents.hpp"
#include "engines/zarr/files.hpp"
#include "engines/zarr/shard.hpp"
#include "engines/zarr/zarr.hpp"
#include "patience.hpp"

namespace squall::io::zarr {
namespace {

namespace fs = std::filesystem;

constexpr double watchdog = 60; ///< [s] after which a writer says that it waits for the others

/// The texts of a piece as `vlen-utf8`: how many, then each with its length; then crc32c.
Bytes encode_texts(const Piece &piece) {
    const auto length = static_cast<std::size_t>(piece.box.count.empty() ? 1 : piece.box.count.back());
    const auto number = static_cast<std::size_t>(volume(piece.box)) / length;
    Bytes out;
    const auto add = [&](const void *from, std::size_t bytes) {
        const auto *p = static_cast<const std::byte *>(from);
        out.insert(out.end(), p, p + bytes);
    };
    const auto add_number = [&](std::size_t n) {
        const auto word = static_cast<std::uint32_t>(n);
        add(&word, sizeof word);
    };
    add_number(number);
    for (std::size_t n = 0; n < number; ++n) {
        std::string_view text(static_cast<const char *>(piece.points) + n * length, length);
        text = text.substr(0, text.find_last_not_of('\0') + 1); // filled up again when it is read
        add_number(text.size());
        add(text.data(), text.size());
    }
    append_crc32c(out, 0);
    return out;
}

class ZarrWriter final : public Writer {
  public:
    ZarrWriter(const Layout &layout, std::string path, MPI_Comm writers)
        : layout_(layout), path_(std::move(path)), writers_(writers) {
        MPI_Comm_rank(writers, &rank_);
        MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
        for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
            grids_.push_back(grid_of(layout, f));
            shards_.emplace_back(grids_[f], layout.codec, layout.fields[f].field.type, workspace_);
        }
        make_directories();
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) override {
        const auto tiles = grids_[field].shards();
        for (const auto &piece : pieces)
            for (const auto n : tiles.touched(piece.box)) write_shard(field, frame, tiles, n, piece);
    }

    void flush() override {} // the system has everything already

    void reveal(std::int64_t frames) override {
        std::optional<Replacement> description;
        std::exception_ptr fault;
        try {
            if (rank_ == 0 && described_ != frames) description.emplace(describe(frames));
            unsynced_.to_disk();
        } catch (...) {
            fault = std::current_exception();
        }
        const bool all_well = agree(!fault);
        if (fault) std::rethrow_exception(fault);
        if (all_well && description) put_in_place(*description, frames);
        revealed_ = frames;
    }

    void moved(const std::string &path) override { path_ = path; }

    void close(std::int64_t frames) override {
        unsynced_.forget_from(frames);
        std::erase_if(made_, [&](const Made &file) {
            if (file.frame < frames) return false;
            ::unlink((path_ + "/" + file.name).c_str()); // nobody was told of it
            return true;
        });
        if (frames != revealed_) reveal(frames);
    }

    std::vector<std::string> made() const override {
        std::vector<std::string> names;
        for (const auto &file : made_) names.push_back(file.name);
        if (rank_ != 0) return names;
        for (const auto &f : layout_.fields) names.push_back(f.field.name + "/zarr.json");
        names.emplace_back("zarr.json");
        return names;
    }

  private:
    struct Made {
        std::string name; ///< relative
        std::int64_t frame;
    };

    std::string directory_of(int field) const { return path_ + "/" + layout_.fields[field].field.name; }

    /// Writer 0 does it, and whoever does not see what it made: a burst directory may be each node's.
    void make_directories() {
        std::exception_ptr fault;
        try {
            if (rank_ == 0) make_all();
        } catch (...) {
            fault = std::current_exception();
        }
        const bool all_well = agree(!fault);
        if (fault) std::rethrow_exception(fault);
        if (all_well && !fs::exists(directory_of(static_cast<int>(layout_.fields.size()) - 1))) make_all();
    }
    void make_all() {
        make_directory(path_);
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) make_directory(directory_of(f));
        unsynced_.add_entry_in(path_);
    }

    void write_shard(int field, std::int64_t frame, const Tiling &tiles, std::int64_t n, const Piece &piece) {
        const auto &f = layout_.fields[field].field;
        const auto box = tiles.box(n);
        if (meet(box, piece.box) != box)
            throw Error(
                fmt::format("field {}: piece {} cuts shard {}; this is a mistake in Squall, please report it",
                            f.name, text(piece.box), text(box)));
        auto index = tiles.index(n);
        if (f.type == Type::character && !index.empty()) index.pop_back();
        const auto name = chunk_name(f.per_frame, frame, index);
        NewFile file(directory_of(field) + "/" + name);
        made_.push_back({f.name + "/" + name, f.per_frame ? frame : 0});
        if (f.type == Type::character)
            write_texts(file, piece);
        else
            shards_[field].write(file, n, piece);
        unsynced_.add(std::move(file), frame);
        unsynced_.add_entry_in(directory_of(field));
    }

    static void write_texts(NewFile &file, const Piece &piece) {
        auto bytes = encode_texts(piece);
        std::vector<iovec> pieces{{bytes.data(), bytes.size()}};
        file.append(pieces);
        file.start_to_disk();
    }

    /// Whether all writers are well.
    bool agree(bool well) const {
        int mine = well, all = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, writers_, &request);
        Patience(watchdog, 0, world_rank_).wait(request, [this] {
            return "the other writers of stream " + layout_.spec.name + " to bring a frame to disk";
        });
        return all != 0;
    }

    /// The metadata of so many frames: the arrays first, the group, which says all at once, at the end.
    Replacement describe(std::int64_t frames) {
        Replacement texts;
        auto arrays = Json::object();
        const auto prepare = [&](const std::string &directory, const Json &document) {
            unsynced_.add(texts.prepare(directory + "/zarr.json", document.dump(2)), frames - 1);
        };
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) {
            const auto &field = layout_.fields[f].field;
            const auto &document = arrays[field.name] = array_document(layout_, f, grids_[f], frames);
            if (field.per_frame || !fixed_described_) prepare(directory_of(f), document);
        }
        prepare(path_, group_document(layout_, arrays));
        return texts;
    }

    void put_in_place(Replacement &description, std::int64_t frames) {
        described_.reset();
        description.commit();
        described_ = frames;
        fixed_described_ = true;
    }

    const Layout &layout_;
    std::string path_;
    MPI_Comm writers_;
    int rank_ = 0, world_rank_ = 0;
    std::int64_t revealed_ = 0; ///< frames that readers see
    Workspace workspace_;
    std::vector<Grid> grids_;
    std::vector<ShardWriter> shards_; ///< per field
    std::vector<Made> made_;
    Unsynced unsynced_;
    std::optional<std::int64_t> described_; ///< frames in all the metadata on disk
    bool fixed_described_ = false;          ///< whether the metadata of fields fixed in time is there
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, MPI_Comm writers) {
    return std::make_unique<ZarrWriter>(layout, path, writers);
}

} // namespace squall::io::zarr
