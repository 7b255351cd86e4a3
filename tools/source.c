/* source - read(2) into records; parses nothing but a CSV header */
#include "tools/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/ascii.h"

#include "tools/stop.h"

enum { PIECE = 256 * 1024 };

/* Some editors begin a file with it. */
#define BOM SLICE("\xef\xbb\xbf")
#define GZ SLICE(".gz")

static const char *const forms[] = {
	[SOURCE_AUTO] = "",
	[SOURCE_JSONL] = "jsonl",
	[SOURCE_JSON] = "json",
	[SOURCE_CSV] = "csv",
	[SOURCE_EXPORT] = "dynamodb-export",
};

enum source_form
source_form_named(const char *name)
{
	for (enum source_form f = SOURCE_JSONL; f <= SOURCE_EXPORT; f++) {
		if (strcmp(name, forms[f]) == 0) {
			return f;
		}
	}
	return SOURCE_AUTO;
}

uint64_t
source_size(const struct words *files)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < files->n; i++) {
		struct stat st;

		if (stat(files->at[i], &st) != 0 || !S_ISREG(st.st_mode)) {
			return 0;
		}
		sum += (uint64_t)st.st_size;
	}
	return sum;
}

void
source_init(struct source *s, const struct words *files, enum source_form form,
	    const struct schema *schema)
{
	*s = (struct source){.files = files, .form = form, .schema = schema};
	buf_init(&s->in, NULL);
	(void)buf_room(&s->in, PIECE);
}

/* Bytes of the open file that have been read, as they are on disk. */
static uint64_t
at_byte(const struct source *s)
{
	return s->unpack == NULL ? 0 : unpack_bytes(s->unpack);
}

static void
close_file(struct source *s)
{
	s->bytes += at_byte(s);
	unpack_close(s->unpack);
	s->unpack = NULL;
}

void
source_release(struct source *s)
{
	close_file(s);
	buf_release(&s->in);
}

void
source_where(struct buf *out, const char *file, uint64_t line)
{
	if (file != NULL) {
		buf_fmt(out, "%s:%lu", file, (unsigned long)line);
	} else {
		buf_fmt(out, "line %lu", (unsigned long)line);
	}
}

/* The call's error with file and line in front. */
static int
at_place(struct source *s, struct call *c)
{
	struct buf where;

	buf_init(&where, &c->arena);
	source_where(&where, s->file, s->line);
	return call_prefix(c, "%.*s: ", SLICE_ARG(buf_view(&where)));
}

static enum source_form
form_of(const struct source *s, const char *file)
{
	struct slice name = slice_from(file);

	if (s->form != SOURCE_AUTO) {
		return s->form;
	}
	if (slice_ends(name, GZ)) {
		name.len -= GZ.len;
	}
	if (slice_ends(name, SLICE(".csv"))) {
		return SOURCE_CSV;
	}
	return slice_ends(name, SLICE(".json")) ? SOURCE_JSON : SOURCE_JSONL;
}

/* Standard input stays open. */
static int
open_file(struct source *s, struct call *c)
{
	int fd = s->file == NULL ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
				 : open(s->file, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return call_fail(c, ERR_IO, "%s: %s", s->file == NULL ? "standard input" : s->file,
				 strerrordesc_np(errno));
	}
	s->unpack = unpack_open(fd);
	return 0;
}

/* Open the next file. */
static int
open_next(struct source *s, struct call *c)
{
	static const enum split_kind kinds[] = {[SOURCE_JSONL] = SPLIT_LINES,
						[SOURCE_JSON] = SPLIT_JSON,
						[SOURCE_CSV] = SPLIT_CSV,
						[SOURCE_EXPORT] = SPLIT_LINES};
	size_t n = s->files->n == 0 ? 1 : s->files->n;

	if (s->next == n) {
		return SOURCE_END;
	}
	s->file = s->files->n == 0 ? NULL : s->files->at[s->next];
	s->next++;
	if (s->file != NULL && strcmp(s->file, "-") == 0) {
		s->file = NULL;
	}
	int r = open_file(s, c);
	if (r < 0) {
		return r;
	}
	s->current = form_of(s, s->file);
	s->splitter = (struct splitter){.kind = kinds[s->current]};
	s->columns = NULL;
	s->line = 1;
	s->whole = false;
	s->begun = false;
	s->done = 0;
	buf_clear(&s->in);
	return 0;
}

/* As read(2). */
static int
read_piece(struct source *s, struct call *c, size_t *n)
{
	ssize_t got =
		stop_asked() != 0 ? 0 : unpack_read(s->unpack, buf_room(&s->in, PIECE), PIECE);
	int e = errno;
	int stopped = stop_check(c);

	if (stopped < 0) {
		return stopped;
	}
	if (got == UNPACK_IO) {
		return call_fail(c, ERR_IO, "%s", strerrordesc_np(e));
	}
	if (got == UNPACK_DAMAGED) {
		return call_fail(c, ERR_VALIDATION, "the compressed data is damaged or cut short");
	}
	*n = (size_t)got;
	return 0;
}

/* Read one more piece behind what has not been cut yet. */
static int
fill(struct source *s, struct call *c)
{
	size_t left = s->in.len - s->done;
	size_t n = 0;

	if (left > SOURCE_RECORD_MAX) {
		return call_fail(c, ERR_VALIDATION, "an item of over %d MiB",
				 SOURCE_RECORD_MAX / (1024 * 1024));
	}
	if (s->done > 0 && left > 0) {
		memmove(s->in.at, s->in.at + s->done, left);
	}
	s->in.len = left;
	s->done = 0;
	int r = read_piece(s, c, &n);
	if (r < 0) {
		return r;
	}
	s->in.len += n;
	s->whole = n == 0;
	if (!s->begun && slice_starts(buf_view(&s->in), BOM)) {
		s->done = BOM.len;
	}
	s->begun = true;
	return 0;
}

static uint64_t
newlines(struct slice s)
{
	uint64_t n = 0;

	while (s.len > 0) {
		const char *at = memchr(s.at, '\n', s.len);

		if (at == NULL) {
			break;
		}
		s = slice_skip(s, (size_t)(at - s.at) + 1);
		n++;
	}
	return n;
}

/* The next record of the open file, and the line on which it begins. */
static int
next_record(struct source *s, struct call *c, struct slice *record, uint64_t *line)
{
	for (;;) {
		struct slice rest = slice_of(s->in.at + s->done, s->in.len - s->done);
		size_t used = 0;
		int r = split_next(&s->splitter, c, rest, s->whole, record, &used);
		size_t before = (size_t)(record->at - rest.at);

		if (r == 0) {
			*line = s->line + newlines(slice_of(rest.at, before));
		}
		s->line += newlines(slice_of(rest.at, used));
		s->done += used;
		if (r == SPLIT_MORE) {
			r = fill(s, c);
			if (r == 0) {
				continue;
			}
		}
		return r;
	}
}

/* The first record of a CSV file names its columns. */
static int
read_header(struct source *s, struct call *c)
{
	struct csv_columns *columns = arena_new(&c->arena, struct csv_columns, 1);
	struct slice record;
	uint64_t line = 0;

	int r = next_record(s, c, &record, &line);
	if (r == 0) {
		r = csv_header(c, record, columns);
	}
	if (r == 0) {
		csv_adopt(columns, s->schema, s->infer);
		s->columns = columns;
	}
	return r;
}

/* Records of the open file until the chunk is full; SPLIT_END: the file has no more. */
static int
fill_chunk(struct source *s, struct call *c, struct chunk *out)
{
	int r = 0;

	if (s->current == SOURCE_CSV && s->columns == NULL) {
		r = read_header(s, c);
	}
	out->columns = s->columns;
	while (r == 0 && out->n < SOURCE_RECORDS && out->bytes.len < SOURCE_BYTES) {
		struct slice record;
		uint64_t line = 0;

		r = next_record(s, c, &record, &line);
		if (r == 0 && ascii_trim(record).len > 0) {
			out->records[out->n++] = (struct record){
				.at = out->bytes.len, .len = record.len, .line = line};
			buf_slice(&out->bytes, record);
		}
	}
	return r;
}

int
source_next(struct source *s, struct call *c, struct chunk *out)
{
	buf_clear(&out->bytes);
	out->n = 0;
	while (out->n == 0) {
		int r = s->unpack == NULL ? open_next(s, c) : 0;

		if (r != 0) {
			return r;
		}
		out->file = s->file;
		out->form = s->current;
		r = fill_chunk(s, c, out);
		out->read = s->bytes + at_byte(s);
		if (r < 0) {
			return at_place(s, c);
		}
		if (r == SPLIT_END) {
			close_file(s);
		}
	}
	out->ticket = s->ticket++;
	return 0;
}
