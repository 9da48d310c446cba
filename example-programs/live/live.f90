! Prints the largest value of a field in each frame of a network stream, while the run makes them.
!
!     live-f90 RUN FIELD
program live_frames
    use, intrinsic :: iso_fortran_env, only: int64, output_unit, real32
    use squall_io
    implicit none
    type(squall_subscriber) :: live
    type(squall_reader) :: frame
    character(1000) :: run, field
    integer(int64), allocatable :: extents(:)
    real(real32), allocatable :: values(:, :)
    logical :: there

    call get_command_argument(1, run)
    call get_command_argument(2, field)
    call live%open(trim(run)) ! a run directory, or the stream's contact file
    do while (.not. live%ended())
        call live%next(60d0, frame, there) ! seconds
        if (.not. there) cycle
        call frame%describe(trim(field), extents=extents) ! fastest dimension first
        if (allocated(values)) deallocate (values)
        allocate (values(extents(1), extents(2)))
        call frame%read(trim(field), 1, values)
        call frame%close()
        call live%release() ! the run may forget the frame
        write (output_unit, '(i0, 1x, f0.4)') live%number() - 1, maxval(values)
        flush (output_unit)
    end do
    call live%close()
end program live_frames
