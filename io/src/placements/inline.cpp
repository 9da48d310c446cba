#include "placements/inline.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "box.hpp"
#include "copy.hpp"
#include "placements/manifest.hpp"
#include "series.hpp"

namespace squall::io {
namespace {

MPI_Datatype mpi_type_of(Type type) {
    switch (type) {
    case Type::f32:
        return MPI_FLOAT;
    case Type::f64:
        return MPI_DOUBLE;
    case Type::i32:
        return MPI_INT32_T;
    case Type::character:
        break;
    }
    return MPI_CHAR;
}

/// A committed MPI type for a box within an array of some shape.
class BoxType {
  public:
    BoxType(const Box &box, const std::vector<std::int64_t> &shape, Type element) {
        if (shape.empty()) {
            MPI_Type_contiguous(1, mpi_type_of(element), &type_);
        } else {
            const std::vector<int> full(shape.begin(), shape.end()),
                count(box.count.begin(), box.count.end()), start(box.start.begin(), box.start.end());
            MPI_Type_create_subarray(static_cast<int>(full.size()), full.data(), count.data(), start.data(),
                                     MPI_ORDER_C, mpi_type_of(element), &type_);
        }
        MPI_Type_commit(&type_);
    }
    ~BoxType() { MPI_Type_free(&type_); }
    BoxType(const BoxType &) = delete;
    BoxType &operator=(const BoxType &) = delete;
    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class Inline final : public Placement {
  public:
    Inline(const Layout &layout, MPI_Comm comm) : layout_(layout), comm_(comm), series_(layout) {
        MPI_Comm_rank(comm, &rank_);
        for (const auto &d : layout.spec.dimensions)
            if (d.size > std::numeric_limits<int>::max())
                throw Error(fmt::format("stream {}: dimension {} of {} is too long for placement inline",
                                        layout.spec.name, d.name, d.size));
    }

    void commit(const Time &time, const Stage &fixed, const Stage &frame) override {
        const bool with_fixed = tell(series_.at_new_file());
        auto frame_manifest = gather_manifest(layout_, frame, comm_);
        Manifest fixed_manifest;
        if (with_fixed) fixed_manifest = gather_manifest(layout_, fixed, comm_);
        agree(describe(time, faults(fixed_manifest, frame_manifest, with_fixed)), comm_);

        std::string fault;
        on_root(fault, [&] { series_.begin_frame(time); });
        if (with_fixed) store(fixed, fixed_manifest, false, fault);
        store(frame, frame_manifest, true, fault);
        on_root(fault, [&] { series_.end_frame(); });
        if (!fault.empty()) drop(fault);
        agree(describe(time, fault), comm_);
    }

    void close() override {
        std::string fault;
        on_root(fault, [&] { series_.close(); });
        agree(fault.empty() ? "" : fmt::format("stream {}: {}", layout_.spec.name, fault), comm_);
    }

    void close_alone() override {
        if (rank_ == 0) series_.close();
    }

  private:
    /// Rank 0's answer on all ranks.
    bool tell(bool answer) const {
        int value = answer;
        MPI_Bcast(&value, 1, MPI_INT, 0, comm_);
        return value != 0;
    }

    /// Runs f on rank 0 unless something has gone wrong before; keeps what goes wrong.
    template <class F> void on_root(std::string &fault, F f) const {
        if (rank_ != 0 || !fault.empty()) return;
        try {
            f();
        } catch (const std::exception &e) {
            fault = e.what();
        }
    }

    std::string faults(Manifest &fixed, Manifest &frame, bool with_fixed) const {
        if (rank_ != 0) return "";
        if (fixed.fault.empty() && frame.fault.empty()) { // else the holes are a consequence
            check_tiling(frame, layout_, true);
            if (with_fixed) check_tiling(fixed, layout_, false);
        }
        std::string all = fixed.fault + frame.fault;
        if (!all.empty()) all.pop_back(); // the last line end
        return all;
    }

    std::string describe(const Time &time, const std::string &fault) const {
        if (fault.empty()) return "";
        return fmt::format("stream {}, frame {}: {}", layout_.spec.name,
                           format_time(time, "%Y-%m-%d_%H:%M:%S"), fault);
    }

    void drop(std::string &fault) {
        fault += " (rank 0 writes; frames published before are whole, this one is lost)";
        try {
            series_.drop_frame();
        } catch (const std::exception &e) {
            fault += fmt::format("; nor could the frames before it be published: {}", e.what());
        }
    }

    /// Takes the fields that are (or are not) per frame to rank 0, one after the other. After a
    /// fault the boxes still travel, so that nobody waits, and are dropped.
    void store(const Stage &stage, const Manifest &manifest, bool per_frame, std::string &fault) {
        for (int f = 0; f < static_cast<int>(layout_.fields.size()); ++f) {
            if (layout_.fields[f].field.per_frame != per_frame) continue;
            if (rank_ == 0)
                assemble(f, stage, manifest.pieces[f], fault);
            else
                send(f, stage);
        }
    }

    void send(int field, const Stage &stage) const {
        const Type element = layout_.fields[field].field.type;
        for (const auto &block : stage.blocks()) {
            if (block.field != field || block.bytes.empty()) continue;
            const BoxType type({std::vector<std::int64_t>(block.box.count.size(), 0), block.box.count},
                               block.box.count, element);
            MPI_Send(block.bytes.data(), 1, type, 0, field, comm_);
        }
    }

    void assemble(int field, const Stage &stage, const std::vector<Piece> &pieces, std::string &fault) {
        const auto &f = layout_.fields[field];
        const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
        const auto mine = std::ranges::find(stage.blocks(), field, &Block::field);
        if (mine != stage.blocks().end() && mine->box == whole) // nothing to assemble
            return on_root(fault, [&] { series_.write(field, whole, mine->bytes.data()); });
        whole_.resize(static_cast<std::size_t>(f.points) * size_of(f.field.type));
        for (const auto &block : stage.blocks())
            if (block.field == field) insert(block, f);
        for (const auto &piece : pieces) {
            if (piece.rank == 0 || volume(piece.box) == 0) continue;
            const BoxType type(piece.box, f.shape, f.field.type);
            MPI_Recv(whole_.data(), 1, type, piece.rank, field, comm_, MPI_STATUS_IGNORE);
        }
        on_root(fault, [&] { series_.write(field, whole, whole_.data()); });
    }

    void insert(const Block &block, const FieldLayout &f) {
        const auto strides = contiguous(f.shape);
        std::ptrdiff_t offset = 0;
        for (std::size_t d = 0; d < strides.size(); ++d) offset += strides[d] * block.box.start[d];
        copy_points(block.box.count, block.bytes.data(), f.field.type, {},
                    whole_.data() + offset * static_cast<std::ptrdiff_t>(size_of(f.field.type)), f.field.type,
                    strides);
    }

    const Layout &layout_;
    MPI_Comm comm_;
    int rank_ = 0;
    FileSeries series_;            ///< used on rank 0
    std::vector<std::byte> whole_; ///< one field, on rank 0
};

} // namespace

std::unique_ptr<Placement> place_inline(const Layout &layout, MPI_Comm comm) {
    return std::make_unique<Inline>(layout, comm);
}

} // namespace squall::io
