/* unpacker - see unpacker.h; one poll(2) serves the program's standard input and output */
#include "tools/system/unpacker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/base/text/unpack.h"

#include "tools/system/child.h"
#include "tools/text/text_lines.h"

enum {
	UNPACKER_PIECE = 64 * 1024,
	UNPACKER_WORDS = 1024,        /* the first bytes of its messages are read */
	UNPACKER_NAMES = 1024 * 1024, /* most bytes of a list of names */
	UNPACKER_TOLD = 5,            /* most names in a message */
	UNPACKER_MAGIC = 10,
	UNPACKER_UNKNOWN = 81, /* exit status of unzip: unknown compression or encryption */
};

struct unpacker_kind {
	struct slice magic[3]; /* the file begins with one of them */
	const char *argv[4];
	bool archive; /* the program seeks in the file, so it reads the descriptor itself */
};

static const struct unpacker_kind unpacker_kinds[] = {
	{{SLICE_INIT("\x28\xb5\x2f\xfd")}, {"zstd", "-dcq"}, false},
	{{SLICE_INIT("BZh")}, {"bzip2", "-dc"}, false},
	{{SLICE_INIT("\xfd"
		     "7zXZ\0")},
	 {"xz", "-dc"},
	 false},
	{{SLICE_INIT("PK\3\4"), SLICE_INIT("PK\5\6"), SLICE_INIT("PK\7\b")},
	 {"unzip", "-p", "/dev/stdin"},
	 true},
};

enum { UNPACKER_KINDS = sizeof(unpacker_kinds) / sizeof(*unpacker_kinds) };

struct unpacker {
	const char *program;
	struct unpack *raw; /* its input; NULL: it reads the file itself */
	pid_t pid;          /* 0 after its end */
	int to;             /* pipes to its standard input, and from its output; -1 when closed */
	int from;
	int err; /* an unnamed file in memory with its messages */
	char pending
		[UNPACKER_PIECE]; /* input; the bytes from @at to @len are not yet written to @to */
	size_t at;
	size_t len;
	bool fed;     /* the input ends with @pending */
	bool refused; /* the program closed its input early */
};

/* ------------------------------------------------------------ which program */

/* Return true if the file begins with a skippable frame, as pzstd writes it. */
static bool
unpacker_skippable(struct slice s)
{
	return s.len >= 4 && ((unsigned char)s.at[0] & 0xf0) == 0x50 &&
	       memcmp(s.at + 1, "\x2a\x4d\x18", 3) == 0;
}

/* Return true if a block or the end of the stream follows "BZh9": a text may begin with these letters. */
static bool
unpacker_bzip2(struct slice s)
{
	return s.len >= UNPACKER_MAGIC && s.at[3] >= '1' && s.at[3] <= '9' &&
	       (memcmp(s.at + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
		memcmp(s.at + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

static const struct unpacker_kind *
unpacker_find(struct slice s)
{
	for (size_t i = 0; i < UNPACKER_KINDS; i++) {
		const struct unpacker_kind *k = &unpacker_kinds[i];

		for (size_t m = 0; m < 3 && k->magic[m].len > 0; m++) {
			if (slice_starts(s, k->magic[m])) {
				return k;
			}
		}
	}
	return unpacker_skippable(s) ? &unpacker_kinds[0] : NULL;
}

/* Peek at no more bytes than needed, because the next ones may take long to arrive through a pipe. */
static const struct unpacker_kind *
unpacker_kind_of(struct unpack *raw)
{
	struct slice few = unpack_peek(raw, 4);
	const struct unpacker_kind *k = unpacker_find(few);

	if (k == NULL && few.len > 0 && few.at[0] == '\xfd') {
		k = unpacker_find(unpack_peek(raw, 6));
	} else if (k != NULL && strcmp(k->argv[0], "bzip2") == 0 &&
		   !unpacker_bzip2(unpack_peek(raw, UNPACKER_MAGIC))) {
		k = NULL;
	}
	return k;
}

/* ------------------------------------------------------------ the program */

static void
unpacker_shut(int *fd)
{
	cleanup_fd(fd);
	*fd = -1;
}

void
unpacker_close(struct unpacker *u)
{
	if (u == NULL) {
		return;
	}
	if (u->pid > 0) {
		(void)kill(u->pid, SIGKILL);
		(void)child_wait(u->pid);
	}
	unpacker_shut(&u->to);
	unpacker_shut(&u->from);
	unpacker_shut(&u->err);
	free(u);
}

/*
 * Start the program.
 * @file: a descriptor that it reads itself; < 0: it gets its input through a pipe
 * Return: 0, or an errno
 */
static int
unpacker_start(struct unpacker *u, const char *const argv[], int file)
{
	int in[2] = {file, -1};
	int out[2] = {-1, -1};
	int e = 0;

	u->err = child_memory("unpacker", MFD_CLOEXEC);
	if (u->err < 0 || pipe2(out, O_CLOEXEC) < 0 ||
	    (file < 0 && (pipe2(in, O_CLOEXEC) < 0 || fcntl(in[1], F_SETFL, O_NONBLOCK) < 0))) {
		e = errno;
	}
	u->program = argv[0];
	u->to = in[1];
	u->from = out[0];
	u->fed = file >= 0;
	if (e == 0) {
		e = child_start(argv, (const int[]){in[0], out[1], u->err}, CHILD_CLEAN, &u->pid);
	}
	if (file < 0) {
		unpacker_shut(&in[0]);
	}
	unpacker_shut(&out[1]);
	u->pid = e == 0 ? u->pid : 0;
	return e;
}

static int
unpacker_begin(struct call *c, const char *const argv[], struct unpack *raw, bool itself,
	       struct unpacker **out)
{
	struct unpacker *u = mem_zeroed(1, sizeof(*u));
	int e = unpacker_start(u, argv, itself ? unpack_fd(raw) : -1);

	if (e == 0) {
		u->raw = itself ? NULL : raw;
		*out = u;
		return 0;
	}
	unpacker_close(u);
	return e == ENOENT
		       ? call_fail(c, ERR_USAGE,
				   "unpacking this needs the program %s, which is not installed",
				   argv[0])
		       : call_fail(c, ERR_IO, "%s cannot be started: %s", argv[0],
				   strerrordesc_np(e));
}

/* ------------------------------------------------------------ reading */

/* The first useful line of its messages; those of unzip begin with a line that is only the file's name. */
static struct slice
unpacker_words(struct slice all)
{
	struct text_lines lines = {.rest = all};
	struct slice line = SLICE("");

	while (lines.rest.len > 0 && (line.len == 0 || line.at[0] == '[')) {
		line = ascii_trim(text_lines_next(&lines));
	}
	return line;
}

/* The message for an intact archive that unzip cannot unpack; NULL for other failures */
static const char *
unpacker_locked(const struct unpacker *u, int status, struct slice words)
{
	if (strcmp(u->program, "unzip") != 0) {
		return NULL;
	}
	if (words.len > 0 && memmem(words.at, words.len, "password", strlen("password")) != NULL) {
		return "the archive is encrypted: unpack it with its password, then import its "
		       "files";
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == UNPACKER_UNKNOWN
		       ? "the archive is encrypted or compressed in a way that unzip does not know"
		       : NULL;
}

/* Wait for its end, and fail unless it has unpacked everything without a message. */
static int
unpacker_end(struct unpacker *u, struct call *c)
{
	assert(u->pid > 0);
	bool all = u->fed && u->at == u->len && !u->refused;
	int status = child_wait(u->pid);
	char bytes[UNPACKER_WORDS];
	ssize_t n = pread(u->err, bytes, sizeof(bytes), 0);

	u->pid = 0;
	if (status == 0 && n == 0 && all) {
		return 0;
	}
	struct slice words = unpacker_words(slice_of(bytes, n < 0 ? 0 : (size_t)n));
	const char *locked = unpacker_locked(u, status, words);

	if (locked != NULL) {
		return call_fail(c, ERR_USAGE, "%s", locked);
	}
	if (words.len == 0) {
		words = WIFSIGNALED(status) ? slice_from("it was killed by a signal")
					    : slice_from("it did not read to the end");
	}
	return call_fail(c, ERR_USAGE, "the compressed data is damaged or cut short; %s says: %.*s",
			 u->program, SLICE_ARG(words));
}

/* Write pending input to the program. */
static void
unpacker_feed(struct unpacker *u)
{
	assert(u->to >= 0 && u->at < u->len);
	ssize_t n = write(u->to, u->pending + u->at, u->len - u->at);

	if (n > 0) {
		u->at += (size_t)n;
	} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
		u->refused = true;
		unpacker_shut(&u->to);
	}
}

/* Read more of the file, when nothing is pending. */
static int
unpacker_take(struct unpacker *u, struct call *c)
{
	assert(u->raw != NULL && u->at == u->len);
	ssize_t n = unpack_read(u->raw, u->pending, UNPACKER_PIECE);

	if (n < 0) {
		return call_fail(c, error_of_path(errno), "%s", strerrordesc_np(errno));
	}
	u->at = 0;
	u->len = (size_t)n;
	u->fed = n == 0;
	if (u->fed) {
		unpacker_shut(&u->to);
	}
	return 0;
}

/* Wait until a descriptor is ready, and serve it, except for the program's output. @ready: its output can be read */
static int
unpacker_step(struct unpacker *u, struct call *c, bool *ready)
{
	bool left = u->at < u->len && u->to >= 0;
	bool hungry = !left && !u->fed && u->to >= 0;
	struct pollfd fds[] = {
		{.fd = u->from, .events = POLLIN},
		{.fd = left ? u->to : -1, .events = POLLOUT},
		{.fd = hungry && unpack_waits(u->raw) ? unpack_fd(u->raw) : -1, .events = POLLIN},
	};

	*ready = false;
	if ((!hungry || fds[2].fd >= 0) && poll(fds, 3, -1) < 0) {
		return call_fail(c, ERR_IO, "%s", strerrordesc_np(errno));
	}
	*ready = fds[0].revents != 0;
	if (fds[1].revents != 0) {
		unpacker_feed(u);
	}
	return hungry && (fds[2].fd < 0 || fds[2].revents != 0) ? unpacker_take(u, c) : 0;
}

int
unpacker_read(struct unpacker *u, struct call *c, char *at, size_t size, size_t *n)
{
	assert(size > 0);
	*n = 0;
	while (u->from >= 0) {
		bool ready = false;
		int r = unpacker_step(u, c, &ready);

		if (r < 0) {
			return r;
		}
		ssize_t got = ready ? read(u->from, at, size) : 0;

		if (got > 0) {
			*n = (size_t)got;
			return 0;
		}
		if (ready && (got == 0 || errno != EINTR)) {
			unpacker_shut(&u->from);
			unpacker_shut(&u->to);
		}
	}
	return u->pid > 0 ? unpacker_end(u, c) : 0;
}

/* ------------------------------------------------------------ archives */

/* Append the names of all files of an archive, one per line. */
static int
unpacker_list(struct call *c, struct unpack *raw, struct buf *out)
{
	static const char *const argv[] = {"unzip", "-Z1", "/dev/stdin", NULL};
	struct unpacker *u = NULL;
	int r = unpacker_begin(c, argv, raw, true, &u);
	size_t n;

	for (n = 1; r == 0 && u != NULL && n > 0;) {
		r = unpacker_read(u, c, buf_room(out, UNPACKER_PIECE), UNPACKER_PIECE, &n);
		out->len += r == 0 ? n : 0;
		if (r == 0 && out->len > UNPACKER_NAMES) {
			r = call_fail(c, ERR_USAGE, "the archive has too many files");
		}
	}
	unpacker_close(u);
	return r;
}

/* Return true for a file, and not for a directory or one of the extra files that macOS adds. */
static bool
unpacker_is_file(struct slice name)
{
	return name.len > 0 && !slice_ends(name, SLICE("/")) &&
	       !slice_starts(name, SLICE("__MACOSX/"));
}

/* Find the only file of an archive. @beside: set if there are extra files of macOS */
static int
unpacker_member(struct call *c, struct unpack *raw, const char **member, bool *beside)
{
	struct buf names = {.arena = &c->arena};
	struct buf told = {.arena = &c->arena};
	size_t n = 0;

	int r = unpacker_list(c, raw, &names);
	struct text_lines lines = {.rest = buf_view(&names)};

	while (r == 0 && lines.rest.len > 0) {
		struct slice name = text_lines_next(&lines);

		*beside |= slice_starts(name, SLICE("__MACOSX/"));
		if (unpacker_is_file(name)) {
			*member = n == 0 ? slice_cstr(&c->arena, name) : *member;
			if (n < UNPACKER_TOLD) {
				buf_fmt(&told, "%s%.*s", n == 0 ? "" : ", ", SLICE_ARG(name));
			}
			n++;
		}
	}
	if (r < 0 || n == 1) {
		return r;
	}
	return call_fail(
		c, ERR_USAGE,
		n == 0 ? "the archive has no files"
		       : "the archive has %zu files (%.*s%s): unpack it with unzip, then name the "
			 "files to import",
		n, SLICE_ARG(buf_view(&told)), n > UNPACKER_TOLD ? ", ..." : "");
}

static int
unpacker_open_archive(struct call *c, const struct unpacker_kind *k, struct unpack *raw,
		      struct unpacker **out, const char **member)
{
	static const char *const some[] = {"unzip", "-p", "/dev/stdin", "-x", "__MACOSX/*", NULL};
	struct stat st;
	bool beside = false;

	if (fstat(unpack_fd(raw), &st) < 0 || !S_ISREG(st.st_mode)) {
		return call_fail(c, ERR_USAGE,
				 "a zip archive cannot be read from a pipe: name the file, or "
				 "unpack it: unzip -p FILE | itemctl import ...");
	}
	int r = slice_starts(unpack_peek(raw, 4), SLICE("PK\5\6"))
			? call_fail(c, ERR_USAGE, "the archive has no files")
			: unpacker_member(c, raw, member, &beside);

	return r < 0 ? r : unpacker_begin(c, beside ? some : k->argv, raw, true, out);
}

int
unpacker_open(struct call *c, struct unpack *raw, struct unpacker **out, const char **member)
{
	const struct unpacker_kind *k = unpacker_kind_of(raw);

	*out = NULL;
	if (k == NULL) {
		return 0;
	}
	unpack_plain(raw);
	return k->archive ? unpacker_open_archive(c, k, raw, out, member)
			  : unpacker_begin(c, k->argv, raw, false, out);
}
