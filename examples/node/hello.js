// libgelu from Node.js, by koffi. For Float64Array it is the same with f64 and double.
const koffi = require("koffi");

const library = koffi.load(process.env.GELU_LIBRARY ?? "libgelu.so.0.1");
const gelu_forward_f32 = library.func(
  "int32_t gelu_forward_f32(const float *x, _Out_ float *y, size_t n, int32_t approximation)",
);
const gelu_backward_f32 = library.func(
  "int32_t gelu_backward_f32(const float *dy, const float *x, _Out_ float *dx, size_t n, int32_t approximation)",
);
const gelu_status_string = library.func("const char *gelu_status_string(int32_t status)");

const NONE = 0;
const TANH = 1;

function check(status) {
  if (status !== 0) throw new Error(`status ${status}: ${gelu_status_string(status)}`);
}

// The library cannot see what kind of array it is given, nor how long it is.
function checkArrays(...arrays) {
  for (const array of arrays) {
    if (!(array instanceof Float32Array)) throw new TypeError("not a Float32Array");
    if (array.length !== arrays[0].length) throw new RangeError("the lengths differ");
  }
}

// Writes GELU of x to y, which may be x.
function forward(x, y, approximation = NONE) {
  checkArrays(x, y);
  check(gelu_forward_f32(x, y, x.length, approximation));
}

// Writes dy times the derivative at x to dx, which may be dy or x.
function backward(dy, x, dx, approximation = NONE) {
  checkArrays(dy, x, dx);
  check(gelu_backward_f32(dy, x, dx, x.length, approximation));
}

const x = Float32Array.of(-6, 0, 6);
const dy = Float32Array.of(1, 1, 1);
const y = new Float32Array(3);
const dx = new Float32Array(3);
forward(x, y);
backward(dy, x, dx);
try {
  forward(x, y, 7);
} catch (error) {
  console.log(`GELU(-6) = ${y[0].toPrecision(8)}, derivative ${dx[0].toPrecision(8)}; ${error.message}`);
}
