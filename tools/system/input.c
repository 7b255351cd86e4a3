/* input - see input.h */
#include "tools/system/input.h"

#include <poll.h>
#include <sys/stat.h>

#include "store/base/system/write_all.h"
#include "store/open.h"

#include "tools/system/call_scope.h"

static bool
is_pipe(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Wait until standard input has data or has ended. */
static void
wait_for_bytes(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	while (poll(&in, 1, -1) < 0 && errno == EINTR) {
	}
}

static int
input_fail(struct call *c, int why)
{
	return call_fail(c, why == ENOSPC ? ERR_NO_SPACE : ERR_IO, "standard input: %s",
			 strerrordesc_np(why));
}

/* Copy the pipe to its end into @file, and rewind it. */
static int
input_copy(struct call *c, int file)
{
	char piece[64 * 1024];
	ssize_t n;

	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno == EINTR) {
			continue;
		}
		int why = n < 0 ? errno : write_all(file, slice_of(piece, (size_t)n));

		if (why != 0) {
			return input_fail(c, why);
		}
	}
	return lseek(file, 0, SEEK_SET) < 0 ? input_fail(c, errno) : 0;
}

/* Read the pipe to its end, and replace standard input by a file with the same bytes. */
static int
input_keep(struct call *c)
{
	FILE *file = tmpfile();

	if (file == NULL) {
		return input_fail(c, errno);
	}
	int r = input_copy(c, fileno(file));

	r = r == 0 && dup2(fileno(file), STDIN_FILENO) < 0 ? input_fail(c, errno) : r;
	(void)fclose(file);
	return r;
}

int
input_ahead(struct call *c, int patience_ms, struct input_ahead *out)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	struct buf b = {.arena = &c->arena};
	bool reads = patience_ms < 0 || !isatty(STDIN_FILENO);
	int ready = 0;

	*out = (struct input_ahead){0};
	while (reads && !out->whole && b.len < INPUT_AHEAD &&
	       (ready = poll(&in, 1, patience_ms)) != 0) {
		size_t room = INPUT_AHEAD - b.len;
		/* After an interrupted poll(2), read(2) could wait without limit. */
		ssize_t n = ready < 0 ? -1 : read(STDIN_FILENO, buf_room(&b, room), room);

		if (n < 0 && errno != EINTR) {
			return input_fail(c, errno);
		}
		b.len += n < 0 ? 0 : (size_t)n;
		out->whole = n == 0;
	}
	out->bytes = buf_view(&b);
	return 0;
}

int
input_open(struct call *c, const char *store, bool create, struct engine **out)
{
	if (store_is_remote(store) || !is_pipe()) {
		return store_open(c, store, create, out);
	}
	wait_for_bytes();
	call_scope(own, c->now_ms);
	int r = store_open_now(&own, store, create, out);

	if (r == -ERR_BUSY) {
		r = input_keep(c);
		r = r < 0 ? r : store_open(c, store, create, out);
	} else if (r < 0) {
		r = call_adopt(c, &own);
	}
	return r;
}
