/* What .Call of R needs around libgelu: gelu_forward(x, approximation) and gelu_backward(dy, x, approximation). */
#include <R.h>
#include <Rinternals.h>
#include <gelu.h>

/* A new vector, with the dimensions and names of x. */
static SEXP like(SEXP x)
{
    if (!Rf_isReal(x))
        Rf_error("x must be of type double");
    SEXP result = PROTECT(Rf_allocVector(REALSXP, XLENGTH(x)));
    SHALLOW_DUPLICATE_ATTRIB(result, x);
    UNPROTECT(1);
    return result;
}

static void check(gelu_status status)
{
    if (status != GELU_OK)
        Rf_error("status %d: %s", (int)status, gelu_status_string(status));
}

SEXP r_gelu_forward(SEXP x, SEXP approximation)
{
    SEXP y = PROTECT(like(x));
    check(gelu_forward_f64(REAL(x), REAL(y), XLENGTH(x), Rf_asInteger(approximation)));
    UNPROTECT(1);
    return y;
}

SEXP r_gelu_backward(SEXP dy, SEXP x, SEXP approximation)
{
    SEXP dx = PROTECT(like(x));
    if (!Rf_isReal(dy) || XLENGTH(dy) != XLENGTH(x))
        Rf_error("dy must be of type double and as long as x");
    check(gelu_backward_f64(REAL(dy), REAL(x), REAL(dx), XLENGTH(x), Rf_asInteger(approximation)));
    UNPROTECT(1);
    return dx;
}
