/*
 * newer_glibc - functions of glibc 2.35 and 2.36 that the archives of libstdc++ and libgcc name
 *
 * They are hidden: shared libraries call those of the system.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN uint32_t arc4random(void);
HIDDEN int _dl_find_object(void *pc, void *out);

/* libstdc++: std::random_device */
uint32_t
arc4random(void)
{
	uint32_t n;

	if (getrandom(&n, sizeof(n), 0) != sizeof(n)) {
		abort();
	}
	return n;
}

/*
 * libgcc: the frames of an exception.  Report "not found", so that an exception ends the program, as it would in any
 * case: no caller of LevelDB catches one.
 */
int
_dl_find_object(void *pc, void *out)
{
	(void)pc;
	(void)out;
	return -1;
}
