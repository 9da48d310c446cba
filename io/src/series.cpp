#include "series.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "publish.hpp"

namespace squall::io {

/// Adds the file to the words of a failure.
template <class F> void FileSeries::attempt(F f) {
    try {
        f();
    } catch (const std::exception &e) {
        throw Error(fmt::format("{}: {}", part_name(file_), e.what()));
    }
}

void FileSeries::begin_frame(const Time &time) {
    if (!writer_) create(time);
}

void FileSeries::create(const Time &time) {
    file_ = format_time(time, layout_.spec.path);
    frames_ = 0;
    if (published_.contains(file_))
        throw Error(
            fmt::format("{}: this stream has already written a file of this name; put more of the time into "
                        "the path, or more frames into a file",
                        file_));
    if (!layout_.spec.replace && std::filesystem::exists(file_))
        throw Error(
            fmt::format("{}: the file exists; move it away, choose another path, or allow replacing", file_));
    attempt([&] {
        make_directory_of(file_);
        try {
            writer_ = io::create(layout_, part_name(file_));
        } catch (...) {
            discard();
            throw;
        }
    });
}

void FileSeries::discard() {
    writer_.reset();
    std::error_code ignored; // the failure that led here is the one to report
    std::filesystem::remove(part_name(file_), ignored);
}

void FileSeries::write(int field, const Box &box, const void *points) {
    attempt([&] { writer_->write(field, frames_, box, points); });
}

void FileSeries::end_frame() {
    attempt([&] { writer_->flush(); });
    ++frames_;
    if (frames_ == layout_.spec.frames_per_file) close();
}

void FileSeries::close() {
    if (!writer_) return;
    const auto writer = std::move(writer_); // closed in any case
    attempt([&] {
        writer->close(frames_);
        publish(file_);
    });
    published_.insert(file_);
}

void FileSeries::drop_frame() {
    if (!writer_) return;
    if (frames_ > 0)
        close();
    else
        discard();
}

} // namespace squall::io
