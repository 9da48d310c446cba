!> The C interface of Squall's output runtime, continued: texts, time, decompositions, optional fields and
!> attributes of a frame.
module squall_io_c_client
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_ptr, c_size_t
    implicit none
    public

    interface
        integer(c_int) function squall_io_format_time_in(seconds, epoch, calendar, pattern, text, size) bind(C)
            import c_char, c_double, c_int, c_ptr, c_size_t
            real(c_double), value :: seconds
            type(c_ptr), value :: epoch, calendar
            character(kind=c_char), intent(in) :: pattern(*)
            character(kind=c_char), intent(out) :: text(*)
            integer(c_size_t), value :: size
        end function

        integer(c_int) function squall_io_spec_varying(spec, name, most) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: most
        end function

        integer(c_int) function squall_io_frame_length(frame, dimension, points) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: dimension(*)
            integer(c_int64_t), value :: points
        end function

        integer(c_int) function squall_io_spec_texts(spec, name, letters, ndims, dimensions, per_frame) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: letters, ndims
            type(c_ptr), intent(in) :: dimensions(*)
            integer(c_int), value :: per_frame
        end function

        integer(c_int) function squall_io_spec_time(spec, name, units, bounds) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: spec, name, units
            integer(c_int), value :: bounds
        end function

        integer(c_int) function squall_io_spec_fill(spec, field, fill) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*)
            real(c_double), value :: fill
        end function

        integer(c_int) function squall_io_spec_optional(spec, field) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*)
        end function

        integer(c_int) function squall_io_spec_decomposition(spec, name, ndims, dimensions) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: ndims
            type(c_ptr), intent(in) :: dimensions(*)
        end function

        integer(c_int) function squall_io_spec_decomposition_box(spec, name, start, count) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), intent(in) :: start(*), count(*)
        end function

        integer(c_int) function squall_io_spec_decomposition_unowned(spec, name, start, count) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), intent(in) :: start(*), count(*)
        end function

        integer(c_int) function squall_io_spec_decomposition_indices(spec, name, n, indices) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: n
            integer(c_int64_t), intent(in) :: indices(*)
        end function

        integer(c_int) function squall_io_spec_decomposed(spec, field, decomposition) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*), decomposition(*)
        end function

        integer(c_int) function squall_io_spec_source(spec, name, type, ndims, dimensions, per_frame) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: type, ndims
            type(c_ptr), intent(in) :: dimensions(*)
            integer(c_int), value :: per_frame
        end function

        integer(c_int) function squall_io_spec_reduction(spec, field, of, method, nover, over) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*), of(*), method(*)
            integer(c_int), value :: nover
            type(c_ptr), intent(in) :: over(*)
        end function

        integer(c_int) function squall_io_spec_reduction_set(spec, field, key, value) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*), key(*), value(*)
        end function

        integer(c_int) function squall_io_spec_reduction_within(spec, field, dimension, start, stop) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*), dimension(*)
            integer(c_int64_t), value :: start, stop
        end function

        integer(c_int) function squall_io_spec_reduction_coarsen(spec, field, dimension, factor, onto) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*), dimension(*), onto(*)
            integer(c_int64_t), value :: factor
        end function

        integer(c_int) function squall_io_spec_reduction_levels(spec, field, nlevels, levels) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: field(*)
            integer(c_int), value :: nlevels
            real(c_double), intent(in) :: levels(*)
        end function

        integer(c_int) function squall_io_spec_places(spec, name, count, ndims, dimensions, positions) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: count
            integer(c_int), value :: ndims
            type(c_ptr), intent(in) :: dimensions(*)
            type(c_ptr), value :: positions
        end function

        integer(c_int) function squall_io_spec_places_stagger(spec, places, dimension, of, by) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: spec
            character(kind=c_char), intent(in) :: places(*), dimension(*), of(*)
            real(c_double), value :: by
        end function

        integer(c_int) function squall_io_spec_accumulators(spec, of) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: spec, of
        end function

        integer(c_int) function squall_io_frame_places(frame, name, n, positions) bind(C)
            import c_char, c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: n
            real(c_double), intent(in) :: positions(*)
        end function

        integer(c_int) function squall_io_stream_sample(stream, seconds, epoch, frame) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: stream
            real(c_double), value :: seconds
            type(c_ptr), value :: epoch
            type(c_ptr), intent(out) :: frame
        end function

        integer(c_int) function squall_io_stream_save(stream, frame) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: stream, frame
        end function

        integer(c_int) function squall_io_stream_restore(stream, file, frame) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: file(*)
            integer(c_int64_t), value :: frame
        end function

        integer(c_int) function squall_io_session_progress(session) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session
        end function

        integer(c_int) function squall_io_stream_open_on_f(session, spec, members, stream) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: session, spec
            integer(c_int), value :: members
            type(c_ptr), intent(out) :: stream
        end function

        integer(c_int) function squall_io_stream_begin_bounds(stream, seconds, epoch, begin, end, frame) bind(C)
            import c_double, c_int, c_ptr
            type(c_ptr), value :: stream
            real(c_double), value :: seconds
            type(c_ptr), value :: epoch
            real(c_double), value :: begin, end
            type(c_ptr), intent(out) :: frame
        end function

        integer(c_int) function squall_io_frame_set_double(frame, field, value) bind(C)
            import c_char, c_double, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
            real(c_double), value :: value
        end function

        integer(c_int) function squall_io_frame_set_int(frame, field, value) bind(C)
            import c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
            integer(c_int64_t), value :: value
        end function

        integer(c_int) function squall_io_frame_set_text(frame, field, text) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*), text(*)
        end function

        integer(c_int) function squall_io_frame_leave_out(frame, field) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
        end function

        integer(c_int) function squall_io_reader_time(reader, frame, seconds, epoch, calendar) bind(C)
            import c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            integer(c_int64_t), value :: frame
            real(c_double), intent(out) :: seconds
            type(c_ptr), intent(out) :: epoch, calendar
        end function

        integer(c_int) function squall_io_f_frame_put_points(frame, field, data) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
        end function

        integer(c_int) function squall_io_f_stream_put_points(stream, field, data) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
        end function

        integer(c_int) function squall_io_f_session_put(session, field, data, start, nstart, takers) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: session
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
            integer(c_int), intent(in) :: start(*)
            integer(c_int), value :: nstart
            integer(c_int), intent(out) :: takers
        end function

        integer(c_int) function squall_io_f_session_put_points(session, field, data, takers) bind(C)
            import c_char, c_int, c_ptr
            type(c_ptr), value :: session
            character(kind=c_char), intent(in) :: field(*)
            type(*), intent(in) :: data(..)
            integer(c_int), intent(out) :: takers
        end function
    end interface

end module squall_io_c_client
