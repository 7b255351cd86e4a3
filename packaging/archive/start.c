/*
 * start - replaces itself with PROGRAM in ../lib/itemfs, or explains why this system cannot run it
 *
 * PROGRAM is linked with glibc. This program is linked with nothing, so it also runs on a system with musl, where a
 * shell would only print "not found" for PROGRAM.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	char self[PATH_MAX], program[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)argc;
	if (n < 0) {
		dprintf(STDERR_FILENO, PROGRAM ": /proc/self/exe: %s\n", strerror(errno));
		return 127;
	}
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(program, sizeof(program), "%s/../lib/itemfs/" PROGRAM, self);
	execv(program, argv);
	if (errno == ENOENT && access(program, F_OK) == 0) {
		dprintf(STDERR_FILENO, PROGRAM
			": this system has no glibc: itemfs needs glibc 2.34 or newer and does "
			"not run with musl, for example on Alpine Linux\n");
	} else {
		dprintf(STDERR_FILENO, PROGRAM ": %s: %s\n", program, strerror(errno));
	}
	return 127;
}
