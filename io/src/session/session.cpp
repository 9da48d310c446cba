#include "session/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agree/alarm.hpp"
#include "placements/servers/client.hpp"
#include "placements/servers/server.hpp"

namespace squall::io {

SessionCore::SessionCore(MPI_Comm original, SessionSpec session) {
    spec = std::move(session);
    MPI_Comm_rank(original, &rank);
    patience = Patience(spec.watchdog, spec.timeout, rank);
    Alarm(patience).around("the other ranks to open the session", [&] {
        MPI_Comm_dup(original, &all);
        set_servers_aside(*this);
        meet_neighbours(*this);
        everybody = std::make_unique<StreamRanks>(comm, patience);
    });
    attach(*this);
    started = now();
}

SessionCore::~SessionCore() {
    streams.clear();
    some.clear();
    everybody.reset();
    if (comm != MPI_COMM_NULL && !servers_lost) MPI_Comm_free(&comm);
    if (!servers_lost) MPI_Comm_free(&all);
}

StreamRanks &SessionCore::members_of(MPI_Comm of) {
    if (everybody->are(of)) return *everybody;
    const auto known = std::ranges::find_if(some, [of](const auto &m) { return m->are(of); });
    if (known != some.end()) return **known;
    Alarm(patience).around("the other members to open a stream",
                           [&] { some.push_back(std::make_unique<StreamRanks>(of, patience)); });
    return *some.back();
}

void SessionCore::progress(OpenStream &own) {
    own.work();
    for (const auto &stream : streams) {
        if (stream.get() == &own) continue;
        try {
            stream->work();
        } catch (const Timeout &) {
            throw;
        } catch (const Error &) { // its own next begin or commit tells
        }
    }
}

void SessionCore::end(const OpenStream &stream) {
    records.push_back(record_of(stream));
    for (const auto &[path, openings] : stream.client_files) written.insert(path);
    if (stream.file && stream.in_file > 0) written.insert(stream.file->path);
    std::erase_if(streams, [&](const auto &s) { return s.get() == &stream; });
}

Session::Session(MPI_Comm comm, SessionSpec spec)
    : core_(std::make_shared<SessionCore>(comm, std::move(spec))) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

bool Session::computes() const { return !core_->server; }
MPI_Comm Session::comm() const { return core_->comm; }

void Session::serve() {
    if (computes()) throw Error("serve() was called on a computing rank; call it where computes() is false");
    run_server(*core_);
}

void Session::progress() {
    for (const auto &stream : core_->streams) {
        try {
            stream->work();
        } catch (const Timeout &) {
            throw;
        } catch (const Error &) { // the stream's next begin or commit tells
        }
    }
}

std::vector<StreamReport> Session::close() {
    if (core_->closed) throw Error("the session is already closed");
    core_->closed = true;
    settle(*core_);
    std::vector<StreamReport> report;
    Alarm(core_->patience).around("the other computing ranks to close the session", [&] {
        report = make_report(*core_);
    });
    say_goodbye(*core_);
    return report;
}

} // namespace squall::io
