!> Opens, writes and closes a file at a time, each with attributes of its own.
program client_files
    use mpi
    use, intrinsic :: iso_fortran_env, only: real32, real64
    use squall_io
    implicit none
    type(squall_session) :: session
    type(squall_stream_spec) :: spec, attributes
    type(squall_stream) :: stream
    type(squall_frame) :: frame
    real(real32) :: a(4)
    character(256) :: directory
    character(400) :: message
    integer :: n, ierror, stat, level

    call get_command_argument(1, directory)
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierror)
    call session%open(MPI_COMM_WORLD)
    call spec%init('history', trim(directory)//'/')
    call spec%set('placement', 'thread')
    call spec%dimension('x', 4)
    call spec%field('A', squall_f32, ['x'])
    call stream%open(session, spec)
    call stream%begin(0.0_real64, frame, stat=stat, errmsg=message)
    print '(i0, 1x, a)', stat, trim(message)
    do n = 1, 2
        call attributes%init('history', trim(directory)//'/')
        call attributes%attribute('JULDAY', 35 + n)
        call stream%open_file(merge('wrfout_d01', 'wrfrst_d01', n == 1), attributes)
        a = real(n, real32)
        call stream%begin(3600.0_real64, frame)
        call frame%put('A', a)
        call frame%commit()
        call stream%close_file()
    end do
    do n = 3, 4
        call stream%open_file(merge('wrfout_d01', 'wrfrst_d01', n == 3), replace=n == 4)
        a = real(n, real32)
        call stream%begin(7200.0_real64, frame)
        call frame%put('A', a)
        call frame%commit()
        call stream%close_file()
    end do
    call stream%close_file(stat=stat, errmsg=message)
    print '(i0, 1x, a)', stat, trim(message)
    call stream%flush()
    call stream%close()
    call session%close()
    call MPI_Finalize(ierror)
end program client_files
