#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/copy.hpp"
#include "common/document.hpp"
#include "declare/encode.hpp"
#include "declare/expand.hpp"
#include "engines/zarr/documents.hpp"
#include "engines/zarr/files.hpp"
#include "engines/zarr/shard.hpp"
#include "engines/zarr/shard_index.hpp"
#include "engines/zarr/store.hpp"
#include "engines/zarr/zarr.hpp"
#include "read/source_check.hpp"

namespace squall::io::zarr {
namespace {

/// The texts of a piece, each with its length.
Slice texts_of(const Piece &piece) {
    const auto length = static_cast<std::size_t>(piece.box.count.empty() ? 1 : piece.box.count.back());
    const auto number = static_cast<std::size_t>(volume(piece.box)) / length;
    Slice out;
    const auto add = [&](const void *from, std::size_t bytes) {
        const auto *p = static_cast<const std::byte *>(from);
        out.bytes.insert(out.bytes.end(), p, p + bytes);
    };
    for (std::size_t n = 0; n < number; ++n) {
        std::string_view text(static_cast<const char *>(piece.points) + n * length, length);
        text = text.substr(0, text.find_last_not_of('\0') + 1); // filled up again when it is read
        const auto size = static_cast<std::uint32_t>(text.size());
        add(&size, sizeof size);
        add(text.data(), text.size());
    }
    out.extents.resize(number);
    return out;
}

/// Appends the first bytes of a file to a new one.
void copy_first(std::uint64_t bytes, const std::string &path, NewFile &to) {
    constexpr std::uint64_t at_a_time = 1 << 20;
    if (bytes == 0) return;
    const StoredFile from(path);
    if (!from.exists()) throw Error(fmt::format("{} is gone, which has the frames before", path));
    for (std::uint64_t done = 0; done < bytes; done += at_a_time) {
        auto part = from.read({done, std::min(at_a_time, bytes - done)});
        std::vector<iovec> pieces{{part.data(), part.size()}};
        to.append(pieces);
    }
}

/// A chunk as `vlen-utf8`: how many texts, then these, those of frames to come empty; then crc32c.
Bytes text_chunk(const std::vector<Slice> &slices, std::int64_t frames) {
    const auto each = slices.front().extents.size();
    const auto number = static_cast<std::uint32_t>(each * static_cast<std::size_t>(frames));
    Bytes out(sizeof number);
    std::memcpy(out.data(), &number, sizeof number);
    for (const auto &slice : slices) out.insert(out.end(), slice.bytes.begin(), slice.bytes.end());
    out.resize(out.size() + (number - each * slices.size()) * sizeof(std::uint32_t)); // lengths of 0
    append_crc32c(out, 0);
    return out;
}

class ZarrWriter final : public Writer {
  public:
    ZarrWriter(const Layout &layout, std::string path, Seat seat)
        : layout_(layout), path_(std::move(path)), seat_(seat), leads_(seat.leads()), unsynced_(path_) {
        cut(grids_of(layout));
    }

    void open() override {
        if (!leads_) return;
        make_directory(path_);
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) make_directory(directory_of(f));
        unsynced_.add_entry_in(path_);
    }

    /// The shards that earlier runs have begun are gone on with as they are.
    void reopen(std::int64_t frames) override {
        try {
            take_up();
            gain_fields(frames);
        } catch (const std::exception &e) {
            unfit_ = e.what();
            throw;
        }
        begun_ = durable_ = reopened_at_ = frames;
    }

    void begin(std::int64_t frame) override {
        if (!unfit_.empty()) throw Error(unfit_);
        unsynced_.begin();
        begun_ = frame + 1;
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
        if (!unfit_.empty()) throw Error(unfit_);
        texts_.emplace();
        const auto prepare = [&](const std::string &directory, const std::string &text) {
            unsynced_.add(texts_->prepare(directory + "/zarr.json", text), frames - 1);
        };
        const auto &documents = this->documents();
        if (group_.empty() || closing || gains_)
            for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f)
                prepare(directory_of(f), documents.array(f, frames));
        next_group_ = documents.group(frames);
        prepare(path_, next_group_);
    }

    /// Shards of several frames take the place of what they were with fewer: what readers know of is in both.
    void make_durable() override {
        unsynced_.to_disk();
        durable_ = begun_;
        if (rewritten_.empty()) return;
        for (const auto &path : std::exchange(rewritten_, {})) {
            put_in_place(path);
            unsynced_.add_entry_in(path.substr(0, path.rfind('/')));
        }
        unsynced_.to_disk();
    }

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

    bool roll_back(std::int64_t frames) override {
        begun_ = frames;
        durable_ = std::min(durable_, frames);
        texts_.reset();
        unsynced_.forget_from(frames);
        for (const auto &path : std::exchange(rewritten_, {})) ::unlink((path + ".new").c_str());
        for (auto at = growing_.begin(); at != growing_.end();) {
            auto &[first, slices] = at->second;
            if (first + std::ssize(slices) > frames)
                slices.resize(static_cast<std::size_t>(std::max<std::int64_t>(frames - first, 0)));
            at = slices.empty() ? growing_.erase(at) : std::next(at);
        }
        std::erase_if(made_, [&](const Made &file) {
            if (file.frame < frames) return false;
            ::unlink((path_ + "/" + file.name).c_str()); // nobody was told of it
            return true;
        });
        return true;
    }

    /// What is fixed in time belongs to the first frame, unless none was begun.
    void close(std::int64_t frames) override {
        if (begun_ > 0) roll_back(frames);
    }

    void moved(const std::string &path) override {
        path_ = path;
        unsynced_.moved(path);
    }

    std::vector<std::string> made() const override {
        std::vector<std::string> names;
        for (const auto &file : made_) names.push_back(file.name);
        if (!leads_) return names;
        for (const auto &f : layout_.fields) names.push_back(f.field.name + "/zarr.json");
        names.emplace_back("zarr.json");
        return names;
    }

  private:
    void cut(std::vector<Grid> grids) {
        grids_ = std::move(grids);
        shards_.clear();
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f)
            shards_.emplace_back(grids_[f], layout_.codec, layout_.fields[f].field.type, workspace_);
    }

    struct Made {
        std::string name; ///< relative
        std::int64_t frame;
    };

    /// A shard of several frames, as far as it is there. Of texts it has the bytes, of numbers only the file.
    struct Growing {
        std::int64_t first = 0; ///< frame
        std::vector<Slice> slices;

        std::uint64_t bytes_in_file() const {
            std::uint64_t bytes = 0;
            for (const auto &slice : slices)
                if (slice.bytes.empty()) bytes += slice.size;
            return bytes;
        }
    };

    void take_up() {
        // What is written goes into the store: no directory in it may lead anywhere else.
        for (const auto &f : layout_.fields) confined(path_, f.field.name + "/zarr.json");
        group_ = text_of(confined(path_, "zarr.json"));
        earlier_ = zarr::open(path_);
        check_source(*earlier_);
        const auto arrays = consolidated(parse_document<Json>(group_, "zarr.json"));
        if (!arrays || !layout_.files_of_client()) return;
        cut(grids_in_store(layout_, *arrays));
        own_documents_.emplace(layout_, grids_);
    }

    bool was_there(const FieldLayout &f) const {
        return std::ranges::find(earlier_->fields, f.field.name, &Field::name) != earlier_->fields.end();
    }

    /// Nothing of a store is left out: in the frames that are there, what it gains has fill values.
    void gain_fields(std::int64_t frames) {
        unsynced_.begin();
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) {
            const auto &field = layout_.fields[f];
            if (was_there(field)) continue;
            gains_ = true;
            make_directory(directory_of(f));
            unsynced_.add_entry_in(path_);
            for (const auto &share : shares(layout_, f, seat_.writers))
                if (field.field.per_frame && share.writer == seat_.writer) fill(f, share.box, frames);
        }
    }

    void fill(int field, const Box &box, std::int64_t frames) {
        const auto &f = layout_.fields[field];
        const double value = fill_in_file(f.field);
        std::vector<std::byte> points(static_cast<std::size_t>(volume(box)) * size_of(f.field.type));
        if (f.field.type != Type::character) fill_points(points.data(), f.field.type, volume(box), value);
        for (std::int64_t frame = 0; frame < frames; ++frame)
            write(field, frame, {{.box = box, .points = points.data()}}, 0);
    }

    void take_back() const noexcept {
        if (group_.empty()) return; // nobody sees the store yet
        try {
            Replacement before;
            static_cast<void>(before.prepare(path_ + "/zarr.json", group_));
            before.commit();
        } catch (const std::exception &) { // the failure that led here is the one to report
        }
    }

    const Documents &documents() const {
        if (own_documents_) return *own_documents_;
        auto &kept = layout_.kept_by_engine;
        if (!kept) kept = std::make_shared<const Documents>(layout_, grids_);
        return *static_cast<const Documents *>(kept.get());
    }

    std::string directory_of(int field) const { return path_ + "/" + layout_.fields[field].field.name; }

    void write_shard(int field, std::int64_t frame, const Tiling &tiles, std::int64_t n, const Piece &piece) {
        const auto &f = layout_.fields[field].field;
        const auto box = tiles.box(n);
        if (meet(box, piece.box) != box)
            throw Error(
                fmt::format("field {}: piece {} cuts shard {}; this is a bug in Squall, please report it",
                            f.name, text(piece.box), text(box)));
        auto index = tiles.index(n);
        if (f.type == Type::character && !index.empty()) index.pop_back();
        const auto frames = grids_[field].frames;
        const auto name = chunk_name(f.per_frame, frame / frames, index);
        make_directory_here(field);
        if (frames > 1 || f.type == Type::character) return write_slice(field, frame, name, n, piece);
        NewFile file(directory_of(field) + "/" + name);
        made_.push_back({f.name + "/" + name, f.per_frame ? frame : 0});
        shards_[field].write(file, n, piece);
        unsynced_.add(std::move(file), frame);
        unsynced_.add_entry_in(directory_of(field));
    }

    /// Adds a frame to a shard of several, which is written anew: beside what it was, of which somebody may
    /// read the frames before, as this does. So none of them is kept in memory.
    void write_slice(int field, std::int64_t frame, const std::string &name, std::int64_t n,
                     const Piece &piece) {
        const auto &f = layout_.fields[field].field;
        const auto frames = grids_[field].frames;
        auto &shard = growing_[{field, n}];
        if (frame % frames == 0 || shard.slices.empty()) shard = begun_shard(field, frame, n, piece.box);
        if (piece.sum && f.type == Type::character)
            *piece.sum += checksum(piece.box, layout_.fields[field].shape, piece.points, f.type);
        shard.slices.push_back(f.type == Type::character ? texts_of(piece) : shards_[field].slice(n, piece));
        const auto path = directory_of(field) + "/" + name;
        const bool read = shard.first < durable_;
        const auto before = shard.bytes_in_file();
        const bool beside = frame > shard.first; // what was stored is there whenever the run ends
        NewFile file(beside ? path + ".new" : path);
        if (frame == shard.first) made_.push_back({f.name + "/" + name, f.per_frame ? frame : 0});
        if (beside) rewritten_.push_back(path);
        if (f.type == Type::character) {
            write_texts(file, text_chunk(shard.slices, frames));
        } else {
            copy_first(before, path, file);
            shards_[field].write(file, shard.slices, frames);
            for (auto &slice : shard.slices) slice.bytes = Bytes(); // gives its memory back
        }
        if (beside && !read) put_in_place(rewritten_.back()), rewritten_.pop_back();
        unsynced_.add(std::move(file), frame);
        unsynced_.add_entry_in(directory_of(field));
    }

    static void put_in_place(const std::string &path) {
        if (::rename((path + ".new").c_str(), path.c_str()) != 0) fail("renaming to", path);
    }

    /// A shard that begins with this frame, or with frames that an earlier run has put into it.
    Growing begun_shard(int field, std::int64_t frame, std::int64_t n, const Box &box) {
        const auto first = frame - frame % grids_[field].frames;
        if (first == frame || first >= reopened_at_) return {frame, {}};
        const auto &f = layout_.fields[field].field;
        const auto at = std::ranges::find(earlier_->fields, f.name, &Field::name) - earlier_->fields.begin();
        Growing shard{first, {}};
        std::vector<std::byte> points(static_cast<std::size_t>(volume(box)) * size_of(f.type));
        for (auto g = first; g < reopened_at_; ++g) {
            earlier_->read(static_cast<int>(at), g, box, points.data(), f.type);
            const Piece piece{box, points.data()};
            shard.slices.push_back(f.type == Type::character ? texts_of(piece)
                                                             : shards_[field].slice(n, piece));
        }
        return shard;
    }

    /// Writer 0 has made all directories, but a burst directory may be each node's own.
    void make_directory_here(int field) {
        if (leads_ || layout_.spec.burst_dir.empty() || ::access(directory_of(field).c_str(), F_OK) == 0)
            return;
        make_directory(path_);
        make_directory(directory_of(field));
        unsynced_.add_entry_in(path_);
    }

    static void write_texts(NewFile &file, Bytes bytes) {
        std::vector<iovec> pieces{{bytes.data(), bytes.size()}};
        file.append(pieces);
        file.start_to_disk();
    }

    const Layout &layout_;
    std::string path_;
    Seat seat_;
    bool leads_;
    Workspace workspace_;
    std::vector<Grid> grids_;                                 ///< per field
    std::vector<ShardWriter> shards_;                         ///< per field
    std::map<std::pair<int, std::int64_t>, Growing> growing_; ///< per field and shard, the last one
    std::unique_ptr<Source> earlier_; ///< the store as earlier runs have left it; null: there were none
    std::optional<Documents> own_documents_; ///< of a store that does not have the stream's grids
    bool gains_ = false;                     ///< fields that the store did not have
    std::string unfit_;                      ///< why that store is not gone on with
    std::int64_t reopened_at_ = 0;           ///< frames of it that stay
    std::int64_t begun_ = 0;                 ///< frames
    std::int64_t durable_ = 0;               ///< frames that are on disk, and may be shown
    std::vector<std::string> rewritten_;     ///< shards that wait beside what they were before
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
