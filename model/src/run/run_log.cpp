#include "run/run_log.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace squall {
namespace {

/// Adds whole lines to a file, from any thread.
class Lines {
  public:
    Lines(std::string path, int rank)
        : path_(std::move(path)), speaker_(rank > 0 ? fmt::format("rank {}: ", rank) : "") {}
    ~Lines() {
        if (fd_ >= 0) ::close(fd_);
    }

    void add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            begun_ += text.substr(0, end);
            write();
            text.remove_prefix(end + 1);
        }
        begun_ += text;
    }

  private:
    void write() {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        const auto line = fmt::format("{:%Y-%m-%d %H:%M:%S}  {}{}\n", fmt::gmtime(now), speaker_, begun_);
        begun_.clear();
        if (fd_ < 0) fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        // At once, so that lines of several ranks do not mix.
        if (fd_ >= 0) static_cast<void>(!::write(fd_, line.data(), line.size()));
    }

    std::string path_, speaker_, begun_;
    std::mutex mutex_;
    int fd_ = -1;
};

/// Hands on to another buffer, if there is one, and to lines.
class Tee final : public std::streambuf {
  public:
    Tee(std::streambuf *screen, Lines &lines) : screen_(screen), lines_(lines) {}

  private:
    int_type overflow(int_type c) override {
        const char letter = traits_type::to_char_type(c);
        return xsputn(&letter, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(const char *text, std::streamsize n) override {
        lines_.add({text, static_cast<std::size_t>(n)});
        return screen_ ? screen_->sputn(text, n) : n;
    }
    int sync() override { return screen_ ? screen_->pubsync() : 0; }

    std::streambuf *screen_;
    Lines &lines_;
};

/// A stream of C that writes to the standard error and to lines; null where the system has no such streams.
std::FILE *tee_of_stderr(Lines &lines) {
#ifdef __GLIBC__
    cookie_io_functions_t functions{};
    functions.write = [](void *cookie, const char *text, std::size_t n) {
        static_cast<Lines *>(cookie)->add({text, n});
        return ::write(STDERR_FILENO, text, n);
    };
    std::FILE *file = ::fopencookie(&lines, "w", functions);
    if (file) std::setvbuf(file, nullptr, _IONBF, 0);
    return file;
#else
    static_cast<void>(lines);
    return nullptr;
#endif
}

} // namespace

struct RunLog::Impl {
    Impl(const std::string &directory, int rank)
        : lines(directory + "/run.log", rank), out(std::cout.rdbuf(), lines), err(std::cerr.rdbuf(), lines),
          alone(nullptr, lines), screen(std::cout.rdbuf()), only(&alone), usual_out(std::cout.rdbuf(&out)),
          usual_err(std::cerr.rdbuf(&err)), usual_stderr(stderr), c_err(tee_of_stderr(lines)) {
#ifdef __GLIBC__
        if (c_err) stderr = c_err;
#endif
    }
    ~Impl() {
        std::cout.rdbuf(usual_out);
        std::cerr.rdbuf(usual_err);
#ifdef __GLIBC__
        stderr = usual_stderr;
#endif
        if (c_err) std::fclose(c_err);
    }
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    Lines lines;
    Tee out, err, alone;
    std::ostream screen, only;
    std::streambuf *usual_out, *usual_err;
    std::FILE *usual_stderr, *c_err;
};

RunLog::RunLog(const std::string &directory, int rank) : impl_(new Impl(directory, rank)) {}
RunLog::~RunLog() = default;
std::ostream &RunLog::screen() { return impl_->screen; }
std::ostream &RunLog::only() { return impl_->only; }

} // namespace squall
