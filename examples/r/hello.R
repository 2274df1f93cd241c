# libgelu from R, which has doubles only. gelu.c is built first, by R CMD SHLIB gelu.c -lgelu.
dyn.load("gelu.so")

approximations <- c(none = 0L, tanh = 1L)

gelu_forward <- function(x, approximation = "none")
    .Call("r_gelu_forward", x, approximations[approximation])

gelu_backward <- function(dy, x, approximation = "none")
    .Call("r_gelu_backward", dy, x, approximations[approximation])

x <- c(-6, 0, 6)
y <- gelu_forward(x)
dx <- gelu_backward(rep(1, length(x)), x)
message <- tryCatch(gelu_forward(x, "erf"), error = conditionMessage)
cat(sprintf("GELU(-6) = %.16g, derivative %.16g; %s\n", y[1], dx[1], message))
