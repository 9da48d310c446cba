!> Squall's output runtime in Fortran: streams of frames, written while the program computes.
!>
!>     use squall_io
!>     type(squall_session) :: session
!>     type(squall_stream_spec) :: spec
!>     type(squall_stream) :: history
!>     type(squall_frame) :: frame
!>
!>     call session%open(MPI_COMM_WORLD)                 ! with mpi_f08: MPI_COMM_WORLD%MPI_VAL
!>     call spec%init('history', 'history_%H.nc')
!>     call spec%dimension('x', nx)
!>     call spec%dimension('y', ny)
!>     call spec%field('T', squall_f32, ['x', 'y'])
!>     call history%open(session, spec)
!>     call history%begin(3600d0, frame)
!>     call frame%put('T', t(1:mx, 1:my), start=[x1, y1])
!>     call frame%commit()
!>     call history%close()
!>     call session%close()
!>
!> squall/io.hpp describes what sessions, streams, frames, engines and placements guarantee.
!>
!> Conventions. Dimensions are listed fastest first, as in Fortran arrays; tools for the files list them in
!> the reverse order. Indices and frames count from 1. An array may be any section: its box has the shape of
!> the array, begins at `start` and is copied from the array directly. Trailing blanks of names and texts are
!> ignored. A text of several characters has them as its first dimension.
!>
!> Errors. With stat=, which is 0 on success, and errmsg=, a text of fixed length for the message, a call
!> returns a failure; without stat= it writes the message to standard error and stops the program. Every
!> procedure that can fail has both; mistakes in a declaration are kept, and fail stream%open.
!>
!> Legacy programs, whose procedures get the first element of an array: put_array, with a squall_array that says
!> what type, order of dimensions, halo and patch the array has.
!>
!> Who calls what. Collective over the ranks of the communicator: session%open; over the computing ranks:
!> stream%close, in the same order on every rank, and session%close. Everything else is local, except that
!> with placement 'inline' frame%commit waits until all computing ranks have committed the frame. Every
!> computing rank opens the same streams in the same order with equal declarations and commits the same
!> frames of a stream in the same order. A server (session%computes() is false) calls session%serve and
!> session%close, nothing else.
module squall_io
    use, intrinsic :: iso_c_binding, only: c_char, c_size_t
    use, intrinsic :: iso_fortran_env, only: real64
    use squall_io_arrays, only: squall_array
    use squall_io_c
    use squall_io_c_client
    use squall_io_declare, only: squall_stream_spec
    use squall_io_frames, only: squall_frame
    use squall_io_libraries, only: squall_lock_libraries, squall_unlock_libraries
    use squall_io_reading, only: squall_reader
    use squall_io_sessions, only: squall_session, squall_stream_report
    use squall_io_shared
    use squall_io_streams, only: squall_stream
    use squall_io_subscribing, only: squall_subscriber
    implicit none
    private
    public :: squall_f32, squall_f64, squall_i16, squall_i32, squall_char, squall_i8, squall_u8, squall_i64
    public :: squall_session, squall_stream_report, squall_stream_spec, squall_stream, squall_frame, squall_array
    public :: squall_reader, squall_subscriber, squall_format_time
    public :: squall_lock_libraries, squall_unlock_libraries

contains

    !> Formats the time `seconds` after `epoch` (default: 2000-01-01T00:00:00) with a pattern of %Y %m %d %H
    !> %M %S, in a CF calendar (default: proleptic_gregorian).
    function squall_format_time(seconds, pattern, epoch, calendar, stat, errmsg) result(text)
        real(real64), intent(in) :: seconds
        character(*), intent(in) :: pattern
        character(*), intent(in), optional :: epoch, calendar
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: text
        character(:, kind=c_char), allocatable, target :: kept, kept_calendar
        character(8*len(pattern) + 1, kind=c_char) :: buffer ! a year may have more than four digits
        buffer = char(0)
        call finish(squall_io_format_time_in(seconds, owner_of(kept, epoch), owner_of(kept_calendar, calendar), &
                                             c_text(pattern), buffer, len(buffer, kind=c_size_t)), stat, errmsg)
        text = buffer(:index(buffer, char(0)) - 1)
    end function squall_format_time

end module squall_io
