! libgelu from Fortran. Real(c_double) is the same with f64 in the names.
module gelu
    use, intrinsic :: iso_c_binding
    implicit none

    integer(c_int32_t), parameter :: gelu_approximation_none = 0, gelu_approximation_tanh = 1

    interface
        integer(c_int32_t) function gelu_forward_f32(x, y, n, approximation) bind(C)
            import
            real(c_float), intent(in) :: x(*)
            real(c_float), intent(inout) :: y(*)  ! Nothing is written on an error.
            integer(c_size_t), value :: n
            integer(c_int32_t), value :: approximation
        end function

        integer(c_int32_t) function gelu_backward_f32(dy, x, dx, n, approximation) bind(C)
            import
            real(c_float), intent(in) :: dy(*), x(*)
            real(c_float), intent(inout) :: dx(*)
            integer(c_size_t), value :: n
            integer(c_int32_t), value :: approximation
        end function

        type(c_ptr) function gelu_status_string(status) bind(C)
            import
            integer(c_int32_t), value :: status
        end function

        integer(c_size_t) function strlen(text) bind(C)
            import
            type(c_ptr), value :: text
        end function
    end interface
end module

program hello
    use gelu
    implicit none
    real(c_float) :: x(3) = [-6.0, 0.0, 6.0], dy(3) = 1.0, y(3), dx(3)
    character(kind=c_char), pointer :: text(:)
    type(c_ptr) :: c_text
    integer(c_int32_t) :: status

    status = gelu_forward_f32(x, y, size(x, kind=c_size_t), gelu_approximation_none)
    if (status /= 0) error stop "gelu_forward_f32"
    status = gelu_backward_f32(dy, x, dx, size(x, kind=c_size_t), gelu_approximation_none)
    if (status /= 0) error stop "gelu_backward_f32"

    status = gelu_forward_f32(x, y, size(x, kind=c_size_t), 7)  ! There is no such form.
    c_text = gelu_status_string(status)
    call c_f_pointer(c_text, text, [strlen(c_text)])
    print '(a, es14.7, a, es14.7, a, i0, *(a))', &
        'GELU(-6) = ', y(1), ', derivative ', dx(1), '; status ', status, ': ', text
end program
