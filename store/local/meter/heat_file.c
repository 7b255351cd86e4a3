/* heat_file - see heat_file.h */
#include "store/local/meter/heat_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/regular.h"
#include "store/base/system/write_all.h"
#include "store/local/meter/heat.h"
#include "store/local/meter/heat_text.h"

static const char name[] = "heat";
static const char new_name[] = "heat.new";

enum {
	FILE_MAX = 2 * HEAT_TEXT, /* then it is made shorter */
	READ_MAX = 2 * FILE_MAX,  /* what is longer was not written here */
};

/* -1: there is none. */
static off_t
heat_file_size_of(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 ? st.st_size : -1;
}

static void
heat_file_read_all(int fd, struct buf *out)
{
	ssize_t n = 1;
	size_t left = READ_MAX;

	while (left > 0 && (n > 0 || (n < 0 && errno == EINTR))) {
		n = read(fd, buf_room(out, left < BUFSIZ ? left : BUFSIZ),
			 left < BUFSIZ ? left : BUFSIZ);
		out->len += n > 0 ? (size_t)n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
}

static void
read_at(int dir, struct buf *out)
{
	cleanup(cleanup_fd) int fd = regular_open(dir, name);

	if (heat_file_size_of(fd) > 0) {
		heat_file_read_all(fd, out);
	}
}

void
heat_file_read(int dir, struct buf *out)
{
	read_at(dir, out);
	/* The last line may have been cut off. */
	buf_char(out, '\n');
}

/* All that there is, and @lines, as a shorter file. */
static void
write_anew(int dir, struct slice lines, uint64_t minute)
{
	struct buf text = {0};

	read_at(dir, &text);
	buf_char(&text, '\n');
	buf_slice(&text, lines);
	heat_text_shrink(&text, minute, HEAT_TEXT);
	(void)unlinkat(dir, new_name, 0);
	cleanup(cleanup_fd) int fd = regular_open_for(dir, new_name, O_WRONLY | O_CREAT | O_EXCL);

	if (heat_file_size_of(fd) == 0 && write_all(fd, buf_view(&text)) == 0) {
		(void)renameat(dir, new_name, dir, name);
	}
	buf_release(&text);
}

/* One write, behind a line that a crash may have cut off. */
void
heat_file_append(int dir, struct slice lines, uint64_t minute)
{
	cleanup(cleanup_fd) int fd = regular_open_for(dir, name, O_WRONLY | O_APPEND | O_CREAT);
	off_t size = heat_file_size_of(fd);

	if (size < 0) {
		return;
	}
	if ((size_t)size + lines.len > FILE_MAX) {
		write_anew(dir, lines, minute);
		return;
	}
	struct buf text = {0};

	buf_char(&text, '\n');
	buf_slice(&text, lines);
	(void)!write_all(fd, buf_view(&text));
	buf_release(&text);
}
