!> The C interface of Squall's output runtime (squall/io.h), as far as module squall_io needs it.
module squall_io_c
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int32_t, &
        c_int64_t, c_ptr, c_size_t
    implicit none
    public

    !> squall_io_stream_report
    type, bind(C) :: c_stream_report
        type(c_ptr) :: name, engine, placement, codec
        integer(c_int64_t) :: frames, failed, skipped, bytes, stored_bytes
        real(c_double) :: perceived_median, perceived_largest, perceived_total, drain_median, drain_largest
        integer(c_int64_t) :: waits
        real(c_double) :: waited
        integer(c_int64_t) :: spilled, staging_peak
    end type c_stream_report

    !> squall_io_field_info
    type, bind(C) :: c_field_info
        integer(c_int) :: type, ndims, per_frame
    end type c_field_info

    !> squall_io_attribute
    type, bind(C) :: c_attribute
        type(c_ptr) :: name
        integer(c_int) :: type
        integer(c_int64_t) :: count
        type(c_ptr) :: data
    end type c_attribute

    interface
        integer(c_int) function squall_io_format_time(seconds, epoch, pattern, text, size) bind(C)
            import c_char, c_double, c_int, c_ptr, c_size_t
            real(c_double), value :: seconds
            type(c_ptr), value :: epoch
            character(kind=c_char), intent(in) :: pattern(*)
            character(kind=c_char), intent(out) :: text(*)
            integer(c_size_t), value :: size
        end function

        integer(c_int) function squall_io_session_spec_new(spec) bind(C)
            import c_int, c_ptr
            type(c_ptr), intent(out) :: spec
        end function

        integer(c_int) function squall_io_session_spec_set(spec, key, value) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: key(*)
            character(kind=c_char), intent(in) :: value(*)
        end function

        integer(c_int) function squall_io_session_open_f(comm, spec, session) bind(C)
            import c_int, c_ptr
            integer(c_int), value :: comm
            type(c_ptr), value :: spec
            type(c_ptr), intent(out) :: session
        end function

        integer(c_int) function squall_io_session_computes(session, computes) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
            integer(c_int), intent(out) :: computes
        end function

        integer(c_int) function squall_io_session_comm_f(session, comm) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
            integer(c_int), intent(out) :: comm
        end function

        integer(c_int) function squall_io_session_serve(session) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
        end function

        integer(c_int) function squall_io_session_close(session, report) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
            type(c_ptr), intent(out) :: report
        end function

        integer(c_int) function squall_io_report_streams(report, count) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: report
            integer(c_int), intent(out) :: count
        end function

        integer(c_int) function squall_io_report_stream(report, n, stream) bind(C)
            import c_int, c_ptr, c_stream_report
            type(c_ptr), value :: report
            integer(c_int), value :: n
            type(c_stream_report), intent(out) :: stream
        end function

        integer(c_int) function squall_io_spec_new(name, path, spec) bind(C)
            import c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: spec
        end function

        integer(c_int) function squall_io_spec_set(spec, key, value) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: key(*)
            character(kind=c_char), intent(in) :: value(*)
        end function

        integer(c_int) function squall_io_spec_option(spec, option, value) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: option(*)
            character(kind=c_char), intent(in) :: value(*)
        end function

        integer(c_int) function squall_io_spec_dimension(spec, name, size) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: size
        end function

        integer(c_int) function squall_io_spec_subset(spec, dimension, start, stop, stride) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: dimension(*)
            integer(c_int64_t), value :: start
            integer(c_int64_t), value :: stop
            integer(c_int64_t), value :: stride
        end function

        integer(c_int) function squall_io_spec_field(spec, name, type, ndims, dimensions, per_frame) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: type
            integer(c_int), value :: ndims
            type(c_ptr), intent(in) :: dimensions(*)
            integer(c_int), value :: per_frame
        end function

        integer(c_int) function squall_io_spec_pack(spec, field, low, high) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*)
            real(c_double), value :: low
            real(c_double), value :: high
        end function

        integer(c_int) function squall_io_spec_round(spec, field, kind, bound) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*)
            character(kind=c_char), intent(in) :: kind(*)
            real(c_double), value :: bound
        end function

        integer(c_int) function squall_io_spec_attribute_text(spec, field, name, text) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            type(c_ptr), value :: field
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in) :: text(*)
        end function

        integer(c_int) function squall_io_spec_attribute_int(spec, field, name, count, values) bind(C)
            import c_char, c_int, c_int32_t, c_ptr
            type(c_ptr), value :: spec
            type(c_ptr), value :: field
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: count
            integer(c_int32_t), intent(in) :: values(*)
        end function

        integer(c_int) function squall_io_spec_attribute_float(spec, field, name, count, values) bind(C)
            import c_char, c_float, c_int, c_ptr
            type(c_ptr), value :: spec
            type(c_ptr), value :: field
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: count
            real(c_float), intent(in) :: values(*)
        end function

        integer(c_int) function squall_io_spec_attribute_double(spec, field, name, count, values) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            type(c_ptr), value :: field
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: count
            real(c_double), intent(in) :: values(*)
        end function

        integer(c_int) function squall_io_stream_open(session, spec, stream) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
            type(c_ptr), value :: spec
            type(c_ptr), intent(out) :: stream
        end function

        integer(c_int) function squall_io_stream_begin(stream, seconds, epoch, frame) bind(C)
            import c_double, c_int, c_ptr
            type(c_ptr), value :: stream
            real(c_double), value :: seconds
            type(c_ptr), value :: epoch
            type(c_ptr), intent(out) :: frame
        end function

        integer(c_int) function squall_io_frame_commit(frame) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: frame
        end function

        integer(c_int) function squall_io_frame_abandon(frame) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: frame
        end function

        integer(c_int) function squall_io_stream_open_file(stream, name, attributes) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: attributes
        end function

        integer(c_int) function squall_io_stream_replace_file(stream, name, attributes) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: attributes
        end function

        integer(c_int) function squall_io_stream_close_file(stream) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: stream
        end function

        integer(c_int) function squall_io_stream_flush(stream) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: stream
        end function

        integer(c_int) function squall_io_stream_close(stream) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: stream
        end function

        integer(c_int) function squall_io_reader_open_on_f(path, comm, readers, reader) bind(C)
            import c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int), value :: comm, readers
            type(c_ptr), intent(out) :: reader
        end function

        integer(c_int) function squall_io_reader_open(path, reader) bind(C)
            import c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: reader
        end function

        integer(c_int) function squall_io_reader_frames(reader, frames) bind(C)
            import c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            integer(c_int64_t), intent(out) :: frames
        end function

        integer(c_int) function squall_io_reader_dimensions(reader, count) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: reader
            integer(c_int), intent(out) :: count
        end function

        integer(c_int) function squall_io_reader_dimension(reader, n, name, size) bind(C)
            import c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            integer(c_int), value :: n
            type(c_ptr), intent(out) :: name
            integer(c_int64_t), intent(out) :: size
        end function

        integer(c_int) function squall_io_reader_fields(reader, count) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: reader
            integer(c_int), intent(out) :: count
        end function

        integer(c_int) function squall_io_reader_field(reader, n, name) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: reader
            integer(c_int), value :: n
            type(c_ptr), intent(out) :: name
        end function

        integer(c_int) function squall_io_reader_field_info(reader, field, info) bind(C)
            import c_char, c_field_info, c_int, c_ptr
            type(c_ptr), value :: reader
            character(kind=c_char), intent(in) :: field(*)
            type(c_field_info), intent(out) :: info
        end function

        integer(c_int) function squall_io_reader_field_dimension(reader, field, d, name, size) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            character(kind=c_char), intent(in) :: field(*)
            integer(c_int), value :: d
            type(c_ptr), intent(out) :: name
            integer(c_int64_t), intent(out) :: size
        end function

        integer(c_int) function squall_io_reader_attributes(reader, field, count) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: reader
            type(c_ptr), value :: field
            integer(c_int), intent(out) :: count
        end function

        integer(c_int) function squall_io_reader_attribute(reader, field, n, attribute) bind(C)
            import c_attribute, c_int, c_ptr
            type(c_ptr), value :: reader
            type(c_ptr), value :: field
            integer(c_int), value :: n
            type(c_attribute), intent(out) :: attribute
        end function

        integer(c_int) function squall_io_reader_attribute_named(reader, field, name, attribute) bind(C)
            import c_attribute, c_char, c_int, c_ptr
            type(c_ptr), value :: reader
            type(c_ptr), value :: field
            character(kind=c_char), intent(in) :: name(*)
            type(c_attribute), intent(out) :: attribute
        end function

        integer(c_int) function squall_io_f_stream_put(stream, field, data, start, nstart) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
            integer(c_int), intent(in) :: start(*)
            integer(c_int), value :: nstart
        end function

        integer(c_int) function squall_io_f_frame_put(frame, field, data, start, nstart) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
            integer(c_int), intent(in) :: start(*)
            integer(c_int), value :: nstart
        end function

        integer(c_int) function squall_io_f_reader_read(reader, field, frame, data, start, nstart) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            character(kind=c_char), intent(in) :: field(*)
            integer(c_int64_t), value :: frame
            type(*), intent(inout) :: data(..)
            integer(c_int), intent(in) :: start(*)
            integer(c_int), value :: nstart
        end function

        function squall_io_last_error() result(text) bind(C)
            import c_ptr
            type(c_ptr) :: text
        end function

        subroutine squall_io_session_spec_free(spec) bind(C)
            import c_ptr
            type(c_ptr), value :: spec
        end subroutine

        subroutine squall_io_report_free(report) bind(C)
            import c_ptr
            type(c_ptr), value :: report
        end subroutine

        subroutine squall_io_spec_free(spec) bind(C)
            import c_ptr
            type(c_ptr), value :: spec
        end subroutine

        subroutine squall_io_reader_free(reader) bind(C)
            import c_ptr
            type(c_ptr), value :: reader
        end subroutine

        pure function c_strlen(text) result(length) bind(C, name="strlen")
            import c_ptr, c_size_t
            type(c_ptr), value, intent(in) :: text
            integer(c_size_t) :: length
        end function
    end interface
end module squall_io_c
