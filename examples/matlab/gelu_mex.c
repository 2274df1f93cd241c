/* The gateway between MATLAB or Octave and libgelu; gelu.m and gelu_backward.m call it.
 *
 *     y  = gelu_mex('forward', x, approximation)
 *     dx = gelu_mex('backward', dy, x, approximation)
 *
 * x and dy are real, full and single or double; the result has the class and the size of x. `make mex` builds it. */
#include <string.h>

#include <gelu.h>
#include <mex.h>

static const void *data(const mxArray *array)
{
#if MX_HAS_INTERLEAVED_COMPLEX
    return mxIsSingle(array) ? (const void *)mxGetSingles(array) : (const void *)mxGetDoubles(array);
#else
    return mxGetData(array);
#endif
}

static void check_class(const mxArray *array, const char *name)
{
    if (mxIsSparse(array))
        mexErrMsgIdAndTxt("gelu:sparse", "%s is sparse; full(%s) has the same values.", name, name);
    if (!mxIsSingle(array) && !mxIsDouble(array))
        mexErrMsgIdAndTxt("gelu:class", "%s has class %s, not single or double.", name, mxGetClassName(array));
    if (mxIsComplex(array))
        mexErrMsgIdAndTxt("gelu:complex", "%s is complex.", name);
}

static int is_same_size(const mxArray *a, const mxArray *b)
{
    mwSize dimensions = mxGetNumberOfDimensions(a);
    return dimensions == mxGetNumberOfDimensions(b) &&
           memcmp(mxGetDimensions(a), mxGetDimensions(b), dimensions * sizeof(mwSize)) == 0;
}

/* A char array is one of these words. A longer one does not fit and is none of them. */
static int is_word(const mxArray *array, const char *word)
{
    char text[16];
    return mxIsChar(array) && mxGetString(array, text, sizeof text) == 0 && strcmp(text, word) == 0;
}

static gelu_approximation approximation_of(const mxArray *array)
{
    if (is_word(array, "none"))
        return GELU_APPROXIMATION_NONE;
    if (!is_word(array, "tanh"))
        mexErrMsgIdAndTxt("gelu:approximation", "Approximation is neither 'none' nor 'tanh'.");
    return GELU_APPROXIMATION_TANH;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    const int is_forward = nrhs == 3 && is_word(prhs[0], "forward");
    const int is_backward = nrhs == 4 && is_word(prhs[0], "backward");
    const mxArray *x;
    gelu_approximation approximation;
    gelu_status status;
    size_t n;

    if ((!is_forward && !is_backward) || nlhs > 1)
        mexErrMsgIdAndTxt("gelu:arguments",
                          "Use y = gelu_mex('forward', x, approximation) or "
                          "dx = gelu_mex('backward', dy, x, approximation).");
    x = prhs[nrhs - 2];
    check_class(x, "x");
    approximation = approximation_of(prhs[nrhs - 1]);
    n = mxGetNumberOfElements(x);
    if (is_backward) {
        check_class(prhs[1], "dy");
        if (mxGetClassID(prhs[1]) != mxGetClassID(x))
            mexErrMsgIdAndTxt("gelu:class", "dy has class %s and x has class %s.", mxGetClassName(prhs[1]),
                              mxGetClassName(x));
        if (!is_same_size(prhs[1], x))
            mexErrMsgIdAndTxt("gelu:size", "dy and x have different sizes.");
    }

    /* The library's worker threads run code of this file: `clear all` must not remove it. */
    if (!mexIsLocked())
        mexLock();
    plhs[0] = mxCreateUninitNumericArray(mxGetNumberOfDimensions(x), (mwSize *)mxGetDimensions(x), mxGetClassID(x),
                                         mxREAL);
    if (mxIsSingle(x))
        status = is_forward ? gelu_forward_f32(data(x), (float *)data(plhs[0]), n, approximation)
                            : gelu_backward_f32(data(prhs[1]), data(x), (float *)data(plhs[0]), n, approximation);
    else
        status = is_forward ? gelu_forward_f64(data(x), (double *)data(plhs[0]), n, approximation)
                            : gelu_backward_f64(data(prhs[1]), data(x), (double *)data(plhs[0]), n, approximation);
    if (status != GELU_OK)
        mexErrMsgIdAndTxt("gelu:status", "%s", gelu_status_string(status));
}
