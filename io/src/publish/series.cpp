#include "publish/series.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "declare/time.hpp"
#include "publish/cause.hpp"
#include "publish/publish.hpp"

namespace squall::io {
namespace fs = std::filesystem;

/// Runs f on all writers; adds the file to the words of a failure. Where a library fails on several, who
/// knows why speaks.
template <class F> void FileSeries::attempt(const std::string &file, F f) {
    const auto named = [&] {
        try {
            f();
        } catch (const Timeout &) {
            throw;
        } catch (const std::exception &e) {
            throw Error(fmt::format("{}: {}", file, e.what()));
        }
    };
    crew_.attempt(named, names_cause);
}

template <class F> void FileSeries::attempt_leading(const std::string &file, F f) {
    attempt(file, [&] {
        if (crew_.leads()) f();
    });
}

/// What is there for all to see already goes on record.
template <class F> void FileSeries::put_on_record(const std::string &file, F f) {
    try {
        attempt_leading(file, f);
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        throw Published(e.what());
    }
}

/// A call of the writer in which its library may wait for the others.
template <class F> void FileSeries::call(const char *doing, F f) {
    if (!writer_) return;
    const auto named = [&] { naming_cause(place(), f); };
    if (!engine().together) return named();
    alarm_.around(fmt::format("the other writers of stream {}, frame {}, {} {}", layout_.spec.name, frame_,
                              doing, place()),
                  named);
}

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

void FileSeries::begin(const Time &time, std::int64_t number) {
    fault_.clear();
    crew_.trouble("");
    frame_ = format_time(time, "%Y-%m-%d_%H:%M:%S");
    under_way_ = true;
    written_ = false;
    if (wants_fixed(number)) open_file(time, number);
    last_ = !client_file_ && number_of_file(number + 1) != number_of_file(number);
    attempt(place(), [&] {
        if (writer_) writer_->begin(frames_);
    });
}

/// Publishes the file of earlier frames and begins another.
void FileSeries::open_file(const Time &time, std::int64_t number) {
    close();
    file_number_ = number_of_file(number);
    frames_ = 0;
    unannounced_.clear();
    shown_ = untrusted_ = cut_ = reopened_ = false;
    const auto name = names_.name();
    const auto earlier = earlier_file(name, time);
    begun_ = true;
    attempt_leading(name, [&] { refuse_name(name, earlier.has_value()); });
    file_ = name; // from here on what lies at its part name is this writer's
    if (earlier) return reopen(*earlier, number);
    prepare();
    make_writer();
    attempt(place(), [&] {
        if (writer_) writer_->prepare();
    });
    attempt(place(), [&] { call("creating", [&] { writer_->open(); }); });
}

/// Throws Error if the file of this name must not be written.
void FileSeries::refuse_name(const std::string &name, bool goes_on) {
    if (const auto fault = names_.fault(); !fault.empty()) throw Error(fault);
    if (!goes_on && !layout_.spec.replace && fs::exists(name))
        throw Error("the file exists; move it away, choose another path, or allow replacing");
}

void FileSeries::make_writer() {
    const bool alone = engine().distribution == Distribution::to_first;
    const auto *layout = &layout_;
    if (client_file_ && !client_file_->attributes.empty()) {
        file_layout_ = std::make_unique<Layout>(layout_);
        auto &all = file_layout_->spec.attributes;
        all.insert(all.end(), client_file_->attributes.begin(), client_file_->attributes.end());
        layout = file_layout_.get();
    }
    if (!alone || crew_.leads())
        writer_ = engine().create(*layout, place(),
                                  alone ? Seat{} : Seat{crew_.rank(), crew_.size(), crew_.comm()});
}

/// Where the first file of this run goes on, if it is one of an earlier run, to be appended to.
std::optional<Continuation> FileSeries::earlier_file(const std::string &name, const Time &time) {
    if (!layout_.spec.append || begun_) return std::nullopt;
    std::optional<Continuation> found;
    attempt_leading(name, [&] { found = continuation(layout_, name, time); });
    if (!crew_.any(found.has_value())) return std::nullopt;
    const auto here = found.value_or(Continuation{});
    return Continuation{crew_.largest(here.frames), crew_.largest(here.there)};
}

/// Takes up a file of an earlier run. One that shows its frames is gone on with as it is; any other is
/// copied, so that what was published stays whole until the longer one takes its place.
void FileSeries::reopen(const Continuation &earlier, std::int64_t number) {
    reopened_ = true;
    frames_ = earlier.frames;
    cut_ = frames_ < earlier.there;
    earlier_ = frames_ - number;
    file_number_ = number_of_file(number);
    names_.renumber(file_number_);
    shown_ = shows_frames();
    attempt_leading(place(), [&] {
        if (shown_) return;
        make_directory_of(workplace());
        fs::remove_all(part_name(workplace()));
        fs::copy(file_, part_name(workplace()), fs::copy_options::recursive);
    });
    make_writer();
    attempt(place(), [&] {
        if (writer_) writer_->reopen(frames_);
    });
    if (cut_ && shown_) cut_what_readers_see();
}

/// Frames that are made anew are hidden before they are written over.
void FileSeries::cut_what_readers_see() {
    describe(frames_, true);
    make_durable();
    attempt_leading(place(), [&] { writer_->reveal(frames_); });
    put_on_record(file_, [&] { manifest_.cut(file_, frames_); });
}

void FileSeries::prepare() {
    attempt(place(), [&] {
        make_directory_of(workplace()); // a burst directory may be each node's own
        if (crew_.leads()) make_directory_of(file_);
        if (crew_.leads() && fs::exists(fs::symlink_status(place()))) fs::remove_all(place());
    });
}

void FileSeries::write(int field, const std::vector<Piece> &pieces) {
    written_ = true;
    if (!writer_) return;
    // After a fault nothing more is written, but a library that writes together must be called.
    static const std::vector<Piece> none;
    const auto &mine = fault_.empty() ? pieces : none;
    if (!fault_.empty() && !engine().together) return;
    if (reopened_ && !layout_.fields[field].field.per_frame) return; // it is there
    const auto weight = engine().together ? crew_.largest(writer_->weight(field, mine)) : 0;
    try {
        const auto frame = layout_.fields[field].field.per_frame ? frames_ : 0;
        call("writing", [&] { writer_->write(field, frame, mine, weight); });
    } catch (const Timeout &) {
        throw;
    } catch (const std::exception &e) {
        if (fault_.empty()) fault_ = e.what();
        crew_.trouble(fault_);
    }
}

void FileSeries::end(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    attempt(place(), [&] {
        if (!fault_.empty()) throw Error(fault_);
    });
    attempt(place(), [&] { call("flushing", [&] { writer_->flush(); }); });
    // An index that is up to date lets `squall recover` save the frames of a file that was cut off.
    if (shows_frames() || (engine().accounts && !last_)) describe(frames_ + 1, false);
    if (shows_frames()) make_durable();
    attempt_leading(file_, [&] { manifest_.stored(file_, frames_, time, frames_ == 0, checksums); });
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
    const auto accounts = engine().accounts ? crew_.gather_at_first(account) : std::vector<std::string>{};
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
    if (crew_.leads())
        fs::rename(part, untrusted_name(part.substr(0, part.size() - part_name("").size())), ignored);
}

void FileSeries::arrive(const Departure &departure) {
    attempt_leading(departure.file, [&] { publish(departure.file); });
    announce(departure.file, departure.first, departure.times);
    attempt_leading(departure.file, [&] { stored_bytes_ += size_on_disk(departure.file); });
    std::error_code ignored; // it is published; what stays behind in the burst directory is harmless
    for (const auto &part : departure.parts)
        fs::remove(part.empty() ? fs::path(departure.held) : fs::path(departure.held) / part, ignored);
    if (crew_.leads()) fs::remove_all(departure.held, ignored);
}

void FileSeries::close() {
    if (!file_.empty()) finish_file();
}

void FileSeries::drop() {
    const bool touched = std::exchange(under_way_, false);
    if (file_.empty()) return;
    const bool goes_on = !touched || roll_back();
    if (frames_ == 0) return forget_file();
    // A program that is told may end: what is whole is published now.
    const bool continues = layout_.spec.on_error == "continue" && !(touched && last_);
    if (goes_on && (engine().grows || continues)) return;
    names_.end_early(file_number_);
    finish_file();
}

/// Whether the file can go on with another frame.
bool FileSeries::roll_back() {
    if (frames_ > 0 && !crew_.any(written_)) return true;
    bool goes_on = true;
    try {
        if (writer_) goes_on = writer_->roll_back(frames_);
    } catch (const std::exception &) { // so does closing the file, which tells
        goes_on = false;
    }
    goes_on = !crew_.any(!goes_on);
    if (goes_on) untrusted_ = false; // what did not get to disk is removed
    return goes_on;
}

/// No frame of the current file is whole.
void FileSeries::forget_file() {
    const auto part = place();
    writer_.reset();
    file_.clear();
    crew_.agree("");         // all have let go of it
    std::error_code ignored; // the failure that led here is the one to report
    if (crew_.leads()) fs::remove_all(part, ignored);
}

} // namespace squall::io
