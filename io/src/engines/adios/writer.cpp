#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "box.hpp"
#include "engines/adios/adios.hpp"
#include "engines/adios/description.hpp"
#include "engines/adios/index.hpp"
#include "engines/adios/room.hpp"
#include "publish.hpp"

namespace squall::io::adios {
namespace fs = std::filesystem;
namespace {

/// Bytes per writer that ADIOS2 gathers before they are written out, so that it never holds a frame.
constexpr std::int64_t gathered = 32 << 20;
/// What a step may need beside its points, per writer.
constexpr std::uint64_t metadata_room = 64 << 10;

/// Where a writer runs.
struct Place {
    int rank = 0, writers = 1, nodes = 1;
    bool first_of_node = true;

    explicit Place(MPI_Comm comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &writers);
        MPI_Comm node = MPI_COMM_NULL;
        int rank_in_node = 0;
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
        MPI_Comm_rank(node, &rank_in_node);
        MPI_Comm_free(&node);
        first_of_node = rank_in_node == 0;
        nodes = first_of_node;
        MPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, comm);
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

/// ADIOS2's parameters for a stream.
adios2::Params parameters(const Layout &layout, int nodes) {
    const auto per_node = static_cast<int>(layout.number("aggregators_per_node", 2));
    return {{"AggregationType", "TwoLevelShm"},
            {"NumAggregators", std::to_string(nodes * per_node)},
            {"AsyncOpen", "false"},
            {"AsyncWrite", layout.option("async_write", "false") == "true" ? "Naive" : "Sync"},
            {"NodeLocal", layout.spec.burst_dir.empty() ? "false" : "true"}};
}

/// Blosc2 with byte shuffle. Level 1 of zstd and 5 of lz4 are where more level buys little.
adios2::Params blosc(const Codec &codec) {
    const int level = codec.level > 0 ? codec.level : codec.name == "zstd" ? 1 : 5;
    return {{"compressor", codec.name}, {"clevel", std::to_string(level)}, {"doshuffle", "BLOSC_SHUFFLE"}};
}

class AdiosWriter final : public Writer {
  public:
    AdiosWriter(const Layout &layout, std::string path, MPI_Comm writers)
        : layout_(layout), path_(std::move(path)), writers_(writers), place_(writers),
          async_(layout.option("async_write", "false") == "true") {
        make_directory();
        guard("creating the directory", [&] {
            adios_.emplace(writers);
            io_ = adios_->DeclareIO("squall");
            io_.SetEngine("BP5");
            io_.SetParameters(parameters(layout, place_.nodes));
            for (const auto &f : layout.fields) define(f);
            fail_together(attempt_first([&] { define_attributes(layout, io_); }));
            engine_ = io_.Open(path_, adios2::Mode::Write);
        });
    }

    ~AdiosWriter() override { let_go(); }

    void write(int field, std::int64_t, const std::vector<Piece> &pieces) override {
        if (broken_) return;
        std::exception_ptr fault; // the others write out together whatever happens here
        try {
            begin_step();
            for (const auto &piece : pieces) put(layout_.fields[field], piece);
        } catch (...) {
            fault = std::current_exception();
        }
        untidy_ = true;
        pending_ += layout_.fields[field].bytes() / place_.writers;
        if (pending_ >= gathered) write_out();
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
        untidy_ = false;
        if (subfile_of_.empty()) learn_subfiles();
    }

    void close(std::int64_t frames) override {
        int tidy = !broken_ && !untidy_;
        MPI_Allreduce(MPI_IN_PLACE, &tidy, 1, MPI_INT, MPI_MIN, writers_);
        // What the last flush left is complete. Closing would end a step that was begun, and only
        // adds what nobody needs: so if it fails, for want of room perhaps, nothing is lost.
        if (tidy) try {
                engine_.Close();
            } catch (const std::exception &) {
            }
        let_go();
        MPI_Barrier(writers_);
        const auto fault = attempt_first([&] {
            fs::remove(path_ + "/profiling.json");
            cut_index(path_, frames);
        });
        if (place_.first_of_node) bring_all_to_disk();
        fail_together(fault);
    }

    std::vector<std::string> made() const override {
        std::vector<std::string> files;
        if (place_.rank == 0) files = {"md.0", "md.idx", "mmd.0"};
        // A data file belongs to the first of those who write into it; they all run on its node.
        const auto mine = subfile_of_.empty() ? -1 : subfile_of_[place_.rank];
        if (mine >= 0 && std::ranges::find(subfile_of_, mine) - subfile_of_.begin() == place_.rank)
            files.push_back(fmt::format("data.{}", mine));
        return files;
    }

  private:
    /// Runs f on writer 0 and returns on all writers what went wrong there, or "".
    template <class F> std::string attempt_first(F f) {
        std::string fault;
        if (place_.rank == 0) try {
                f();
            } catch (const std::exception &e) {
                fault = e.what();
            }
        auto length = static_cast<int>(fault.size());
        MPI_Bcast(&length, 1, MPI_INT, 0, writers_);
        fault.resize(length);
        MPI_Bcast(fault.data(), length, MPI_CHAR, 0, writers_);
        return fault;
    }

    static void fail_together(const std::string &fault) {
        if (!fault.empty()) throw Error(fault);
    }

    /// Runs what ADIOS2 does together; after a failure it can do nothing more.
    template <class F> void together(const std::string &doing, F f) {
        broken_ = true;
        guard(doing, f);
        broken_ = false;
    }

    /// ADIOS2 would leave the others waiting if it could not.
    void make_directory() {
        std::error_code problem;
        const bool own = place_.rank == 0 || (place_.first_of_node && !layout_.spec.burst_dir.empty());
        if (own) fs::create_directory(path_, problem);
        int cause = problem.value();
        MPI_Allreduce(MPI_IN_PLACE, &cause, 1, MPI_INT, MPI_MAX, writers_);
        if (cause != 0) throw Error(fmt::format("creating the directory: {}", std::strerror(cause)));
    }

    void define(const FieldLayout &f) {
        with_type(f.field.type, [&](auto value) {
            using T = decltype(value);
            if (f.shape.empty()) {
                io_.DefineVariable<T>(f.field.name);
                return;
            }
            const adios2::Dims zeros(f.shape.size(), 0);
            auto variable = io_.DefineVariable<T>(f.field.name, dims(f.shape), zeros, zeros);
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
            with_type(f.field.type, [&](auto value) {
                using T = decltype(value);
                auto variable = io_.InquireVariable<T>(f.field.name);
                if (!f.shape.empty()) variable.SetSelection({dims(piece.box.start), dims(piece.box.count)});
                engine_.Put(variable, static_cast<const T *>(piece.points), adios2::Mode::Sync);
            });
        });
    }

    /// Hands what was gathered on all writers to the operating system.
    void write_out() {
        std::uint64_t bytes = engine_.DebugGetDataBufferSize() + metadata_room;
        MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, writers_);
        together("writing", [&] {
            fail_together(attempt_first([&] {
                if (const int cause = lacks_room(path_, bytes))
                    throw Error(fmt::format("writing {} bytes: {}", bytes, std::strerror(cause)));
            }));
            engine_.PerformDataWrite();
        });
        pending_ = 0;
    }

    void learn_subfiles() {
        subfile_of_.assign(place_.writers, 0);
        fail_together(attempt_first([&] { subfile_of_ = read_index(path_).subfile_of; }));
        MPI_Bcast(subfile_of_.data(), place_.writers, MPI_INT, 0, writers_);
    }

    void let_go() {
        const Silence silence;
        engine_ = adios2::Engine();
        io_ = adios2::IO();
        adios_.reset();
    }

    void bring_all_to_disk() const {
        for (const auto &entry : fs::directory_iterator(path_)) bring_to_disk(entry.path());
        bring_to_disk(path_);
    }

    const Layout &layout_;
    std::string path_;
    MPI_Comm writers_;
    Place place_;
    bool async_;
    std::optional<adios2::ADIOS> adios_;
    adios2::IO io_;
    adios2::Engine engine_;
    std::int64_t pending_ = 0; ///< bytes per writer since the last write_out()
    bool in_step_ = false;
    bool untidy_ = false;         ///< a step is begun and has points
    bool broken_ = false;         ///< ADIOS2 cannot be used any more
    std::vector<int> subfile_of_; ///< per writer; known after the first flush
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, MPI_Comm writers) {
    return std::make_unique<AdiosWriter>(layout, path, writers);
}

} // namespace squall::io::adios
