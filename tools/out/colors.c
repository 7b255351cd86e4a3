/* colors - see colors.h */
#include "tools/out/colors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
colors_wanted(int fd)
{
	const char *plain = getenv("NO_COLOR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
	const char *terminal = getenv("TERM");  /* NOLINT(concurrency-mt-unsafe): likewise */

	return isatty(fd) && (plain == NULL || *plain == '\0') && terminal != NULL &&
	       strcmp(terminal, "dumb") != 0;
}
