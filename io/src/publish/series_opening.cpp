/// How a series begins a file: a new one, or in one that was published before.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "declare/expand.hpp"
#include "publish/publish.hpp"
#include "publish/series.hpp"

namespace squall::io {
namespace fs = std::filesystem;

/// Publishes the file of earlier frames and begins another.
void FileSeries::open_file(const Time &time, std::int64_t number) {
    close();
    file_number_ = number_of_file(number);
    frames_ = 0;
    unannounced_.clear();
    shown_ = untrusted_ = cut_ = reopened_ = replaces_ = aside_ = false;
    first_here_ = 0;
    gained_.assign(layout_.fields.size(), false);
    avoid_what_others_left(time);
    const auto name = names_.name();
    const auto earlier = earlier_file(name, time);
    begun_ = true;
    attempt_leading(name, [&] { refuse_name(name, earlier.has_value()); });
    replaces_ = opened_to_replace() && group_.any(group_.leads() && fs::exists(fs::symlink_status(name)));
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
    if (!goes_on && !layout_.spec.replace && !opened_to_replace() && fs::exists(name))
        throw Error("the file exists; move it away, choose another path, or allow replacing");
}

void FileSeries::make_writer(const Continuation &earlier) {
    const bool alone = engine().distribution == Distribution::to_first;
    if (!alone || group_.leads())
        writer_ = engine().create(layout_of_file(earlier), place(),
                                  alone ? Seat{} : Seat{group_.rank(), group_.size(), group_.comm()});
}

/// That of the stream, or one with what a file of the client's has beside it.
const Layout &FileSeries::layout_of_file(const Continuation &earlier) {
    if (!client_file_) return layout_;
    const auto &given = client_file_->attributes;
    if (given.empty() && earlier.attributes.empty() && earlier.filled.empty()) return layout_;
    file_layout_ = std::make_unique<Layout>(layout_);
    file_layout_->kept_by_engine.reset(); // which is the stream's
    auto &all = file_layout_->spec.attributes;
    all.insert(all.end(), given.begin(), given.end());
    for (const auto &a : earlier.attributes)
        if (std::ranges::find(given, a.name, &Attribute::name) == given.end()) all.push_back(a);
    for (const auto &name : earlier.filled) {
        auto &field = file_layout_->fields[static_cast<std::size_t>(layout_.find(name))].field;
        field.attributes.push_back(fill_attribute(field));
    }
    return *file_layout_;
}

bool FileSeries::opened_to_replace() const {
    return client_file_ && client_file_->opening == ClientFile::Opening::replace;
}

/// Whether the file goes on in one of its name, if there is one. What this stream has lost as a whole it does
/// not look for in a file of an earlier run.
bool FileSeries::may_go_on() const {
    if (!client_file_) return layout_.spec.append && !begun_;
    if (opened_to_replace()) return false;
    if (layout_.spec.append) return true;
    const bool this_stream = client_file_->first < client_file_->number;
    return client_file_->opening == ClientFile::Opening::append &&
           (!this_stream || successor_ || names_.holder(client_file_->path));
}

/// Frames that lost writers have left in an unfinished file of this name are for `squall recover`.
void FileSeries::avoid_what_others_left(const Time &time) {
    if (!successor_ || !client_file_ || client_file_->opening != ClientFile::Opening::append) return;
    file_ = names_.name();
    const auto part = part_name(workplace());
    file_.clear();
    if (group_.any(group_.leads() && fs::exists(fs::symlink_status(part)))) names_.set_apart(time);
}

/// Where the file goes on in one that was published before; none: it does not. Only who leads knows what it
/// says.
std::optional<Continuation> FileSeries::earlier_file(const std::string &name, const Time &time) {
    if (!may_go_on()) return std::nullopt;
    std::optional<Continuation> found;
    attempt_leading(name, [&] { found = continuation(layout_, name, time); });
    if (!group_.any(found.has_value())) return std::nullopt;
    auto earlier = std::move(found).value_or(Continuation{});
    earlier.gained.resize(layout_.fields.size());
    std::vector<std::uint64_t> told{static_cast<std::uint64_t>(earlier.frames),
                                    static_cast<std::uint64_t>(earlier.there)};
    told.insert(told.end(), earlier.gained.begin(), earlier.gained.end());
    group_.add(told);
    earlier.frames = static_cast<std::int64_t>(told[0]);
    earlier.there = static_cast<std::int64_t>(told[1]);
    for (std::size_t f = 0; f < earlier.gained.size(); ++f) earlier.gained[f] = told[f + 2] != 0;
    return earlier;
}

/// Takes up a file that was published before. One that shows its frames is gone on with as it is; any other
/// is copied, so that what was published stays whole until the longer one takes its place.
void FileSeries::reopen(const Continuation &earlier, std::int64_t number) {
    reopened_ = true;
    frames_ = first_here_ = earlier.frames;
    gained_ = earlier.gained;
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
    make_writer(earlier);
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
        if (group_.leads()) make_directory_of(file_);
        if (group_.leads() && fs::exists(fs::symlink_status(place()))) fs::remove_all(place());
    });
}

} // namespace squall::io
