/// Calls the writers of an engine as the core does (series.cpp), but agrees on nothing: what fails on a
/// rank is thrown there, after the others have done their part.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/writer.hpp"

namespace squall::io::test {

class Direct {
  public:
    Direct(const Layout &layout, const std::string &path, MPI_Comm comm = MPI_COMM_WORLD)
        : engine_(*layout.engine), comm_(comm) {
        seat_.comm = comm;
        MPI_Comm_rank(comm, &seat_.writer);
        MPI_Comm_size(comm, &seat_.writers);
        writer_ = engine_.create(layout, path, seat_);
        together([&] { writer_->prepare(); });
        step([&] { writer_->open(); });
        done();
    }

    /// Throws on all if any refuses the frame; then nobody writes anything of it.
    void begin(std::int64_t frame) {
        refused_ = frame;
        together([&] { writer_->begin(frame); });
        refused_ = -1;
    }
    void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) {
        if (frame == begun_) begin(begun_++);
        if (frame == refused_) return;
        std::int64_t largest = 0;
        if (engine_.together) {
            std::vector<Box> boxes;
            for (const auto &piece : pieces) boxes.push_back(piece.box);
            const auto mine = writer_->weight(field, boxes);
            MPI_Allreduce(&mine, &largest, 1, MPI_INT64_T, MPI_MAX, comm_);
        }
        if (writer_->requires_room(field)) together([&] { writer_->require_room(field); });
        writer_->write(field, frame, pieces, largest);
    }
    void flush() {
        step([&] { writer_->flush(); });
        done();
    }
    /// Shows so many frames, as far as the engine can.
    void reveal(std::int64_t frames) {
        describe(frames, false);
        step([&] { writer_->make_durable(); });
        step([&] {
            if (seat_.leads()) writer_->reveal(frames);
        });
        done();
    }
    void roll_back(std::int64_t frames) { writer_->roll_back(frames); }
    void close(std::int64_t frames) {
        step([&] { writer_->close(frames); });
        describe(frames, true);
        step([&] { writer_->make_durable(); });
        step([&] {
            if (seat_.leads() && engine_.grows) writer_->reveal(frames);
        });
        done();
    }
    void moved(const std::string &path) { writer_->moved(path); }
    std::vector<std::string> made() const { return writer_->made(); }

  private:
    /// Throws on all what f throws on the lowest.
    template <class F> void together(F f) {
        std::string fault;
        try {
            f();
        } catch (const std::exception &e) {
            fault = e.what();
        }
        int mine = fault.empty() ? seat_.writers : seat_.writer, first = 0;
        MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm_);
        if (first == seat_.writers) return;
        int size = static_cast<int>(fault.size());
        MPI_Bcast(&size, 1, MPI_INT, first, comm_);
        fault.resize(static_cast<std::size_t>(size));
        MPI_Bcast(fault.data(), size, MPI_CHAR, first, comm_);
        throw Error(fault);
    }
    template <class F> void step(F f) {
        try {
            f();
        } catch (...) {
            if (!fault_) fault_ = std::current_exception();
        }
        MPI_Barrier(comm_);
    }
    void describe(std::int64_t frames, bool closing) {
        std::string account;
        step([&] { account = writer_->account(frames); });
        std::vector<int> sizes(seat_.writers);
        const int mine = static_cast<int>(account.size());
        MPI_Allgather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_);
        std::vector<std::string> accounts;
        for (int w = 0; w < seat_.writers; ++w) {
            auto text = account;
            text.resize(static_cast<std::size_t>(sizes[w]));
            MPI_Bcast(text.data(), sizes[w], MPI_CHAR, w, comm_);
            accounts.push_back(std::move(text));
        }
        step([&] {
            if (seat_.leads()) writer_->describe(frames, accounts, closing);
        });
    }
    void done() {
        if (const auto fault = std::exchange(fault_, nullptr)) std::rethrow_exception(fault);
    }

    const Engine &engine_;
    MPI_Comm comm_;
    Seat seat_;
    std::int64_t begun_ = 0, refused_ = -1;
    std::unique_ptr<Writer> writer_;
    std::exception_ptr fault_;
};

} // namespace squall::io::test
