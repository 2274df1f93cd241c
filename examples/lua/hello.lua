-- libgelu from LuaJIT, by its ffi. For double it is the same with f64 and double[?].
local ffi = require("ffi")

ffi.cdef [[
int32_t gelu_forward_f32(const float *x, float *y, size_t n, int32_t approximation);
int32_t gelu_backward_f32(const float *dy, const float *x, float *dx, size_t n, int32_t approximation);
const char *gelu_status_string(int32_t status);
]]
local gelu = ffi.load(os.getenv("GELU_LIBRARY") or "libgelu.so.0.1")
local NONE, TANH = 0, 1

local function check(status)
    if status ~= 0 then
        error(string.format("status %d: %s", status, ffi.string(gelu.gelu_status_string(status))), 0)
    end
end

-- The library cannot see how long an array is: n must be right.
local n = 3
local x = ffi.new("float[?]", n, {-6, 0, 6})
local dy = ffi.new("float[?]", n, {1, 1, 1})
local y, dx = ffi.new("float[?]", n), ffi.new("float[?]", n)

check(gelu.gelu_forward_f32(x, y, n, NONE))
check(gelu.gelu_backward_f32(dy, x, dx, n, NONE))
-- In place, in the tanh form.
check(gelu.gelu_forward_f32(dy, dy, n, TANH))

local _, message = pcall(check, gelu.gelu_forward_f32(x, y, n, 7))
print(string.format("GELU(-6) = %.8g, derivative %.8g; %s", y[0], dx[0], message))
