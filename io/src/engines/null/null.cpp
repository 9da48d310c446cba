/// The engine `null`: stores nothing, to measure everything but the storing. It leaves an empty
/// file where a frame would be. With the options `bandwidth` [bytes/s, for all writers together] and
/// `latency` [s per frame] it takes the time that storage of this speed would take.

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "publish/kept_open.hpp"
#include "publish/writer.hpp"

namespace squall::io {
namespace {

using Seconds = std::chrono::duration<double>;

class NullWriter final : public Writer {
  public:
    NullWriter(const Layout &layout, std::string path, Seat seat)
        : layout_(layout), path_(std::move(path)), leads_(seat.leads()),
          bandwidth_(layout.number("bandwidth", 0) / seat.writers), latency_(layout.number("latency", 0)) {}

    void open() override {
        if (leads_) static_cast<void>(write_new(path_, ""));
    }
    void write(int field, std::int64_t, const std::vector<Piece> &pieces, std::int64_t) override {
        if (bandwidth_ <= 0) return;
        const auto element = static_cast<double>(size_of(layout_.fields[field].field.type));
        for (const auto &p : pieces) pause(element * static_cast<double>(volume(p.box)) / bandwidth_);
    }
    void flush() override { pause(latency_); }
    void make_durable() override {}
    void close(std::int64_t) override {}
    std::vector<std::string> made() const override {
        return leads_ ? std::vector<std::string>{""} : std::vector<std::string>{};
    }

  private:
    /// Sleeps what is due since the last call; short debts add up, so that they are not rounded up.
    void pause(double seconds) {
        owed_ += seconds;
        if (owed_ < 1e-3) return;
        const auto start = std::chrono::steady_clock::now();
        std::this_thread::sleep_for(Seconds(owed_));
        owed_ -= Seconds(std::chrono::steady_clock::now() - start).count();
    }

    const Layout &layout_;
    std::string path_;
    bool leads_;
    double bandwidth_ = 0, latency_ = 0, owed_ = 0;
};

std::unique_ptr<Writer> create(const Layout &layout, const std::string &path, Seat seat) {
    return std::make_unique<NullWriter>(layout, path, seat);
}

} // namespace

extern const Engine null_engine;
const Engine null_engine = {
    .name = "null",
    .makes = "no files; optionally simulates the time to write them",
    .codecs = {"none"},
    .options = {{"bandwidth", OptionInfo::Kind::size, "", "bytes/s",
                 "simulated bandwidth of all writers together; default: unlimited"},
                {"latency", OptionInfo::Kind::number, "0", "s", "simulated latency of every frame"}},
    .distribution = Distribution::as_it_lies,
    .create = create};

} // namespace squall::io
