#include "session/open_stream.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/confine.hpp"
#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "session/session.hpp"

namespace squall::io {

OpenStream::OpenStream(SessionCore &core, StreamRanks &who, StreamSpec spec)
    : session(core), members(who), number(core.opened++), number_of_members(who.next_stream()),
      layout(std::make_shared<const Layout>(std::move(spec))),
      tally(std::make_shared<Tally>(layout->spec.on_error, who.leads())),
      room{std::make_shared<Pool>(core.staging_memory(), layout->spec.staging_limit),
           patience_for(*layout, core), *this, members.rank(), members.size()},
      fixed(*layout, false, room), frame(*layout, true, room), fixed_fields(std::make_shared<StagedHere>()),
      placement(place(core, {.number = number_of_members,
                             .members = &members,
                             .layout = layout,
                             .tally = tally,
                             .pool = room.pool,
                             .fixed = fixed_fields})),
      reducer(layout, members.drain().group(), number_of_members, room.pool,
              [this](std::unique_ptr<StagedHere> done) { placement->commit(std::move(done)); }),
      makers(layout, [this](const Put &made) { hand_on(made, true, nullptr); }), names(layout->spec.path) {}

/// Writers look at the names of their own files only, and those of two files may write at the same time.
std::string OpenStream::name_fault(const Time &time) {
    if (layout->engine->connect || file) return "";
    // How many frames an earlier run has left in the first file is known to those who write it, all in one
    // group.
    if (layout->spec.append && layout->spec.frames_per_file > 0) return "";
    const auto number_of_file = layout->file_number(committed);
    names.see(number_of_file, time);
    const auto &name = names.name();
    if (const auto fault = taken_by_another(name); !fault.empty()) return fault;
    if (const auto holder = names.holder(name); holder && lost(*holder)) names.give_back(name);
    if (const auto fault = names.fault(); !fault.empty()) return fmt::format("{}: {}", name, fault);
    names.take(name, number_of_file);
    return "";
}

std::string OpenStream::taken_by_another(const std::string &name) const {
    for (const auto &other : session.streams) {
        if (other.get() == this) continue;
        if (other->names.holder(name))
            return fmt::format("{}: stream {} writes a file of this name; give each stream a path of its own",
                               name, other->layout->spec.name);
        const auto known = other->client_files.find(name);
        const bool open = other->file && other->file->path == name;
        if (open || (known != other->client_files.end() && known->second.last >= other->settled))
            return fmt::format("stream {} may still be writing this file; close it there and flush that "
                               "stream first",
                               other->layout->spec.name);
    }
    return "";
}

std::string OpenStream::attributes_fault(const std::vector<Attribute> &attributes) const {
    for (const auto &a : attributes) {
        if (std::ranges::count(layout->spec.attributes, a.name, &Attribute::name) > 0)
            return fmt::format("the stream has an attribute {} already", a.name);
        if (std::ranges::count(attributes, a.name, &Attribute::name) > 1)
            return fmt::format("attribute {} is there twice", a.name);
    }
    const auto objection = layout->engine->attributes_objection;
    return objection ? objection(*layout, attributes) : "";
}

void OpenStream::open_file(const std::string &name, const std::vector<Attribute> &attributes,
                           Existing existing) {
    const auto refuse = [&](const std::string &why) {
        throw Error(fmt::format("stream {}: opening file {}: {}", layout->spec.name, name, why));
    };
    if (!has_files_of_client())
        refuse(fmt::format("its files are named by its path, {}; end that with '/' to name them yourself",
                           layout->spec.path));
    if (frame_seconds) refuse("a frame is open; commit or abandon it first");
    if (file) refuse(fmt::format("file {} is open; close it first", file->path));
    if (const auto fault = path_fault(name); !fault.empty()) refuse(fault);
    if (const auto fault = attributes_fault(attributes); !fault.empty()) refuse(fault);
    const auto path = layout->spec.path + name;
    if (const auto fault = taken_by_another(path); !fault.empty()) refuse(fault);
    auto opened = client_file(path, attributes, existing);
    if (opened.opening == ClientFile::Opening::append && !layout->engine->appends)
        refuse(fmt::format("this session has closed a file of this name, and engine {} cannot append to it; "
                           "open it to replace it",
                           layout->engine->name));
    if (const auto before = client_files.find(path);
        !layout->spec.burst_dir.empty() && before != client_files.end() && before->second.last >= settled)
        refuse("it may still be on its way from burst_dir; flush the stream first");
    file = std::make_shared<const ClientFile>(std::move(opened));
    ++files;
    in_file = 0;
}

/// The file that the client opens next.
ClientFile OpenStream::client_file(const std::string &path, const std::vector<Attribute> &attributes,
                                   Existing existing) const {
    using enum ClientFile::Opening;
    const auto before = client_files.find(path);
    const bool again = before != client_files.end();
    const bool known = again || session.written.contains(path);
    return {.number = files,
            .first = again ? before->second.first : files,
            .opening = existing == Existing::replace ? replace
                       : known                       ? append
                                                     : first,
            .path = path,
            .attributes = attributes};
}

/// Its end goes the way of its frames, behind them.
void OpenStream::close_file() {
    if (!file || frame_seconds)
        throw Error(fmt::format("stream {}: closing a file, but {}", layout->spec.name,
                                file ? "a frame is open; commit or abandon it first" : "none is open"));
    const auto closing = std::exchange(file, nullptr);
    if (in_file == 0) return; // there is none
    client_files.insert_or_assign(closing->path, Openings{closing->first, closing->number});
    auto end = std::make_unique<StagedHere>();
    end->time = last;
    end->number = committed++;
    end->file = closing;
    end->in_file = in_file;
    end->ends_file = end->skipped = true;
    const bool waits = layout->spec.placement == "inline";
    reducer.submit(std::move(end), waits);
    if (waits && layout->spec.burst_dir.empty()) settled = files;
    tally->throw_if_failed();
}

void OpenStream::flush() {
    reducer.deliver_all();
    placement->flush();
    settled = file ? file->number : files;
    tally->throw_if_failed();
}

/// Whether every frame of a file is known to be lost.
bool OpenStream::lost(std::int64_t number_of_file) const {
    const auto most = layout->spec.frames_per_file;
    const auto first = number_of_file * most, end = most == 0 ? committed : std::min(committed, first + most);
    const auto failed = std::ranges::count_if(tally->outcomes(), [&](const Outcome &o) {
        return o.number >= first && o.number < end && !o.fault.empty() && !o.published;
    });
    return failed == end - first;
}

/// What it makes itself it does not take, though others may have a field of that name that is put.
bool OpenStream::takes(const std::string &field) const {
    const auto *f = layout->find_put(field);
    return f && f->field.per_frame && !f->field.reduction;
}

/// What only ranks make others of does not go into the stage, whose error for what nobody declares it is.
bool OpenStream::stages(const Put &put) const {
    const auto source = layout->sources.find(put.field);
    return source == layout->sources.end() || (source->second.field.reduction && !put.made) ||
           !layout->numbers(put.field).empty();
}

void OpenStream::put(const Put &put, bool per_frame, Copies *copies) {
    makers.put(put, per_frame);
    if (!per_frame || !makers.in_sample()) hand_on(put, per_frame, copies);
}

void OpenStream::hand_on(const Put &put, bool per_frame, Copies *copies) {
    if (reducer.uses(put.field)) reducer.put(put, per_frame);
    if (stages(put)) (per_frame ? frame : fixed).put(put, copies);
}

void OpenStream::put_points(const Put &put, bool per_frame, Copies *copies) {
    makers.put_points(put, per_frame);
    if (per_frame && makers.in_sample()) return;
    if (reducer.uses(put.field)) reducer.put_points(put, per_frame);
    if (stages(put)) (per_frame ? frame : fixed).put_points(put, copies);
}

/// Servers that make something at them hear of it from the first rank.
void OpenStream::lie_at(const std::string &places, const std::vector<double> &positions) {
    reducer.lie_at(places, positions);
    for (std::size_t p = 0; p < layout->whereabouts.size() && room.rank == 0; ++p) {
        const auto &known = layout->spec.places[p];
        const auto &along = layout->whereabouts[p];
        if (known.name != places || positions.size() != static_cast<std::size_t>(known.count) * along.size())
            continue;
        for (std::size_t d = 0; d < along.size(); ++d)
            frame.put({layout->staged(along[d]).field.name,
                       {{0}, {known.count}},
                       &positions[d],
                       Type::f64,
                       {std::ssize(along)}});
    }
}

OpenStream::~OpenStream() = default;

void OpenStream::progress() { session.progress(*this); }
std::string OpenStream::awaiting() const {
    const auto rank = reducer.awaiting();
    return rank.empty() ? placement->awaiting() : rank;
}

} // namespace squall::io
