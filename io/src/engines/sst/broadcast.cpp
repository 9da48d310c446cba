#include "engines/sst/broadcast.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "common/copy.hpp"
#include "engines/sst/contact.hpp"
#include "engines/sst/sockets.hpp"

namespace squall::io::sst {
namespace fs = std::filesystem;
namespace {

/// Of ADIOS2's own contact file, which consumers are not meant to find.
std::string hidden_name(const std::string &path) {
    const fs::path p(path);
    return (p.parent_path() / fmt::format(".{}.{}", p.stem().string(), ::getpid())).string();
}

} // namespace

Broadcast::Broadcast(Declaration declaration)
    : declaration_(std::move(declaration)), own_(hidden_name(declaration_.path)) {
    // UCX reads memory of another process by messages that this one has to answer where the network has no
    // remote access of its own (TCP, shared memory), and ADIOS2 looks after them only if it is asked to.
    ::setenv("SST_UCX_PROGRESS_THREAD", "1", 0);
    io_ = adios_.DeclareIO("squall");
    io_.SetEngine("SST");
    io_.SetParameters(declaration_.parameters);
    for (const auto &f : declaration_.fields)
        with_element(f.type, [&](auto value) {
            using T = decltype(value);
            if (f.shape.empty()) {
                io_.DefineVariable<T>(f.name);
                return;
            }
            const auto shape = adios::dims(f.shape);
            auto variable = io_.DefineVariable<T>(f.name, shape, adios2::Dims(shape.size(), 0), shape);
            if (!declaration_.codec.empty()) variable.AddOperation("blosc", declaration_.codec);
        });
    for (const auto &name : {run_variable, frame_variable}) io_.DefineVariable<std::int64_t>(name);
    define(declaration_, io_);
}

Broadcast::~Broadcast() = default;

void Broadcast::open() {
    fs::create_directories(fs::absolute(declaration_.path).parent_path());
    announcer_ = std::jthread([this] { announce(); });
    engine_ = io_.Open(own_, adios2::Mode::Write);
    announcer_.join();
    if (!fault_.empty()) throw Error(fault_);
}

/// Puts ADIOS2's contact file, which comes while it may wait for the first consumer, where they look.
void Broadcast::announce() {
    const auto made = own_ + ending;
    while (!is_contact(contact_)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        contact_ = contact_at(made);
    }
    send_at_once(); // it listens, and nobody has come
    try {
        put_contact(declaration_.path, contact_);
        announced_ = true;
    } catch (const std::exception &e) {
        fault_ = e.what();
    }
    std::error_code ignored;
    fs::remove(made, ignored);
}

void Broadcast::withdraw() {
    if (announced_.exchange(false)) remove_contact(declaration_.path, contact_);
}

template <class T> void Broadcast::put(const std::string &name, const T *points) {
    engine_.Put(io_.InquireVariable<T>(name), points, adios2::Mode::Sync);
}

void Broadcast::send(std::int64_t number, const std::byte *frame, const std::byte *fixed) {
    // All attributes travel with a step when one of them is new.
    io_.DefineAttribute(frame_variable, number, "", "/", true);
    engine_.BeginStep();
    for (const auto &f : declaration_.fields) {
        const auto *points = (f.per_frame ? frame : fixed) + f.offset;
        with_element(f.type, [&](auto value) {
            using T = decltype(value);
            put(f.name, reinterpret_cast<const T *>(points));
        });
    }
    put(run_variable, &declaration_.run);
    put(frame_variable, &number);
    engine_.EndStep();
}

void Broadcast::close() { engine_.Close(); }

} // namespace squall::io::sst
