/* source - read(2) into records; parses nothing but a CSV header */
#include "tools/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/utf8.h"

#include "tools/ctl.h"
#include "tools/stop.h"

enum {
	PIECE = 256 * 1024,
	BEGINNING = 3, /* bytes that tell how a file is encoded */
};

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
source_where(struct buf *out, const char *file, uint64_t line, uint64_t lines)
{
	if (file != NULL) {
		buf_fmt(out, "%s:%lu", file, (unsigned long)line);
	} else {
		buf_fmt(out, "line%s %lu", lines > 1 ? "s" : "", (unsigned long)line);
	}
	if (lines > 1) {
		buf_fmt(out, "-%lu", (unsigned long)(line + lines - 1));
	}
}

int
source_too_long(struct call *c)
{
	return call_fail(c, ERR_USAGE, "an item of over %d MiB", SOURCE_RECORD_MAX / (1024 * 1024));
}

/* The call's error with file and line in front. */
static int
at_place(struct source *s, struct call *c)
{
	struct buf where;

	buf_init(&where, &c->arena);
	source_where(&where, s->file, s->line, 1);
	return call_prefix(c, "%.*s: ", SLICE_ARG(buf_view(&where)));
}

/* However it is written: files come from systems that know no case. */
static bool
ends(struct slice name, struct slice suffix)
{
	return name.len >= suffix.len &&
	       ascii_same(slice_skip(name, name.len - suffix.len), suffix);
}

bool
source_has_suffix(const char *file, const char *suffix)
{
	struct slice name = slice_from(file);

	if (ends(name, GZ)) {
		name.len -= GZ.len;
	}
	return ends(name, slice_from(suffix));
}

enum source_form
source_form_of(const char *file)
{
	if (source_has_suffix(file, ".csv")) {
		return SOURCE_CSV;
	}
	return source_has_suffix(file, ".json") ? SOURCE_JSON : SOURCE_JSONL;
}

bool
source_is_gz(const char *file)
{
	return ends(slice_from(file), GZ);
}

/* Standard input stays open. */
static int
open_file(struct source *s, struct call *c)
{
	int fd = s->file == NULL ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
				 : open(s->file, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return call_fail(c, error_of_path(errno), "%s: %s",
				 s->file == NULL ? "standard input" : s->file,
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
	s->current = s->form != SOURCE_AUTO ? s->form : source_form_of(s->file);
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
		return call_fail(c, error_of_path(e), "%s", strerrordesc_np(e));
	}
	if (got == UNPACK_DAMAGED) {
		return call_fail(c, ERR_USAGE, "the compressed data is damaged or cut short");
	}
	*n = (size_t)got;
	return 0;
}

/* A file's first bytes are there: three, if it has so many. */
static int
look_at_beginning(struct source *s, struct call *c)
{
	struct slice in = buf_view(&s->in);

	if (slice_starts(in, SLICE("\xff\xfe")) || slice_starts(in, SLICE("\xfe\xff")) ||
	    (in.len >= 2 && (in.at[0] == '\0' || in.at[1] == '\0'))) {
		return call_fail(c, ERR_USAGE,
				 "this is UTF-16, which is not read: \"iconv -f UTF-16 -t UTF-8\" "
				 "makes UTF-8 of it");
	}
	s->done = in.len - utf8_past_mark(in).len;
	s->begun = true;
	if (s->form == SOURCE_AUTO && s->current == SOURCE_JSONL &&
	    split_is_json(utf8_past_mark(in))) {
		s->current = SOURCE_JSON;
		s->splitter.kind = SPLIT_JSON;
	}
	return 0;
}

/* Read one more piece behind what has not been cut yet. */
static int
fill(struct source *s, struct call *c)
{
	size_t left = s->in.len - s->done;
	size_t n = 0;

	if (left > SOURCE_RECORD_MAX) {
		return source_too_long(c);
	}
	if (s->done > 0 && left > 0) {
		memmove(s->in.at, s->in.at + s->done, left);
	}
	s->in.len = left;
	s->done = 0;
	do {
		int r = read_piece(s, c, &n);

		if (r < 0) {
			return r;
		}
		s->in.len += n;
		s->whole = n == 0;
	} while (!s->begun && !s->whole && s->in.len < BEGINNING);
	return s->begun ? 0 : look_at_beginning(s, c);
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

/* Behind the next newline, which is far away; or to the end. */
static int
pass_line(struct source *s, struct call *c)
{
	for (;;) {
		struct slice rest = slice_of(s->in.at + s->done, s->in.len - s->done);
		const char *newline = rest.len == 0 ? NULL : memchr(rest.at, '\n', rest.len);

		if (newline != NULL) {
			s->done += (size_t)(newline - rest.at) + 1;
			s->line++;
			return 0;
		}
		s->done = s->in.len;
		int r = s->whole ? 0 : fill(s, c);

		if (r < 0 || s->whole) {
			return r;
		}
	}
}

/* Can what stands at in.at[done] be passed over?  Items of JSON are told from each other by their ends alone. */
static bool
may_pass(const struct source *s)
{
	return s->skip && s->splitter.kind != SPLIT_JSON && s->in.len - s->done > SOURCE_RECORD_MAX;
}

/* The next record of the open file, and where it stands there. */
static int
next_record(struct source *s, struct call *c, struct slice *record, struct record *at)
{
	*at = (struct record){.lines = 1};
	for (;;) {
		struct slice rest = slice_of(s->in.at + s->done, s->in.len - s->done);
		size_t used = 0;
		int r = split_next(&s->splitter, c, rest, s->whole, record, &used);
		size_t before = (size_t)(record->at - rest.at);

		if (r == 0) {
			at->line = s->line + newlines(slice_of(rest.at, before));
			at->lines += s->current == SOURCE_CSV ? newlines(*record) : 0;
		}
		s->line += newlines(slice_of(rest.at, used));
		s->done += used;
		if (r == SPLIT_MORE && may_pass(s)) {
			at->line = s->line;
			at->too_long = true;
			*record = slice_of(s->in.at, 0);
			return pass_line(s, c);
		}
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
	struct slice text;
	struct record at;

	int r = next_record(s, c, &text, &at);
	if (r != 0) {
		return r;
	}
	r = at.too_long ? source_too_long(c) : csv_header(c, text, columns);
	if (r < 0) {
		s->line = at.line;
		return r;
	}
	csv_adopt(columns, s->schema, s->infer);
	s->columns = columns;
	return 0;
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
		struct record *record = &out->records[out->n];
		struct slice text;

		r = next_record(s, c, &text, record);
		if (r == 0 && (record->too_long || ascii_trim(text).len > 0)) {
			record->at = out->bytes.len;
			record->len = text.len;
			buf_slice(&out->bytes, text);
			out->n++;
		}
	}
	return r;
}

/* A page of an answer says that there are others. */
static void
tell_partial(const struct source *s)
{
	struct buf b;

	if (!s->splitter.partial) {
		return;
	}
	buf_init(&b, NULL);
	buf_fmt(&b, "%s: this answer is not all: it has a LastEvaluatedKey or NextToken\n",
		s->file == NULL ? "standard input" : s->file);
	ctl_show(buf_view(&b));
	buf_release(&b);
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
		r = fill_chunk(s, c, out);
		out->form = s->current; /* the file's first bytes tell it */
		out->read = s->bytes + at_byte(s);
		if (r < 0) {
			return at_place(s, c);
		}
		if (r == SPLIT_END) {
			tell_partial(s);
			close_file(s);
		}
	}
	out->ticket = s->ticket++;
	return 0;
}
