/* fake_disk - an fstatvfs() in the executable, which takes precedence over the C library's */
#include "tests/support/fake_disk.h"

#include <dlfcn.h>
#include <sys/statvfs.h>

static struct {
	uint64_t size; /* 0: the real size */
	uint64_t left;
	bool read_only;
} fake_disk;

void
fake_disk_set(uint64_t size, uint64_t left)
{
	fake_disk.size = size;
	fake_disk.left = left;
}

void
fake_disk_read_only(void)
{
	fake_disk.read_only = true;
}

void
fake_disk_end(void)
{
	fake_disk.size = 0;
	fake_disk.read_only = false;
}

int
fstatvfs(int fd, struct statvfs *st)
{
	int (*real)(int, struct statvfs *) =
		(int (*)(int, struct statvfs *))dlsym(RTLD_NEXT, "fstatvfs");
	int r = real(fd, st);

	if (r == 0 && fake_disk.size > 0) {
		st->f_blocks = fake_disk.size / st->f_frsize;
		st->f_bfree = st->f_bavail = fake_disk.left / st->f_frsize;
	}
	if (r == 0 && fake_disk.read_only) {
		st->f_flag |= ST_RDONLY;
	}
	return r;
}
