!> Frames of a network stream during a run, for module squall_io.
!>
!>     call live%open('runs/storm')
!>     do while (.not. live%ended())
!>         call live%next(60d0, frame, there)
!>         if (there) call frame%read('T', 1, t, start=[1, 1, 1])
!>     end do
!>
!> Its contract is in squall/io_subscribe.hpp.
module squall_io_subscribing
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_int, c_int64_t, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: real64
    use squall_io_reading, only: squall_reader
    use squall_io_shared
    implicit none
    private

    type, public :: squall_subscriber
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: open => subscriber_open
        procedure :: next => subscriber_next
        procedure :: release => subscriber_release
        procedure :: ended => subscriber_ended
        procedure :: number => subscriber_number
        procedure :: close => subscriber_close
    end type squall_subscriber

    interface
        integer(c_int) function squall_io_subscribe(where, subscriber) bind(C)
            import c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: where(*)
            type(c_ptr), intent(out) :: subscriber
        end function

        integer(c_int) function squall_io_subscribe_on_f(where, comm, subscriber) bind(C)
            import c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: where(*)
            integer(c_int), value :: comm
            type(c_ptr), intent(out) :: subscriber
        end function

        integer(c_int) function squall_io_subscriber_next(subscriber, seconds, frame) bind(C)
            import c_double, c_int, c_ptr
            type(c_ptr), value :: subscriber
            real(c_double), value :: seconds
            type(c_ptr), intent(out) :: frame
        end function

        integer(c_int) function squall_io_subscriber_release(subscriber) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: subscriber
        end function

        integer(c_int) function squall_io_subscriber_ended(subscriber, ended) bind(C)
            import c_int, c_ptr
            type(c_ptr), value :: subscriber
            integer(c_int), intent(out) :: ended
        end function

        integer(c_int) function squall_io_subscriber_number(subscriber, number) bind(C)
            import c_int, c_int64_t, c_ptr
            type(c_ptr), value :: subscriber
            integer(c_int64_t), intent(out) :: number
        end function

        subroutine squall_io_subscriber_free(subscriber) bind(C)
            import c_ptr
            type(c_ptr), value :: subscriber
        end subroutine
    end interface

contains

    !> `where`: a run directory with one such stream, the file that has the stream's address, or that
    !> address. Does not wait: the run need not have started. With `comm` its ranks get the same frames and
    !> read a box each: then this and all other procedures are collective.
    subroutine subscriber_open(self, where, comm, stat, errmsg)
        class(squall_subscriber), intent(inout) :: self
        character(*), intent(in) :: where
        integer, intent(in), optional :: comm
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call self%close()
        if (present(comm)) then
            call finish(squall_io_subscribe_on_f(c_text(where), int(comm, c_int), self%handle), stat, errmsg)
        else
            call finish(squall_io_subscribe(c_text(where), self%handle), stat, errmsg)
        end if
    end subroutine subscriber_open

    !> The next frame, as a file of one frame. `there` is false if none has arrived within `seconds`, or the
    !> stream has ended. Releases the previous frame. Fails if the run ended without closing the stream.
    subroutine subscriber_next(self, seconds, frame, there, stat, errmsg)
        class(squall_subscriber), intent(inout) :: self
        real(real64), intent(in) :: seconds
        type(squall_reader), intent(inout) :: frame
        logical, intent(out) :: there
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status
        call frame%close()
        status = squall_io_subscriber_next(self%handle, seconds, frame%handle)
        if (status /= 0) frame%handle = c_null_ptr
        there = c_associated(frame%handle)
        call finish(status, stat, errmsg)
    end subroutine subscriber_next

    !> Releases the current frame, which must not be read afterwards, so that the run can free it.
    subroutine subscriber_release(self, stat, errmsg)
        class(squall_subscriber), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_subscriber_release(self%handle), stat, errmsg)
    end subroutine subscriber_release

    !> Whether the run has closed the stream and all frames have been delivered.
    function subscriber_ended(self, stat, errmsg) result(ended)
        class(squall_subscriber), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        logical :: ended
        integer(c_int) :: answer, status
        status = squall_io_subscriber_ended(self%handle, answer)
        if (status /= 0) answer = 0
        call finish(status, stat, errmsg)
        ended = answer /= 0
    end function subscriber_ended

    !> The number of the current frame in its stream, from 1; 0: none has arrived.
    function subscriber_number(self, stat, errmsg) result(number)
        class(squall_subscriber), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer :: number
        integer(c_int64_t) :: counted
        integer(c_int) :: status
        status = squall_io_subscriber_number(self%handle, counted)
        if (status /= 0) counted = -1
        call finish(status, stat, errmsg)
        number = int(counted) + 1
    end function subscriber_number

    !> Leaves the stream.
    subroutine subscriber_close(self)
        class(squall_subscriber), intent(inout) :: self
        if (c_associated(self%handle)) call squall_io_subscriber_free(self%handle)
        self%handle = c_null_ptr
    end subroutine subscriber_close

end module squall_io_subscribing
