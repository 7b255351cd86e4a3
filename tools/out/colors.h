/* colors - may output have colors? */
#ifndef TOOLS_OUT_COLORS_H
#define TOOLS_OUT_COLORS_H

#include <stdbool.h>

/* Around the name of an error. */
#define COLORS_ERROR "\x1b[1;31m"
#define COLORS_END "\x1b[0m"

/**
 * colors_wanted - is @fd a terminal that shows colors, and NO_COLOR not set?
 *
 * See no-color.org.  A terminal without TERM, or a dumb one, would show the sequences themselves.
 */
bool colors_wanted(int fd);

#endif
