#include <algorithm>
#include <cstring>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "box.hpp"
#include "engines/zarr/documents.hpp"
#include "engines/zarr/files.hpp"
#include "engines/zarr/shard.hpp"
#include "engines/zarr/zarr.hpp"

namespace squall::io::zarr {
namespace {

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
    ZarrWriter(const Layout &layout, std::string path, Seat seat)
        : layout_(layout), path_(std::move(path)), leads_(seat.leads()) {
        for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
            grids_.push_back(grid_of(layout, f));
            shards_.emplace_back(grids_[f], layout.codec, layout.fields[f].field.type, workspace_);
        }
    }

    void open() override {
        if (!leads_) return;
        make_directory(path_);
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) make_directory(directory_of(f));
        unsynced_.add_entry_in(path_);
    }

    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces, std::int64_t) override {
        const auto tiles = grids_[field].shards();
        for (const auto &piece : pieces)
            for (const auto n : tiles.touched(piece.box)) write_shard(field, frame, tiles, n, piece);
    }

    void flush() override {} // the system has everything already

    /// The group's metadata say all at once, those of every array too; the arrays' own documents follow
    /// when the store is closed, for whoever opens an array by itself.
    void describe(std::int64_t frames, const std::vector<std::string> &, bool closing) override {
        texts_.emplace();
        auto arrays = Json::object();
        const auto prepare = [&](const std::string &directory, std::string text) {
            unsynced_.add(texts_->prepare(directory + "/zarr.json", text), frames - 1);
        };
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) {
            const auto &document = arrays[layout_.fields[f].field.name] =
                array_document(layout_, f, grids_[f], frames);
            if (group_.empty() || closing) prepare(directory_of(f), document.dump(2));
        }
        next_group_ = group_document(layout_, arrays).dump(2);
        prepare(path_, next_group_);
    }

    void make_durable() override { unsynced_.to_disk(); }

    void reveal(std::int64_t) override {
        try {
            texts_->commit();
        } catch (...) { // what is reported as lost must not be seen
            take_back();
            throw;
        }
        texts_.reset();
        group_ = std::move(next_group_);
    }

    void roll_back(std::int64_t frames) override {
        texts_.reset();
        unsynced_.forget_from(frames);
        std::erase_if(made_, [&](const Made &file) {
            if (file.frame < frames) return false;
            ::unlink((path_ + "/" + file.name).c_str()); // nobody was told of it
            return true;
        });
    }

    void close(std::int64_t frames) override { roll_back(frames); }

    void moved(const std::string &path) override { path_ = path; }

    std::vector<std::string> made() const override {
        std::vector<std::string> names;
        for (const auto &file : made_) names.push_back(file.name);
        if (!leads_) return names;
        for (const auto &f : layout_.fields) names.push_back(f.field.name + "/zarr.json");
        names.emplace_back("zarr.json");
        return names;
    }

  private:
    struct Made {
        std::string name; ///< relative
        std::int64_t frame;
    };

    void take_back() const noexcept {
        if (group_.empty()) return; // nobody sees the store yet
        try {
            Replacement before;
            static_cast<void>(before.prepare(path_ + "/zarr.json", group_));
            before.commit();
        } catch (const std::exception &) { // the failure that led here is the one to report
        }
    }

    std::string directory_of(int field) const { return path_ + "/" + layout_.fields[field].field.name; }

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
        make_directory_here(field);
        NewFile file(directory_of(field) + "/" + name);
        made_.push_back({f.name + "/" + name, f.per_frame ? frame : 0});
        if (f.type == Type::character)
            write_texts(file, piece);
        else
            shards_[field].write(file, n, piece);
        unsynced_.add(std::move(file), frame);
        unsynced_.add_entry_in(directory_of(field));
    }

    /// Writer 0 has made all directories, but a burst directory may be each node's own.
    void make_directory_here(int field) {
        if (leads_ || layout_.spec.burst_dir.empty() || ::access(directory_of(field).c_str(), F_OK) == 0)
            return;
        make_directory(path_);
        make_directory(directory_of(field));
        unsynced_.add_entry_in(path_);
    }

    static void write_texts(NewFile &file, const Piece &piece) {
        auto bytes = encode_texts(piece);
        std::vector<iovec> pieces{{bytes.data(), bytes.size()}};
        file.append(pieces);
        file.start_to_disk();
    }

    const Layout &layout_;
    std::string path_;
    bool leads_;
    Workspace workspace_;
    std::vector<Grid> grids_;
    std::vector<ShardWriter> shards_; ///< per field
    std::vector<Made> made_;
    Unsynced unsynced_;
    std::optional<Replacement> texts_; ///< metadata that were not revealed yet
    std::string group_, next_group_;   ///< the group's document that readers see, and the one to come
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<ZarrWriter>(layout, path, seat);
}

} // namespace squall::io::zarr
