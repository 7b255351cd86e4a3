/* colors - decides whether output has colors */
#ifndef TOOLS_OUT_COLORS_H
#define TOOLS_OUT_COLORS_H

#include <stdbool.h>

/* Sequences before and after the name of an error */
#define COLORS_ERROR "\x1b[1;31m"
#define COLORS_END "\x1b[0m"

/**
 * colors_wanted - return true if @fd is a terminal that shows colors, and NO_COLOR is unset or empty (see no-color.org)
 *
 * Without TERM, or if it is "dumb", the terminal would print the sequences.
 */
bool colors_wanted(int fd);

#endif
