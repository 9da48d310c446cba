/// Chunks that are compressed by whoever holds them whole, before a writer has them.

#include "engines/zarr/shard.hpp"
#include "engines/zarr/zarr.hpp"

namespace squall::io::zarr {
namespace {

class ChunkEncoder final : public Encoder {
  public:
    explicit ChunkEncoder(const Layout &layout) : grids_(grids_of(layout)) {
        for (std::size_t f = 0; f < grids_.size(); ++f) {
            const auto type = layout.fields[f].field.type;
            shards_.emplace_back(grids_[f], layout.codec, type, workspace_);
            cut_.push_back(type != Type::character && !grids_[f].shape.empty());
        }
    }

    /// Shards are multiples of chunks: these lie as if there were no shards.
    std::vector<Box> whole_in(int field, const Box &box) const override {
        const auto &[shape, shard, chunk, frames] = grids_[static_cast<std::size_t>(field)];
        if (!cut_[static_cast<std::size_t>(field)]) return {};
        auto inner = box;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const auto end = box.start[d] + box.count[d];
            inner.start[d] = (box.start[d] + chunk[d] - 1) / chunk[d] * chunk[d];
            inner.count[d] = (end == shape[d] ? end : end / chunk[d] * chunk[d]) - inner.start[d];
            if (inner.count[d] <= 0) return {};
        }
        const Tiling tiles{inner.count, chunk};
        std::vector<Box> chunks(static_cast<std::size_t>(tiles.size()));
        for (std::size_t n = 0; n < chunks.size(); ++n) {
            chunks[n] = tiles.box(static_cast<std::int64_t>(n));
            for (std::size_t d = 0; d < shape.size(); ++d) chunks[n].start[d] += inner.start[d];
        }
        return chunks;
    }

    void encode(int field, const Box &chunk, const void *points, Bytes &to) override {
        shards_[static_cast<std::size_t>(field)].append({chunk, points}, to);
    }

  private:
    Workspace workspace_;
    std::vector<Grid> grids_;         ///< per field
    std::vector<ShardWriter> shards_; ///< per field
    std::vector<bool> cut_;           ///< per field
};

} // namespace

std::unique_ptr<Encoder> encoder(const Layout &layout) {
    return layout.codec.name == "none" ? nullptr : std::make_unique<ChunkEncoder>(layout);
}

} // namespace squall::io::zarr
