/* Prints the instruction set in use. */
#include <stdio.h>
#include <gelu.h>

int main(void)
{
    puts(gelu_isa());
    return 0;
}
