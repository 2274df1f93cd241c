// libgelu from Go, by cgo. For float64 it is the same with f64 and C.double.
package main

// #cgo LDFLAGS: -lgelu
// #include <gelu.h>
import "C"

import (
	"fmt"
	"log"
)

const (
	none = C.GELU_APPROXIMATION_NONE
	tanh = C.GELU_APPROXIMATION_TANH
)

// forward writes GELU of x to y, which may be x.
func forward(x, y []float32, approximation C.gelu_approximation) error {
	if len(x) != len(y) {
		return fmt.Errorf("lengths %d and %d", len(x), len(y))
	}
	return result(C.gelu_forward_f32(first(x), first(y), C.size_t(len(x)), approximation))
}

// backward writes dy times the derivative at x to dx, which may be dy or x.
func backward(dy, x, dx []float32, approximation C.gelu_approximation) error {
	if len(dy) != len(x) || len(dx) != len(x) {
		return fmt.Errorf("lengths %d, %d and %d", len(dy), len(x), len(dx))
	}
	return result(C.gelu_backward_f32(first(dy), first(x), first(dx), C.size_t(len(x)), approximation))
}

// first is the address that C takes of a slice; an empty one has none.
func first(s []float32) *C.float {
	if len(s) == 0 {
		return nil
	}
	return (*C.float)(&s[0])
}

func result(status C.gelu_status) error {
	if status == C.GELU_OK {
		return nil
	}
	return fmt.Errorf("status %d: %s", status, C.GoString(C.gelu_status_string(status)))
}

func main() {
	x, dy := []float32{-6, 0, 6}, []float32{1, 1, 1}
	y, dx := make([]float32, 3), make([]float32, 3)
	if err := forward(x, y, none); err != nil {
		log.Fatal(err)
	}
	if err := backward(dy, x, dx, none); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("GELU(-6) = %.8g, derivative %.8g; %v\n", y[0], dx[0], forward(x, y, 7))
}
