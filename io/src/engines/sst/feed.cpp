#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/clock.hpp"
#include "common/copy.hpp"
#include "engines/adios/description.hpp"
#include "engines/sst/connection.hpp"
#include "engines/sst/contact.hpp"
#include "engines/sst/declaration.hpp"
#include "engines/sst/sst.hpp"
#include "read/feed.hpp"
#include "read/source_check.hpp"

namespace squall::io::sst {
namespace {

/// Seconds between two looks at whether the stream can be joined elsewhere by now.
constexpr double look_again = 0.1;
/// Seconds after which nobody takes the place of a relay that is gone.
constexpr double grace = 3;

/// The current step of a connection.
class FrameSource final : public Source {
  public:
    FrameSource(std::shared_ptr<Connection> connection, std::shared_ptr<const bool> current)
        : connection_(std::move(connection)), current_(std::move(current)) {
        adios::guard("the frame", [&] {
            adios::describe(connection_->io(), *this);
            const auto codec = connection_->io().InquireAttribute<std::string>(codec_attribute);
            compressed_ = codec && codec.Data().at(0) != "none";
        });
        frames = 1;
        check_source(*this);
    }

    void read(int field, std::int64_t, const Box &box, void *contiguous, Type memory) const override {
        if (!*current_) throw Error("the frame was released, or a later one has arrived");
        if (volume(box) == 0) return;
        const auto &f = fields[static_cast<std::size_t>(field)];
        adios::guard("receiving field " + f.name, [&] {
            std::unique_lock<std::mutex> lock;
            if (compressed_) lock = std::unique_lock(adios::blosc_in_use());
            with_element(f.type, [&](auto value) { read(f, box, contiguous, memory, std::vector{value}); });
        });
    }

  private:
    template <class T>
    void read(const Field &f, const Box &box, void *to, Type memory, std::vector<T> converted) const {
        auto variable = connection_->io().InquireVariable<T>(f.name);
        if (!variable) throw Error("it is not in the frame, although the frame declares it");
        const auto shape = variable.Shape();
        if (const auto fault = misfit(box, {shape.begin(), shape.end()}); !fault.empty()) throw Error(fault);
        if (!box.count.empty()) variable.SetSelection({adios::dims(box.start), adios::dims(box.count)});
        if (memory == f.type) {
            connection_->engine().Get(variable, static_cast<T *>(to), adios2::Mode::Sync);
            return;
        }
        converted.resize(static_cast<std::size_t>(volume(box)));
        connection_->engine().Get(variable, converted.data(), adios2::Mode::Sync);
        copy_points(box.count, converted.data(), f.type, {}, to, memory, {});
    }

    std::shared_ptr<Connection> connection_;
    std::shared_ptr<const bool> current_;
    bool compressed_ = false;
};

class SstFeed final : public Feed {
  public:
    explicit SstFeed(std::string where) : where_(std::move(where)) {}
    ~SstFeed() override { leave(); }

    Step next(double seconds) override {
        release();
        const double until = steady_now() + seconds;
        do {
            const double left = std::clamp(until - steady_now(), 0.0, look_again);
            if (is_over()) return Step::end;
            if (!seek(left)) continue;
            const auto status = step(left);
            if (status == adios2::StepStatus::OK && is_new()) return Step::frame;
            if (status == adios2::StepStatus::EndOfStream && !moved()) return Step::end;
            if (status == adios2::StepStatus::EndOfStream || status == adios2::StepStatus::OtherError)
                leave();
        } while (steady_now() < until);
        return Step::nothing;
    }

    std::unique_ptr<Source> frame() override {
        current_ = std::make_shared<bool>(true);
        return std::make_unique<FrameSource>(connection_, current_);
    }
    std::int64_t number() const override { return number_; }
    void release() override {
        *current_ = false;
        if (connection_ && std::exchange(in_step_, false)) try {
                connection_->end_step();
            } catch (const std::exception &) { // next() finds out what has become of the run
            }
    }
    const std::string &where() const override { return where_; }

  private:
    /// What there is to connect to now; "": nothing.
    std::string contact() const {
        if (is_contact(where_)) return where_;
        if (where_.starts_with("0x")) return "#ADIOS2-SST v0\n" + where_;
        const auto file = contact_file(where_);
        const auto text = file.empty() ? "" : contact_at(file);
        return is_contact(text) ? text : "";
    }

    /// Whether the stream can be joined at another address than this connection's.
    bool moved() const {
        const auto now = contact();
        return !now.empty() && now != connection_->contact();
    }

    /// Whether the stream came to its end while this consumer was about to join.
    bool is_over() const { return !connection_ && !tried_.empty() && contact().empty(); }

    void leave() {
        *current_ = false;
        in_step_ = false;
        if (connection_) {
            tried_ = connection_->contact();
            lost_since_ = steady_now();
            std::exchange(connection_, nullptr)->leave();
        }
    }

    /// Whether there is an open connection. Waits so long for one.
    bool seek(double seconds) {
        if (connection_ && looked_ + look_again < steady_now()) {
            looked_ = steady_now();
            if (moved()) leave();
        }
        if (!connection_) {
            const auto now = contact();
            if (now.empty() || now == tried_) {
                if (!tried_.empty() && steady_now() - lost_since_ > grace) lose();
                std::this_thread::sleep_for(std::chrono::duration<double>(std::min(seconds, look_again / 2)));
                return false;
            }
            connection_ = Connection::begin(now);
        }
        const auto state = connection_->wait(seconds);
        if (state == Connection::State::failed) leave();
        return state == Connection::State::open;
    }

    [[noreturn]] void lose() {
        tried_.clear(); // a later call may find it again
        throw Error(
            fmt::format("{}: {}; the run was killed, or the process that serves its consumers was", where_,
                        number_ < 0 ? "no process answers at that address" : "the connection was lost"));
    }

    adios2::StepStatus step(double seconds) {
        try {
            const auto status = connection_->next(seconds);
            in_step_ = status == adios2::StepStatus::OK;
            return status;
        } catch (const std::exception &) {
            return adios2::StepStatus::OtherError;
        }
    }

    std::int64_t number_of(const std::string &name) {
        const auto variable = connection_->io().InquireVariable<std::int64_t>(name);
        if (!variable)
            throw Error(fmt::format("{}: Squall did not send this stream: it lacks {}", where_, name));
        std::int64_t number = 0;
        connection_->engine().Get(variable, number, adios2::Mode::Sync);
        return number;
    }

    /// A relay may send again what the one before it could not tell any more that it had sent.
    bool is_new() {
        const auto run = number_of(run_variable), number = number_of(frame_variable);
        if (run == run_ && number <= number_) {
            release();
            return false;
        }
        run_ = run;
        number_ = number;
        tried_.clear();
        return true;
    }

    std::string where_;
    std::shared_ptr<Connection> connection_; ///< null: none
    std::shared_ptr<bool> current_ = std::make_shared<bool>(false);
    std::string tried_; ///< the address of the connection that was lost
    double lost_since_ = 0, looked_ = 0;
    bool in_step_ = false;
    std::int64_t run_ = 0, number_ = -1;
};

} // namespace

std::unique_ptr<Feed> subscribe(const std::string &where) { return std::make_unique<SstFeed>(where); }

} // namespace squall::io::sst
