!> The C++ functions behind the shells: src/calls.hpp.
module squall_wrf_calls
    use, intrinsic :: iso_c_binding, only: c_int, c_char
    implicit none

    integer(c_int), parameter :: wrf_real = 104, wrf_double = 105, wrf_integer = 106, wrf_logical = 107
    integer(c_int), parameter :: no_operation = -23, not_supported = -22

    interface
        function open_for_write(layer, layer_n, file, file_n, comm, system, system_n, handle) result(status) &
            bind(c, name='squall_wrf_open_for_write')
            import
            character(kind=c_char), intent(in) :: layer(*), file(*), system(*)
            integer(c_int), value :: layer_n, file_n, system_n
            integer, intent(in), optional :: comm
            integer(c_int), intent(inout) :: handle
            integer(c_int) :: status
        end function
        function commit_write(handle) result(status) bind(c, name='squall_wrf_commit_write')
            import
            integer(c_int), intent(in) :: handle
            integer(c_int) :: status
        end function
        function open_for_read(file, file_n, committed, handle) result(status) &
            bind(c, name='squall_wrf_open_for_read')
            import
            character(kind=c_char), intent(in) :: file(*)
            integer(c_int), value :: file_n, committed
            integer(c_int), intent(inout) :: handle
            integer(c_int) :: status
        end function
        function commit_read(handle) result(status) bind(c, name='squall_wrf_commit_read')
            import
            integer(c_int), intent(in) :: handle
            integer(c_int) :: status
        end function
        function end_frame(handle) result(status) bind(c, name='squall_wrf_end_frame')
            import
            integer(c_int), intent(in) :: handle
            integer(c_int) :: status
        end function
        function close_file(handle) result(status) bind(c, name='squall_wrf_close')
            import
            integer(c_int), intent(in) :: handle
            integer(c_int) :: status
        end function
        function exit_layer(layer, layer_n) result(status) bind(c, name='squall_wrf_exit')
            import
            character(kind=c_char), intent(in) :: layer(*)
            integer(c_int), value :: layer_n
            integer(c_int) :: status
        end function
        function inquire_file(handle, file, file_n, state) result(status) bind(c, name='squall_wrf_inquire_file')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(inout) :: file(*)
            integer(c_int), value :: file_n
            integer(c_int), intent(out) :: state
            integer(c_int) :: status
        end function
        function inquire_opened(handle, file, file_n, state) result(status) bind(c, name='squall_wrf_inquire_opened')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(in) :: file(*)
            integer(c_int), value :: file_n
            integer(c_int), intent(out) :: state
            integer(c_int) :: status
        end function
        function field(write, handle, date, date_n, name, name_n, data, type, order, order_n, names, names_n, &
                       domain_first, domain_last, memory_first, memory_last, patch_first, patch_last) &
            result(status) bind(c, name='squall_wrf_field')
            import
            integer(c_int), value :: write, date_n, name_n, order_n, names_n
            integer(c_int), intent(in) :: handle, type
            character(kind=c_char), intent(in) :: date(*), name(*), order(*), names(*)
            type(*) :: data(*)
            integer(c_int), intent(in) :: domain_first(*), domain_last(*), memory_first(*), memory_last(*), &
                                          patch_first(*), patch_last(*)
            integer(c_int) :: status
        end function
        function put_numbers(handle, element, element_n, date, date_n, of, of_n, type, data, count) result(status) &
            bind(c, name='squall_wrf_put_numbers')
            import
            integer(c_int), intent(in) :: handle, count
            character(kind=c_char), intent(in) :: element(*), date(*), of(*)
            integer(c_int), value :: element_n, date_n, of_n, type
            type(*), intent(in) :: data(*)
            integer(c_int) :: status
        end function
        function put_text(handle, element, element_n, date, date_n, of, of_n, text, text_n) result(status) &
            bind(c, name='squall_wrf_put_text')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(in) :: element(*), date(*), of(*), text(*)
            integer(c_int), value :: element_n, date_n, of_n, text_n
            integer(c_int) :: status
        end function
        function get_numbers(handle, element, element_n, date, date_n, of, of_n, type, data, most, count) &
            result(status) bind(c, name='squall_wrf_get_numbers')
            import
            integer(c_int), intent(in) :: handle, most
            character(kind=c_char), intent(in) :: element(*), date(*), of(*)
            integer(c_int), value :: element_n, date_n, of_n, type
            type(*) :: data(*)
            integer(c_int), intent(inout) :: count
            integer(c_int) :: status
        end function
        function get_text(handle, element, element_n, date, date_n, of, of_n, text, text_n) result(status) &
            bind(c, name='squall_wrf_get_text')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(in) :: element(*), date(*), of(*)
            character(kind=c_char), intent(inout) :: text(*)
            integer(c_int), value :: element_n, date_n, of_n, text_n
            integer(c_int) :: status
        end function
        function set_time(handle, date, date_n) result(status) bind(c, name='squall_wrf_set_time')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(in) :: date(*)
            integer(c_int), value :: date_n
            integer(c_int) :: status
        end function
        function step_time(handle, step, date, date_n) result(status) bind(c, name='squall_wrf_step_time')
            import
            integer(c_int), intent(in) :: handle
            integer(c_int), value :: step, date_n
            character(kind=c_char), intent(inout) :: date(*)
            integer(c_int) :: status
        end function
        function next_variable(handle, name, name_n) result(status) bind(c, name='squall_wrf_next_variable')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(inout) :: name(*)
            integer(c_int), value :: name_n
            integer(c_int) :: status
        end function
        function variable(handle, name, name_n, dimensions, order, order_n, first, last, type) result(status) &
            bind(c, name='squall_wrf_variable')
            import
            integer(c_int), intent(in) :: handle
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(inout) :: order(*)
            integer(c_int), value :: name_n, order_n
            integer(c_int), intent(inout) :: dimensions, first(*), last(*), type
            integer(c_int) :: status
        end function
    end interface
end module squall_wrf_calls
