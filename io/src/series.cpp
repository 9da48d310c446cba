#include "series.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "publish.hpp"

namespace squall::io {
namespace fs = std::filesystem;

/// Runs f on all writers; adds the file to the words of a failure.
template <class F> void FileSeries::attempt(const std::string &file, F f) {
    crew_.attempt([&] {
        try {
            f();
        } catch (const std::exception &e) {
            throw Error(fmt::format("{}: {}", file, e.what()));
        }
    });
}

template <class F> void FileSeries::attempt_leading(const std::string &file, F f) {
    attempt(file, [&] {
        if (crew_.leads()) f();
    });
}

/// The final name of the current file in the directory in which it is written.
std::string FileSeries::workplace() const {
    const auto &burst = layout_.spec.burst_dir;
    return burst.empty() ? file_ : (fs::path(burst) / fs::absolute(file_).relative_path()).string();
}

void FileSeries::begin_frame(const Time &time, std::int64_t number) {
    fault_.clear();
    last_ = layout_.file_number(number + 1) != layout_.file_number(number);
    if (!begins_file(number)) return;
    close();
    file_number_ = layout_.file_number(number);
    file_ = format_time(time, layout_.spec.path);
    frames_ = 0;
    revealed_ = false;
    const auto part = part_name(workplace());
    prepare();
    attempt(part, [&] {
        if (writes())
            writer_ = layout_.engine->create(
                layout_, part, layout_.engine->holding == Holding::first ? MPI_COMM_SELF : crew_.comm());
    });
}

void FileSeries::prepare() {
    attempt_leading(file_, [&] {
        if (published_.contains(file_))
            throw Error("this stream has already written a file of this name; put more of the time into "
                        "the path, or more frames into a file");
        if (!layout_.spec.replace && fs::exists(file_))
            throw Error("the file exists; move it away, choose another path, or allow replacing");
    });
    attempt(part_name(workplace()), [&] {
        make_directory_of(workplace()); // a burst directory may be each node's own
        if (crew_.leads()) make_directory_of(file_);
        if (crew_.leads() && fs::exists(part_name(workplace()))) fs::remove_all(part_name(workplace()));
    });
}

void FileSeries::write(int field, const std::vector<Piece> &pieces) {
    if (!writer_) return;
    try {
        // After a fault nothing more is written, but an engine that writes together must be called.
        static const std::vector<Piece> none;
        writer_->write(field, layout_.fields[field].field.per_frame ? frames_ : 0,
                       fault_.empty() ? pieces : none);
    } catch (const std::exception &e) {
        if (fault_.empty()) fault_ = e.what();
    }
}

void FileSeries::end_frame(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    attempt(part_name(workplace()), [&] {
        if (!fault_.empty()) throw Error(fault_);
    });
    attempt(part_name(workplace()), [&] {
        if (writer_) writer_->flush();
    });
    attempt_leading(file_, [&] { manifest_.stored(file_, frames_, time, frames_ == 0, checksums); });
    ++frames_;
    if (layout_.engine->grows && layout_.spec.burst_dir.empty()) reveal();
    if (last_) finish_file();
}

/// Frames of an engine that grows are visible at once; the first makes the file itself visible.
void FileSeries::reveal() {
    attempt(revealed_ ? file_ : part_name(file_), [&] { writer_->reveal(frames_); });
    if (revealed_) return;
    attempt_leading(file_, [&] {
        publish(file_);
        manifest_.published(file_);
    });
    writer_->moved(file_);
    revealed_ = true;
}

void FileSeries::finish_file() {
    const auto writer = std::move(writer_); // closed in any case
    const auto file = file_, place = workplace();
    const bool revealed = revealed_;
    file_.clear();
    attempt(revealed ? file : part_name(place), [&] {
        if (writer) writer->close(frames_);
    });
    published_.insert(file);
    if (!layout_.spec.burst_dir.empty()) {
        attempt_leading(place, [&] { manifest_.burst(file, part_name(place)); });
        departures_.push_back({part_name(place), file, writer ? writer->made() : std::vector<std::string>{}});
        return;
    }
    attempt_leading(file, [&] {
        if (!revealed) {
            publish(file);
            manifest_.published(file);
        }
        stored_bytes_ += size_on_disk(file);
    });
}

void FileSeries::arrive(const Departure &departure) {
    attempt_leading(departure.file, [&] {
        publish(departure.file);
        manifest_.published(departure.file);
        stored_bytes_ += size_on_disk(departure.file);
    });
    std::error_code ignored; // it is published; what stays behind in the burst directory is harmless
    for (const auto &part : departure.parts)
        fs::remove(part.empty() ? fs::path(departure.held) : fs::path(departure.held) / part, ignored);
    if (crew_.leads()) fs::remove_all(departure.held, ignored);
}

void FileSeries::close() {
    if (!file_.empty()) finish_file();
}

void FileSeries::drop_frame() {
    if (file_.empty()) return;
    if (frames_ > 0) return finish_file();
    const auto part = part_name(workplace());
    writer_.reset();
    file_.clear();
    crew_.agree("");         // all have let go of it
    std::error_code ignored; // the failure that led here is the one to report
    if (crew_.leads()) fs::remove_all(part, ignored);
}

} // namespace squall::io
