#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "common/lead_nowhere.hpp"
#include "engines/adios/adios.hpp"
#include "engines/adios/description.hpp"
#include "engines/adios/index.hpp"
#include "engines/adios/room.hpp"
#include "publish/kept_open.hpp"
#include "publish/publish.hpp"

namespace squall::io::adios {
namespace fs = std::filesystem;
namespace {

/// Bytes per writer that ADIOS2 gathers before they are written out, so that it never holds a frame.
constexpr std::int64_t gathered = 32 << 20;
/// What ADIOS2 asks the system for at a time to gather small fields in; for a larger one it asks for as much
/// as it has. Its own 128 MiB may be refused where that much is left for nobody, and it does not look at what
/// it got.
constexpr std::int64_t chunk = 128 << 10;
/// What a step may need beside its points, per writer.
constexpr std::uint64_t metadata_room = 64 << 10;

/// Who begins a node, and how many nodes there are. Together.
struct Nodes {
    int number = 1;
    bool first_of_node = true;

    Nodes() = default;
    explicit Nodes(const Seat &seat) {
        MPI_Comm node = MPI_COMM_NULL;
        int rank_in_node = 0;
        MPI_Comm_split_type(seat.comm, MPI_COMM_TYPE_SHARED, seat.writer, MPI_INFO_NULL, &node);
        MPI_Comm_rank(node, &rank_in_node);
        MPI_Comm_free(&node);
        first_of_node = rank_in_node == 0;
        number = first_of_node;
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, seat.comm);
    }
};

/// Keeps ADIOS2 from warning on std::cerr that a directory let go without closing it may be
/// corrupt: who lets go has said what went wrong, and cuts the index.
class Silence {
  public:
    Silence() : usual_(std::cerr.rdbuf(nullptr)) {}
    ~Silence() { std::cerr.rdbuf(usual_); }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

  private:
    std::streambuf *usual_;
};

void keep_for_ever(adios2::ADIOS adios) {
    static std::mutex mutex;
    static auto *all = new std::vector<adios2::ADIOS>; // never destroyed
    const std::lock_guard lock(mutex);
    all->push_back(std::move(adios));
}

/// ADIOS2's parameters for a stream.
adios2::Params parameters(const Layout &layout, int nodes) {
    const auto per_node = static_cast<int>(layout.number("aggregators_per_node", 2));
    return {{"AggregationType", "TwoLevelShm"},
            {"NumAggregators", std::to_string(nodes * per_node)},
            {"BufferChunkSize", std::to_string(chunk)},
            {"AsyncOpen", "false"},
            {"AsyncWrite", layout.option("async_write", "false") == "true" ? "Naive" : "Sync"},
            {"NodeLocal", layout.spec.burst_dir.empty() ? "false" : "true"}};
}

class AdiosWriter final : public Writer {
  public:
    AdiosWriter(const Layout &layout, std::string path, Seat seat)
        : layout_(layout), path_(std::move(path)), seat_(seat),
          async_(layout.option("async_write", "false") == "true") {}

    ~AdiosWriter() override { let_go(); }

    /// A burst directory may be each node's own.
    void prepare() override {
        std::error_code problem;
        if (seat_.leads() || !layout_.spec.burst_dir.empty()) fs::create_directory(path_, problem);
        if (problem) throw Error(fmt::format("creating the directory: {}", problem.message()));
        if (!seat_.leads()) return;
        guard("declaring", [&] { // once alone: in open() the others would wait for whoever fails
            adios2::ADIOS rehearsal;
            auto io = rehearsal.DeclareIO("squall");
            for (const auto &f : layout_.fields) define(f, io);
            define_attributes(layout_, io);
        });
    }

    void open() override {
        nodes_ = Nodes(seat_);
        together("creating the directory", [&] {
            adios_.emplace(seat_.comm);
            io_ = adios_->DeclareIO("squall");
            io_.SetEngine("BP5");
            io_.SetParameters(parameters(layout_, nodes_.number));
            for (const auto &f : layout_.fields) define(f, io_);
            if (seat_.leads()) define_attributes(layout_, io_);
            engine_ = io_.Open(path_, adios2::Mode::Write);
        });
        keep_open();
    }

    /// ADIOS2 leaves the others waiting when it cannot write.
    void begin(std::int64_t) override {
        std::int64_t bytes = 0;
        for (const auto &f : layout_.fields) bytes += f.bytes();
        require_room_for(static_cast<std::uint64_t>(bytes));
    }

    /// Once for all that is written out at a time.
    bool requires_room(int field) const override { return fills_up(field); }
    void require_room(int field) const override {
        if (!seat_.leads()) return;
        const auto bytes = (pending_ + share_of(field)) * seat_.writers;
        if (lacks_room(path_, static_cast<std::uint64_t>(bytes) + metadata_room) != 0)
            throw Error("no space for the next write; free space on the disk");
    }

    void write(int field, std::int64_t, const std::vector<Piece> &pieces, std::int64_t) override {
        if (broken_) return;
        std::exception_ptr fault; // the others write out together whatever happens here
        try {
            begin_step();
            for (const auto &piece : pieces) put(layout_.fields[field], piece);
        } catch (...) {
            fault = std::current_exception();
        }
        const bool full = fills_up(field);
        pending_ += share_of(field);
        if (full) write_out();
        if (fault) std::rethrow_exception(fault);
    }

    void flush() override {
        begin_step();
        write_out();
        together("ending the step", [&] {
            engine_.EndStep();
            in_step_ = false;
            if (async_) begin_step(); // this waits for what is being written
        });
        keep_open();
    }

    /// What was put into a step cannot be taken out of it.
    bool roll_back(std::int64_t) override {
        tidy_ = false;
        return false;
    }

    /// What the last flush left is complete. Closing would end a step that was begun, and only adds
    /// what nobody needs: so nobody closes after a failure, and if closing fails nothing is lost.
    void close(std::int64_t) override {
        if (tidy_ && !broken_) try {
                engine_.Close();
                closed_ = true;
            } catch (const std::exception &) {
                broken_ = true;
            }
        if (!closed_) bring_kept_to_disk(); // before letting go leads them nowhere, too
        let_go();
    }

    void describe(std::int64_t frames, const std::vector<std::string> &, bool closing) override {
        if (!closing) return;
        fs::remove(path_ + "/profiling.json");
        cut_index(path_, frames);
    }

    void make_durable() override {
        if (!lost_.empty()) throw Error(lost_);
        for (auto &[name, file] : kept_) file.bring_to_disk();
        if (nodes_.first_of_node || seat_.leads()) bring_others_to_disk();
    }

    /// On a burst directory of its own the first writer of each node makes up for its node.
    std::vector<std::string> made() const override {
        const bool here = fs::exists(path_ + "/md.idx");
        if (!seat_.leads() && (here || !nodes_.first_of_node)) return {};
        std::vector<std::string> files;
        for (const auto &entry : fs::directory_iterator(path_)) files.push_back(entry.path().filename());
        return files;
    }

  private:
    std::int64_t share_of(int field) const { return layout_.fields[field].bytes() / seat_.writers; }
    bool fills_up(int field) const { return pending_ + share_of(field) >= gathered; }

    void require_room_for(std::uint64_t bytes) const {
        if (!seat_.leads()) return;
        bytes += metadata_room * static_cast<std::uint64_t>(seat_.writers);
        if (const int cause = lacks_room(path_, bytes))
            throw Error(fmt::format("writing {} bytes: {}", bytes, std::strerror(cause)));
    }

    /// Runs what ADIOS2 does together; after a failure it can do nothing more.
    template <class F> void together(const std::string &doing, F f) {
        broken_ = true;
        guard(doing, f);
        broken_ = false;
    }

    void define(const FieldLayout &f, adios2::IO &io) const {
        with_element(f.field.type, [&](auto value) {
            using T = decltype(value);
            if (f.shape.empty()) {
                io.DefineVariable<T>(f.field.name);
                return;
            }
            const adios2::Dims zeros(f.shape.size(), 0);
            auto variable = io.DefineVariable<T>(f.field.name, dims(f.shape), zeros, zeros);
            if (layout_.codec.name != "none") variable.AddOperation("blosc", blosc(layout_.codec));
        });
    }

    void begin_step() {
        if (!in_step_) engine_.BeginStep();
        in_step_ = true;
    }

    void put(const FieldLayout &f, const Piece &piece) {
        if (volume(piece.box) == 0) return;
        guard("writing field " + f.field.name, [&] {
            const std::lock_guard lock(blosc_in_use());
            with_element(f.field.type, [&](auto value) {
                using T = decltype(value);
                auto variable = io_.InquireVariable<T>(f.field.name);
                if (!f.shape.empty()) variable.SetSelection({dims(piece.box.start), dims(piece.box.count)});
                engine_.Put(variable, static_cast<const T *>(piece.points), adios2::Mode::Sync);
            });
        });
    }

    /// Hands what was gathered on all writers to the operating system.
    void write_out() {
        together("writing", [&] { engine_.PerformDataWrite(); });
        pending_ = 0;
    }

    /// ADIOS2 writes once more when it goes without having been closed, and ends the process if it cannot;
    /// what has failed once it does not let go of at all.
    void let_go() {
        const Silence silence;
        if (adios_ && !closed_) lead_all_nowhere();
        engine_ = adios2::Engine();
        io_ = adios2::IO();
        if (broken_ && adios_) keep_for_ever(std::move(*adios_));
        adios_.reset();
    }

    void lead_all_nowhere() const {
        std::error_code none; // then nothing of it is open
        for (const auto &entry : fs::directory_iterator(path_, none)) lead_nowhere(entry.path());
    }

    /// ADIOS2 shows nobody what it has opened: it is looked for among all.
    void keep_open() {
        const auto directory = fs::canonical(path_);
        std::error_code none; // without /proc files are opened when they are brought to disk
        for (const auto &entry : fs::directory_iterator("/proc/self/fd", none)) {
            const auto file = fs::read_symlink(entry, none);
            if (!none && file.parent_path() == directory && !kept_.contains(file.filename()))
                kept_.emplace(file.filename(), KeptOpen(file));
        }
    }

    /// Remembers what is lost for make_durable().
    void bring_kept_to_disk() {
        try {
            for (auto &[name, file] : kept_) file.bring_to_disk();
        } catch (const std::exception &e) {
            lost_ = e.what();
        }
        kept_.clear();
    }

    /// Those that another writer has written, or that were changed after ADIOS2 had let go of them.
    void bring_others_to_disk() const {
        for (const auto &entry : fs::directory_iterator(path_))
            if (!kept_.contains(entry.path().filename())) bring_to_disk(entry.path());
        bring_to_disk(path_);
    }

    const Layout &layout_;
    std::string path_;
    Seat seat_;
    bool async_;
    Nodes nodes_;
    std::optional<adios2::ADIOS> adios_;
    adios2::IO io_;
    adios2::Engine engine_;
    std::map<std::string, KeptOpen> kept_; ///< files that ADIOS2 writes in this process
    std::string lost_;                     ///< what was said when bytes of them were lost
    std::int64_t pending_ = 0;             ///< bytes per writer since the last write_out()
    bool in_step_ = false;
    bool closed_ = false; ///< and ADIOS2 writes nothing any more
    bool tidy_ = true;    ///< no frame has failed on any writer
    bool broken_ = false; ///< ADIOS2 cannot be used any more
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<AdiosWriter>(layout, path, seat);
}

} // namespace squall::io::adios
