#include "engines/sst/relay.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <sched.h>
#include <unistd.h>

#include "engines/sst/broadcast.hpp"
#include "engines/sst/sockets.hpp"
#include "engines/sst/wire.hpp"

namespace squall::io::sst {
namespace {

constexpr int well = 0, lost = 3;

/// What a process inherits from a rank of an MPI program it has no use for.
void leave_the_model_behind(int socket) {
    std::signal(SIGINT, SIG_IGN); // the model decides when to end
    // ADIOS2 complains of each consumer that goes without a word. Who asks it for its words may see them.
    if (!std::getenv("SstVerbose")) std::freopen("/dev/null", "w", stderr);
    for (const int fd : open_descriptors())
        if (fd > STDERR_FILENO && fd != socket) ::close(fd);
    cpu_set_t any; // not only where that rank computes
    CPU_ZERO(&any);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &any);
    static_cast<void>(::sched_setaffinity(0, sizeof any, &any)); // or stay there
}

class Relay {
  public:
    explicit Relay(int socket) : socket_(socket), listener_([this] { listen(); }) {}

    [[noreturn]] void work() {
        try {
            for (;;) handle(next());
        } catch (const std::exception &e) {
            send(socket_, {Word::failed, 0, adios::words(e)});
            withdraw();
            ::_exit(lost);
        }
    }

  private:
    Received next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !messages_.empty(); });
        auto message = std::move(messages_.front());
        messages_.pop_front();
        return message;
    }

    void handle(Received message) {
        if (message.word == Word::declaration) {
            const auto *bytes = reinterpret_cast<const std::uint8_t *>(message.memory.data());
            auto stream = std::make_unique<Broadcast>(from_bytes(bytes, message.memory.size()));
            {
                const std::lock_guard lock(mutex_);
                stream_ = std::move(stream);
            }
            stream_->open();
            send(socket_, {Word::opened});
        } else if (message.word == Word::fixed) {
            fixed_ = std::move(message.memory);
        } else if (message.word == Word::frame) {
            stream_->send(message.number, message.memory.data(), fixed_.data());
            send(socket_, {Word::taken, message.number});
        } else {
            stream_->close();
            withdraw();
            ::_exit(well);
        }
    }

    void withdraw() {
        const std::lock_guard lock(mutex_);
        if (stream_) stream_->withdraw();
    }

    /// Also while ADIOS2 waits for a consumer.
    void listen() {
        for (;;) {
            bool gone = false;
            auto message = receive(socket_, true, gone);
            if (gone) ::_exit(lost); // consumers notice that nobody has said goodbye
            if (!message) continue;
            const bool last = message->word == Word::bye;
            const std::chrono::milliseconds left(message->number);
            {
                const std::lock_guard lock(mutex_);
                messages_.push_back(std::move(*message));
            }
            changed_.notify_all();
            if (!last) continue;
            std::this_thread::sleep_for(left);
            withdraw();
            ::_exit(lost);
        }
    }

    int socket_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Received> messages_;
    std::unique_ptr<Broadcast> stream_;
    SharedBytes fixed_;
    std::jthread listener_; ///< as long as the process
};

} // namespace

void serve_consumers(int socket) {
    leave_the_model_behind(socket);
    Relay(socket).work();
}

} // namespace squall::io::sst
