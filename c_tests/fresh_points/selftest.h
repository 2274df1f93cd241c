/* Checks of what every other check here rests on: the exact values and the error measure. */
#ifndef SELFTEST_H
#define SELFTEST_H

/* 0 where all holds; ends the program with a message where something does not. `folder` is that of the committed
 * reference values, or NULL. */
int selftest(const char *folder);

#endif
