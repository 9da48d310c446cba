/// The C interface: sessions, streams and frames.
#include "capi.hpp"

using namespace squall::io;
using namespace squall::io::capi;

int squall_io_session_spec_new(squall_io_session_spec **spec) {
    return guarded([&] { need(spec, "pointer for the spec") = new squall_io_session_spec; });
}

void squall_io_session_spec_free(squall_io_session_spec *spec) { delete spec; }

int squall_io_session_spec_set(squall_io_session_spec *spec, const char *key, const char *value) {
    return guarded(
        [&] { set_key(need(spec, "spec").spec, need_text(key, "key"), need_text(value, "value")); });
}

int squall_io_session_open(MPI_Comm comm, const squall_io_session_spec *spec, squall_io_session **session) {
    return guarded([&] {
        auto &place = need(session, "pointer for the session");
        place = new squall_io_session{Session(comm, spec ? spec->spec : SessionSpec{})};
    });
}

int squall_io_session_open_f(MPI_Fint comm, const squall_io_session_spec *spec, squall_io_session **session) {
    return squall_io_session_open(MPI_Comm_f2c(comm), spec, session);
}

int squall_io_session_computes(const squall_io_session *session, int *computes) {
    return guarded(
        [&] { need(computes, "pointer for the answer") = need(session, "session").session.computes(); });
}

int squall_io_session_comm(const squall_io_session *session, MPI_Comm *comm) {
    return guarded([&] {
        const auto &s = need(session, "session").session;
        if (!s.computes()) throw Error("a server has no communicator of the computing ranks");
        need(comm, "pointer for the communicator") = s.comm();
    });
}

int squall_io_session_comm_f(const squall_io_session *session, MPI_Fint *comm) {
    MPI_Comm found = MPI_COMM_NULL;
    if (const int status = squall_io_session_comm(session, &found)) return status;
    return guarded([&] { need(comm, "pointer for the communicator") = MPI_Comm_c2f(found); });
}

int squall_io_session_serve(squall_io_session *session) {
    return guarded([&] { need(session, "session").session.serve(); });
}

int squall_io_session_progress(squall_io_session *session) {
    return guarded([&] { need(session, "session").session.progress(); });
}

int squall_io_session_close(squall_io_session *session, squall_io_report **report) {
    const std::unique_ptr<squall_io_session> ended(session);
    return guarded([&] {
        auto &s = need(session, "session").session;
        auto did = std::make_unique<squall_io_report>();
        if (s.computes()) did->streams = s.close();
        if (report) *report = did.release();
    });
}

int squall_io_report_streams(const squall_io_report *report, int *count) {
    return guarded([&] {
        need(count, "pointer for the count") = static_cast<int>(need(report, "report").streams.size());
    });
}

int squall_io_report_stream(const squall_io_report *report, int n, squall_io_stream_report *stream) {
    return guarded([&] {
        const auto &s = element(need(report, "report").streams, n, "stream");
        need(stream, "pointer for the stream") = {.name = s.name.c_str(),
                                                  .engine = s.engine.c_str(),
                                                  .placement = s.placement.c_str(),
                                                  .codec = s.codec.c_str(),
                                                  .frames = s.frames,
                                                  .failed = s.failed,
                                                  .skipped = s.skipped,
                                                  .bytes = s.bytes,
                                                  .stored_bytes = s.stored_bytes,
                                                  .perceived_median = s.perceived_median,
                                                  .perceived_largest = s.perceived_largest,
                                                  .perceived_total = s.perceived_total,
                                                  .drain_median = s.drain_median,
                                                  .drain_largest = s.drain_largest,
                                                  .waits = s.waits,
                                                  .waited = s.waited,
                                                  .spilled = s.spilled,
                                                  .staging_peak = s.staging_peak};
    });
}

void squall_io_report_free(squall_io_report *report) { delete report; }

int squall_io_stream_open(squall_io_session *session, const squall_io_spec *spec, squall_io_stream **stream) {
    return guarded([&] {
        auto &place = need(stream, "pointer for the stream");
        auto &s = need(session, "session").session;
        place = new squall_io_stream{s.open(need(spec, "spec").spec), leads(s.comm())};
    });
}

int squall_io_stream_put(squall_io_stream *stream, const char *field, int ndims, const int64_t start[],
                         const int64_t count[], squall_io_type type, const void *data,
                         const ptrdiff_t strides[]) {
    return guarded([&] {
        need(stream, "stream")
            .stream.put(need_text(field, "field"), box_from(ndims, start, count), data, type_from(type),
                        strides_from(ndims, strides));
    });
}

int squall_io_stream_begin(squall_io_stream *stream, double seconds, const char *epoch,
                           squall_io_frame **frame) {
    return guarded([&] {
        auto &place = need(frame, "pointer for the frame");
        auto &s = need(stream, "stream");
        place = new squall_io_frame{s.stream.begin(time_from(seconds, epoch)), s.first_rank};
    });
}

int squall_io_frame_put(squall_io_frame *frame, const char *field, int ndims, const int64_t start[],
                        const int64_t count[], squall_io_type type, const void *data,
                        const ptrdiff_t strides[]) {
    return guarded([&] {
        need(frame, "frame")
            .frame.put(need_text(field, "field"), box_from(ndims, start, count), data, type_from(type),
                       strides_from(ndims, strides));
    });
}

int squall_io_frame_commit(squall_io_frame *frame) {
    const std::unique_ptr<squall_io_frame> ended(frame);
    return guarded([&] { need(frame, "frame").frame.commit(); });
}

int squall_io_frame_abandon(squall_io_frame *frame) {
    const std::unique_ptr<squall_io_frame> ended(frame);
    return guarded([&] { need(frame, "frame").frame.abandon(); });
}

namespace {
int open_file(squall_io_stream *stream, const char *name, const squall_io_spec *attributes,
              Existing existing) {
    return guarded([&] {
        need(stream, "stream")
            .stream.open_file(need_text(name, "name of a file"),
                              attributes ? attributes->spec.attributes : std::vector<Attribute>(), existing);
    });
}
} // namespace

int squall_io_stream_open_file(squall_io_stream *stream, const char *name, const squall_io_spec *attributes) {
    return open_file(stream, name, attributes, Existing::append);
}

int squall_io_stream_replace_file(squall_io_stream *stream, const char *name,
                                  const squall_io_spec *attributes) {
    return open_file(stream, name, attributes, Existing::replace);
}

int squall_io_stream_close_file(squall_io_stream *stream) {
    return guarded([&] { need(stream, "stream").stream.close_file(); });
}

int squall_io_stream_flush(squall_io_stream *stream) {
    return guarded([&] { need(stream, "stream").stream.flush(); });
}

int squall_io_stream_close(squall_io_stream *stream) {
    const std::unique_ptr<squall_io_stream> ended(stream);
    return guarded([&] { need(stream, "stream").stream.close(); });
}

int squall_io_stream_open_on(squall_io_session *session, const squall_io_spec *spec, MPI_Comm members,
                             squall_io_stream **stream) {
    return guarded([&] {
        auto &place = need(stream, "pointer for the stream");
        place = new squall_io_stream{need(session, "session").session.open(need(spec, "spec").spec, members),
                                     leads(members)};
    });
}

int squall_io_stream_open_on_f(squall_io_session *session, const squall_io_spec *spec, MPI_Fint members,
                               squall_io_stream **stream) {
    return squall_io_stream_open_on(session, spec, MPI_Comm_f2c(members), stream);
}

int squall_io_stream_begin_bounds(squall_io_stream *stream, double seconds, const char *epoch, double begin,
                                  double end, squall_io_frame **frame) {
    return guarded([&] {
        auto &place = need(frame, "pointer for the frame");
        auto &s = need(stream, "stream");
        place = new squall_io_frame{s.stream.begin(time_from(seconds, epoch), {begin, end}), s.first_rank};
    });
}

int squall_io_frame_put_points(squall_io_frame *frame, const char *field, squall_io_type type,
                               const void *data, int ndims, const ptrdiff_t strides[]) {
    return guarded([&] {
        need(frame, "frame")
            .frame.put(need_text(field, "field"), data, type_from(type), strides_from(ndims, strides));
    });
}

int squall_io_stream_put_points(squall_io_stream *stream, const char *field, squall_io_type type,
                                const void *data, int ndims, const ptrdiff_t strides[]) {
    return guarded([&] {
        need(stream, "stream")
            .stream.put(need_text(field, "field"), data, type_from(type), strides_from(ndims, strides));
    });
}

int squall_io_session_put(squall_io_session *session, const char *field, int ndims, const int64_t start[],
                          const int64_t count[], squall_io_type type, const void *data,
                          const ptrdiff_t strides[], int *takers) {
    return guarded([&] {
        const int took = need(session, "session")
                             .session.put(need_text(field, "field"), box_from(ndims, start, count), data,
                                          type_from(type), strides_from(ndims, strides));
        if (takers) *takers = took;
    });
}

int squall_io_session_put_points(squall_io_session *session, const char *field, squall_io_type type,
                                 const void *data, int ndims, const ptrdiff_t strides[], int *takers) {
    return guarded([&] {
        const int took =
            need(session, "session")
                .session.put(need_text(field, "field"), data, type_from(type), strides_from(ndims, strides));
        if (takers) *takers = took;
    });
}

int squall_io_frame_set_double(squall_io_frame *frame, const char *field, double value) {
    return guarded([&] { need(frame, "frame").frame.set(need_text(field, "field"), value); });
}
int squall_io_frame_set_int(squall_io_frame *frame, const char *field, int64_t value) {
    return guarded([&] { need(frame, "frame").frame.set(need_text(field, "field"), value); });
}
int squall_io_frame_set_text(squall_io_frame *frame, const char *field, const char *text) {
    return guarded(
        [&] { need(frame, "frame").frame.set(need_text(field, "field"), need_text(text, "text")); });
}

int squall_io_frame_leave_out(squall_io_frame *frame, const char *field) {
    return guarded([&] { need(frame, "frame").frame.leave_out(need_text(field, "field")); });
}

int squall_io_frame_places(squall_io_frame *frame, const char *name, int64_t n, const double positions[]) {
    return guarded([&] {
        std::vector<double> where;
        if (n > 0) where.assign(&need(positions, "list of positions"), positions + n);
        need(frame, "frame").frame.places(need_text(name, "name of places"), where);
    });
}

int squall_io_stream_sample(squall_io_stream *stream, double seconds, const char *epoch,
                            squall_io_frame **frame) {
    return guarded([&] {
        auto &place = need(frame, "pointer for the frame");
        place = new squall_io_frame{need(stream, "stream").stream.sample(time_from(seconds, epoch))};
    });
}

int squall_io_stream_save(const squall_io_stream *stream, squall_io_frame *frame) {
    return guarded([&] { need(stream, "stream").stream.save(need(frame, "frame").frame); });
}

int squall_io_stream_restore(squall_io_stream *stream, const char *file, int64_t frame) {
    return guarded([&] { need(stream, "stream").stream.restore(need_text(file, "file"), frame); });
}

int squall_io_frame_length(squall_io_frame *frame, const char *dimension, int64_t points) {
    return guarded([&] { need(frame, "frame").frame.length(need_text(dimension, "dimension"), points); });
}
