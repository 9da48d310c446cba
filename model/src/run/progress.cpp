#include "run/progress.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "run/text.hpp"

namespace squall {
namespace {

constexpr double redraw_interval = 0.2; ///< on a terminal [s]
constexpr double plain_interval = 10;   ///< elsewhere [s]
constexpr char clear_line[] = "\r\x1b[K";

} // namespace

bool on_terminal() {
    const char *told = std::getenv("SQUALL_TERMINAL");
    return told ? std::string_view(told) == "1" : isatty(STDOUT_FILENO) != 0;
}

double Progress::steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::ostream &out, bool terminal, double from, double to, Clock clock)
    : out_(out), terminal_(terminal), from_(from), to_(to), clock_(std::move(clock)), began_(clock_()),
      written_(began_), time_(from) {}

bool Progress::due(double now) const {
    if (terminal_) return !drawn_ || now - written_ >= redraw_interval;
    const int tenths = static_cast<int>(10 * (time_ - from_) / (to_ - from_));
    return tenths > tenths_written_ || now - written_ >= plain_interval;
}

std::string Progress::line(double now, const std::string &state) const {
    const double done = (time_ - from_) / (to_ - from_), wall = std::max(now - began_, 1e-6);
    return fmt::format("{}  {:.0f} %  {:.3g} steps/s  {} left  {}", format_duration(time_), 100 * done,
                       static_cast<double>(steps_) / wall, format_duration(wall * (1 - done) / done), state);
}

void Progress::step(double model_time, const Health &health, double length) {
    step(model_time, [&] {
        return fmt::format("{}Courant {:.2f}  max |w| {:.2g} m/s",
                           length > 0 ? fmt::format("step {:.4g} s  ", length) : "", health.courant(),
                           health.w.value);
    });
}

void Progress::step(double model_time, const std::function<std::string()> &state) {
    time_ = model_time;
    ++steps_;
    const double now = clock_();
    if (!due(now)) return;
    if (terminal_)
        out_ << clear_line << line(now, state()) << std::flush;
    else
        out_ << line(now, state()) << std::endl;
    drawn_ = true;
    written_ = now;
    tenths_written_ = static_cast<int>(10 * (time_ - from_) / (to_ - from_));
}

void Progress::clear() {
    if (terminal_ && drawn_) out_ << clear_line << std::flush;
    drawn_ = false;
}

void Progress::finish() {
    clear();
    const double wall = std::max(clock_() - began_, 1e-6);
    out_ << fmt::format("{} steps to {} in {}, {:.3g} steps/s", steps_, format_duration(time_),
                        format_duration(wall), static_cast<double>(steps_) / wall)
         << std::endl;
}

} // namespace squall
