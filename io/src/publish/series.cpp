#include "publish/series.hpp"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "declare/time.hpp"
#include "publish/publish.hpp"

namespace squall::io {
namespace fs = std::filesystem;

bool FileSeries::wants_fixed(std::int64_t number) const {
    return file_.empty() || number_of_file(number) != file_number_;
}

/// Whether a frame is the first of its file, so that nothing of that can have been stored by others.
bool FileSeries::begins_file(std::int64_t frame, std::int64_t in_file) const {
    const auto &spec = layout_.spec;
    if (client_file_) return in_file == 0;
    return frame == 0 || (spec.frames_per_file > 0 && !spec.append && frame % spec.frames_per_file == 0);
}

void FileSeries::see(const Time &time, std::int64_t number, const std::shared_ptr<const ClientFile> &file,
                     std::int64_t in_file) {
    client_file_ = file;
    const bool another = wants_fixed(number);
    names_.see(number_of_file(number), time, file ? file->path : "");
    if (successor_ && another && !begins_file(number, in_file)) names_.set_apart(time);
}

/// The final name of the current file in the directory in which it is written.
std::string FileSeries::workplace() const {
    const auto &burst = layout_.spec.burst_dir;
    return burst.empty() ? file_ : (fs::path(burst) / fs::absolute(file_).relative_path()).string();
}

/// Where the current file is.
std::string FileSeries::place() const { return shown_ ? file_ : part_name(workplace()); }

void FileSeries::begin(const Time &time, std::int64_t number, const std::vector<std::vector<Box>> &boxes) {
    fault_.clear();
    group_.trouble("");
    frame_ = format_time(time, "%Y-%m-%d_%H:%M:%S");
    under_way_ = true;
    written_ = false;
    if (wants_fixed(number)) open_file(time, number);
    last_ = !client_file_ && number_of_file(number + 1) != number_of_file(number);
    attempt(place(), [&] {
        if (writer_) writer_->begin(frames_);
    });
    if (!engine().together) return;
    weights_.clear();
    for (int f = 0; f < std::ssize(boxes); ++f) weights_.push_back(writer_->weight(f, boxes[f]));
    group_.largest(weights_);
}

void FileSeries::write(int field, const std::vector<Piece> &pieces) {
    written_ = true;
    if (!writer_) return;
    // After a fault nothing more is written, but a library that writes together must be called.
    static const std::vector<Piece> none;
    const auto &mine = fault_.empty() ? pieces : none;
    if (!fault_.empty() && !engine().together) return;
    if (reopened_ && !layout_.fields[field].field.per_frame && !gained_[field]) return; // it is there
    const auto weight = engine().together ? weights_[field] : 0;
    try {
        if (writer_->requires_room(field)) group_.attempt([&] { writer_->require_room(field); });
        const auto frame = layout_.fields[field].field.per_frame ? frames_ : 0;
        call("writing", [&] { writer_->write(field, frame, mine, weight); });
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        if (fault_.empty()) fault_ = e.what();
        group_.trouble(fault_);
    }
}

void FileSeries::end(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    attempt(place(), [&] {
        if (!fault_.empty()) throw Error(fault_);
    });
    attempt(place(), [&] { call("flushing", [&] { writer_->flush(); }); });
    // An index that is up to date lets `squall recover` save the frames of a file that was cut off.
    if (engine().grows || (engine().accounts && !last_)) describe(frames_ + 1, false);
    if (shows_frames())
        make_durable();
    else if (engine().grows)
        attempt_leading(place(), [&] { writer_->reveal(frames_ + 1); });
    attempt_leading(file_, [&] { manifest_.stored(file_, frames_, time, written_with_frame(), checksums); });
    const bool appears = shows_frames() && !shown_;
    if (shows_frames()) show();
    ++frames_;
    under_way_ = false;
    unannounced_.push_back(time);
    if (shows_frames()) announce_shown(appears);
    if (!last_) return;
    const bool shown = shown_;
    try {
        finish_file();
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        if (shown) throw Published(e.what());
        throw;
    }
}

/// Of the fields, those of the current frame, and with the first those that are fixed in time.
std::vector<bool> FileSeries::written_with_frame() const {
    std::vector<bool> written;
    for (std::size_t f = 0; f < layout_.fields.size(); ++f)
        written.push_back(layout_.fields[f].field.per_frame || frames_ == 0 ||
                          (frames_ == first_here_ && gained_[f]));
    return written;
}

/// Writer 0 writes down what is in the first `frames` frames.
void FileSeries::describe(std::int64_t frames, bool closing) {
    std::string account, fault;
    if (engine().accounts) {
        try {
            if (writer_) account = writer_->account(frames);
        } catch (const std::exception &e) {
            fault = e.what();
        }
        attempt(place(), [&] {
            if (!fault.empty()) throw Error(fault);
        });
    }
    const auto accounts = engine().accounts ? group_.gather_at_first(account) : std::vector<std::string>{};
    attempt_leading(place(), [&] { writer_->describe(frames, accounts, closing); });
}

void FileSeries::make_durable() {
    try {
        attempt(place(), [&] {
            if (writer_) writer_->make_durable();
        });
    } catch (const Timeout &) {
        throw;
    } catch (...) {
        untrusted_ = true;
        throw;
    }
}

/// Makes the current frame, which is on disk, visible; the first makes the file itself visible.
void FileSeries::show() {
    attempt_leading(place(), [&] { writer_->reveal(frames_ + 1); });
    if (shown_) return;
    attempt_leading(file_, [&] { publish(file_); });
    if (writer_) writer_->moved(file_);
    shown_ = true;
    names_.take(file_, file_number_);
}

void FileSeries::announce(const std::string &file, std::int64_t first, const std::vector<Time> &times) {
    put_on_record(file, [&] { manifest_.published(file, first, times); });
}

/// The current frame of a file that shows its frames; it may be what made the file appear.
void FileSeries::announce_shown(bool appeared) {
    const auto times = std::exchange(unannounced_, {});
    if (appeared) return announce(file_, frames_ - std::ssize(times), times);
    put_on_record(file_, [&] { manifest_.shown(file_, frames_ - 1, times.back()); });
}

void FileSeries::finish_file() {
    const auto file = file_, where = place();
    const auto frames = frames_;
    const bool shown = shown_;
    try {
        finish(file, where, frames, shown);
    } catch (const Timeout &) {
        throw;
    } catch (const Published &) { // all is well with the file, and it is closed
        throw;
    } catch (const std::exception &e) {
        writer_.reset(); // closed in any case
        file_.clear();
        if (shown) throw;
        if (untrusted_) give_up(where);
        throw Error(
            fmt::format("{}{}{}", e.what(),
                        frames > 1 ? fmt::format("; {} frames of the file are lost with it", frames) : "",
                        untrusted_ ? "; what is left of it is in " + untrusted_name(file) : ""));
    }
}

void FileSeries::finish(const std::string &file, const std::string &where, std::int64_t frames, bool shown) {
    if (engine().together) attempt(where, [&] { writer_->prepare_to_close(); });
    attempt(where, [&] { call("closing", [&] { writer_->close(frames); }); });
    describe(frames, true);
    make_durable();
    if (engine().grows) attempt_leading(where, [&] { writer_->reveal(frames); });
    const auto held = workplace();
    const auto times = std::exchange(unannounced_, {});
    const auto first = frames - std::ssize(times);
    const auto writer = std::move(writer_);
    file_.clear();
    if (aside_) return;
    names_.take(file, file_number_);
    if (!layout_.spec.burst_dir.empty()) {
        attempt_leading(held, [&] { manifest_.burst(file, part_name(held)); });
        departures_.push_back(
            {part_name(held), file, writer ? writer->made() : std::vector<std::string>{}, first, times});
        return;
    }
    if (!shown) {
        attempt_leading(file, [&] { publish(file); });
        announce(file, first, times);
        if (cut_) put_on_record(file, [&] { manifest_.cut(file, frames); });
    }
    attempt_leading(file, [&] { stored_bytes_ += size_on_disk(file); });
}

/// What failed to get to disk is kept from whoever would publish it: `squall recover` takes part files only.
void FileSeries::give_up(const std::string &part) {
    std::error_code ignored; // the failure that led here is the one to report
    if (group_.leads())
        fs::rename(part, untrusted_name(part.substr(0, part.size() - part_name("").size())), ignored);
}

void FileSeries::arrive(const Departure &departure) {
    attempt_leading(departure.file, [&] { publish(departure.file); });
    announce(departure.file, departure.first, departure.times);
    attempt_leading(departure.file, [&] { stored_bytes_ += size_on_disk(departure.file); });
    std::error_code ignored; // it is published; what stays behind in the burst directory is harmless
    for (const auto &part : departure.parts)
        fs::remove(part.empty() ? fs::path(departure.held) : fs::path(departure.held) / part, ignored);
    if (group_.leads()) fs::remove_all(departure.held, ignored);
}

void FileSeries::close() {
    if (!file_.empty()) finish_file();
}

void FileSeries::drop() {
    const bool touched = std::exchange(under_way_, false);
    if (file_.empty()) return;
    const bool goes_on = !touched || roll_back();
    const bool nothing_new = client_file_ && frames_ == first_here_;
    if (frames_ == 0 || nothing_new) return forget_file();
    // A program that is told may end: what is whole is published now.
    const bool continues = layout_.spec.on_error == "continue" && !(touched && last_);
    if (goes_on && ((engine().grows && !replaces_) || continues)) return;
    names_.end_early(file_number_);
    if (replaces_) return set_aside();
    finish_file();
}

/// Closes a file that is not whole, and so does not take the place of another.
void FileSeries::set_aside() {
    const auto file = file_, part = place();
    aside_ = true;
    finish_file();
    throw Error(fmt::format("{} was not to be replaced by less; they are in {}", file, part));
}

/// Whether the file can go on with another frame.
bool FileSeries::roll_back() {
    if (frames_ > 0 && !group_.any(written_)) return true;
    bool goes_on = true;
    try {
        if (writer_) goes_on = writer_->roll_back(frames_);
    } catch (const std::exception &) { // so does closing the file, which tells
        goes_on = false;
    }
    goes_on = !group_.any(!goes_on);
    if (goes_on) untrusted_ = false; // what did not get to disk is removed
    return goes_on;
}

/// No frame of the current file is whole, or none that it did not have before.
void FileSeries::forget_file() {
    const auto part = place();
    const bool published = shown_ && reopened_;
    writer_.reset();
    file_.clear();
    group_.agree("");        // all have let go of it
    std::error_code ignored; // the failure that led here is the one to report
    if (group_.leads() && !published) fs::remove_all(part, ignored);
}

} // namespace squall::io
