#include "engines/sst/connection.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "common/clock.hpp"
#include "engines/sst/contact.hpp"
#include "engines/sst/sockets.hpp"

namespace squall::io::sst {
namespace fs = std::filesystem;
namespace {

using Seconds = std::chrono::duration<double>;
constexpr Seconds goodbye(2);
constexpr std::chrono::milliseconds nap(1);

/// ADIOS2 reads the address from a file.
class AddressFile {
  public:
    explicit AddressFile(const std::string &contact) {
        static std::atomic<int> number = 0;
        name_ = (fs::temp_directory_path() / fmt::format("squall-{}-{}", ::getpid(), number++)).string();
        put_contact(name_ + ending, contact);
    }
    ~AddressFile() {
        std::error_code ignored;
        fs::remove(name_ + ending, ignored);
    }
    AddressFile(const AddressFile &) = delete;
    AddressFile &operator=(const AddressFile &) = delete;
    const std::string &name() const { return name_; }

  private:
    std::string name_;
};

} // namespace

std::shared_ptr<Connection> Connection::begin(const std::string &contact) {
    const std::shared_ptr<Connection> one(new Connection(contact));
    std::thread([one] { one->open(); }).detach();
    return one;
}

void Connection::open() {
    auto state = State::failed;
    try {
        const AddressFile address(contact_);
        io_ = adios_.DeclareIO("squall");
        io_.SetEngine("SST");
        io_.SetParameters({{"OpenTimeoutSecs", "5"}});
        const auto others = open_descriptors();
        engine_ = io_.Open(address.name(), adios2::Mode::Read);
        send_at_once(others);
        state = State::open;
    } catch (const std::exception &) { // nobody is there; whoever waits says what that means
    }
    std::unique_lock lock(mutex_);
    state_ = state;
    changed_.notify_all();
    if (!left_ || state != State::open) return;
    lock.unlock(); // nobody wants it any more
    try {
        engine_.Close();
    } catch (const std::exception &) { // the other side has left, too
    }
}

Connection::State Connection::wait(double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Seconds(seconds), [this] { return state_ != State::opening; });
    return state_;
}

adios2::StepStatus Connection::next(double seconds) {
    // ADIOS2's own wait uses memory that it has freed where data and the end of the time come together.
    for (const double until = steady_now() + seconds;; std::this_thread::sleep_for(nap)) {
        const auto status = engine_.BeginStep(adios2::StepMode::Read, 0);
        in_step_ = status == adios2::StepStatus::OK;
        if (status != adios2::StepStatus::NotReady || steady_now() >= until) return status;
    }
}

void Connection::end_step() {
    if (!in_step_) return;
    in_step_ = false;
    engine_.EndStep();
}

void Connection::leave() {
    {
        const std::lock_guard lock(mutex_);
        left_ = true;
        if (state_ != State::open) return;
    }
    const auto self = shared_from_this();
    std::thread([self] {
        try {
            self->end_step();
            self->engine_.Close();
        } catch (const std::exception &) { // the other side is gone
        }
        const std::lock_guard lock(self->mutex_);
        self->closed_ = true;
        self->changed_.notify_all();
    }).detach();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, goodbye, [this] { return closed_; });
}

} // namespace squall::io::sst
