/*
 * start - replaces itself with PROGRAM in ../lib/itemfs, or explains why this system cannot run it
 *
 * PROGRAM is linked with glibc, and the kernel starts it with LOADER. This program is linked with nothing, so it also
 * runs on a system with musl, where a shell would only print "not found" for PROGRAM, or with an older glibc, which
 * would print a line for each symbol version that it lacks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLDEST "2.34"

/*
 * Is the loader that of a glibc older than OLDEST? Since that version, glibc's loader names the version in its symbol
 * table. A loader of others, which may start glibc's, is no reason to refuse.
 */
static int
start_is_too_old(void)
{
	int fd = open(LOADER, O_RDONLY | O_CLOEXEC), is_old = 0;
	struct stat st;
	void *p;

	if (fd < 0) {
		return 0;
	}
	if (fstat(fd, &st) == 0 &&
	    (p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) != MAP_FAILED) {
		is_old = memmem(p, (size_t)st.st_size, "GLIBC_" OLDEST, strlen("GLIBC_" OLDEST)) ==
				 NULL &&
			 memmem(p, (size_t)st.st_size, "GLIBC_PRIVATE", strlen("GLIBC_PRIVATE")) !=
				 NULL;
		munmap(p, (size_t)st.st_size);
	}
	close(fd);
	return is_old;
}

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
	if (start_is_too_old()) {
		dprintf(STDERR_FILENO, PROGRAM
			": this system has a glibc older than " OLDEST
			", which itemfs needs; Debian 12, Ubuntu 22.04, Fedora 35 and RHEL 9 are new enough\n");
		return 127;
	}
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(program, sizeof(program), "%s/../lib/itemfs/" PROGRAM, self);
	execv(program, argv);
	if (errno == ENOENT && access(program, F_OK) == 0) {
		dprintf(STDERR_FILENO,
			PROGRAM ": this system has no glibc: itemfs needs glibc " OLDEST
				" or newer and does "
				"not run with musl, for example on Alpine Linux\n");
	} else {
		dprintf(STDERR_FILENO, PROGRAM ": %s: %s\n", program, strerror(errno));
	}
	return 127;
}
