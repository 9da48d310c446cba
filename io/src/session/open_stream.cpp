#include "session/open_stream.hpp"

#include <algorithm>

#include "session/session.hpp"

namespace squall::io {

OpenStream::OpenStream(SessionCore &core, Members &who, StreamSpec spec)
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
      reducer(layout, members.drain().crew(), number_of_members, room.pool,
              [this](std::unique_ptr<StagedHere> done) { placement->commit(std::move(done)); }),
      makers(layout, [this](const Put &made) { hand_on(made, true, nullptr); }) {}

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
