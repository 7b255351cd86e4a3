/* source - read(2) into records; parses nothing but a CSV header */
#include "tools/load/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/core/utf8.h"
#include "store/base/text/cells.h"
#include "store/base/text/unpack.h"
#include "store/model/csv.h"

#include "tools/load/source_csv.h"
#include "tools/load/split.h"
#include "tools/out/show.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/system/unpacker.h"
#include "tools/system/yaml_items.h"
#include "tools/text/utf16.h"

enum {
	PIECE = 256 * 1024,
	BEGINNING = 3,    /* bytes that tell how a file is encoded */
	LOOK = 64 * 1024, /* in so many its first line ends, or it tells nothing */
};

static const enum split_kind kinds[] = {
	[SOURCE_JSONL] = SPLIT_LINES,  [SOURCE_JSON] = SPLIT_JSON, [SOURCE_CSV] = SPLIT_CSV,
	[SOURCE_EXPORT] = SPLIT_LINES, [SOURCE_YAML] = SPLIT_JSON,
};

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
	(void)utf16_end(&s->utf16);
	unpacker_close(s->unpacker);
	s->unpacker = NULL;
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
source_at_place(struct source *s, struct call *c)
{
	if (s->current == SOURCE_YAML) { /* its reader has told the line */
		return call_prefix(c, "%s: ", s->file == NULL ? "standard input" : s->file);
	}
	struct buf where = {.arena = &c->arena};
	source_where(&where, s->file, s->line, 1);
	return call_prefix(c, "%.*s: ", SLICE_ARG(buf_view(&where)));
}

/* Standard input stays open. */
static int
source_open_file(struct source *s, struct call *c)
{
	const char *file = s->file == NULL && s->alone ? "/dev/null" : s->file;
	int fd = file == NULL ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
			      : open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return no_file(c, s->file == NULL ? "standard input" : s->file);
	}
	s->unpack = unpack_open(fd);
	if (s->file == NULL) {
		unpack_give(s->unpack, s->ahead);
		s->ahead.len = 0;
	}
	s->member = NULL;
	int r = unpacker_open(c, s->unpack, &s->unpacker, &s->member);

	return r < 0 ? call_prefix(c, "%s: ", s->file == NULL ? "standard input" : s->file) : 0;
}

/* Open the next file. */
static int
source_open_next(struct source *s, struct call *c)
{
	size_t n = s->files->n == 0 ? 1 : s->files->n;

	if (s->next == n) {
		return SOURCE_END;
	}
	s->file = s->files->n == 0 ? NULL : s->files->at[s->next];
	s->next++;
	if (s->file != NULL && strcmp(s->file, "-") == 0) {
		s->file = NULL;
	}
	int r = source_open_file(s, c);
	if (r < 0) {
		return r;
	}
	s->current = s->form != SOURCE_AUTO
			     ? s->form
			     : source_form_of(s->member != NULL ? s->member : s->file);
	s->splitter = (struct splitter){
		.kind = kinds[s->current],
		.envelopes = s->schema != NULL && s->current != SOURCE_EXPORT,
	};
	if (s->schema != NULL) {
		s->splitter.of = (struct envelope_of){s->schema->table, &s->schema->key};
	}
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
	if (s->unpacker != NULL) {
		int r = stop_asked() != 0
				? 0
				: unpacker_read(s->unpacker, c, buf_room(&s->in, PIECE), PIECE, n);
		c->error = stop_asked() != 0 ? (struct error){0} : c->error;
		return stop_asked() != 0 ? stop_check(c) : r;
	}
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

/* Of a text in UTF-16: the bytes that were just read are behind @from in @in, and become UTF-8 there. */
static int
source_decode(struct source *s, struct call *c, size_t from)
{
	cleanup(buf_release) struct buf raw = {0};

	buf_slice(&raw, slice_skip(buf_view(&s->in), from));
	s->in.len = from;
	bool good = utf16_put(&s->utf16, buf_view(&raw), &s->in);

	return good ? 0 : call_fail(c, ERR_USAGE, "this begins as UTF-16, and is none here");
}

static struct slice
first_line(struct slice in)
{
	const char *end = slice_chr(in, '\n');

	return end == NULL ? in : slice_of(in.at, (size_t)(end - in.at));
}

static struct slice
behind_blanks(struct slice in)
{
	while (in.len > 0 && (in.at[0] == '\n' || in.at[0] == '\r')) {
		in = slice_skip(in, 1);
	}
	return in;
}

/* What stands between cells, and the columns where they are given. */
static int
begin_csv(struct source *s, struct call *c, struct slice in)
{
	in = behind_blanks(in);
	if (s->csv.columns != NULL) {
		int r = source_csv_given(c, &s->csv, first_line(in), s->csv.delimiter, s->schema,
					 &s->columns);

		s->splitter.delimiter = r < 0 ? ',' : s->columns->delimiter;
		return r;
	}
	s->splitter.delimiter = s->csv.delimiter == '\0' ? csv_delimiter(in) : s->csv.delimiter;
	return 0;
}

/* A file's first bytes are there: its first line that is not blank, or LOOK bytes. */
static int
look_at_beginning(struct source *s, struct call *c)
{
	const char *wide = utf16_name(buf_view(&s->in));

	if (wide != NULL) {
		if (!utf16_begin(&s->utf16, wide)) {
			return call_fail(c, ERR_NOT_SUPPORTED,
					 "this is %s, which iconv(3) does not know here", wide);
		}
		int r = source_decode(s, c, 0);

		if (r < 0) {
			return r;
		}
	}
	struct slice in = buf_view(&s->in);

	s->done = in.len - utf8_past_mark(in).len;
	s->begun = true;
	in = utf8_past_mark(in);
	if (slice_starts(in, SLICE("$ion_1_")) || slice_starts(in, SLICE("\xe0\x01\x00\xea"))) {
		return call_fail(
			c, ERR_USAGE,
			"this is Amazon Ion, which is not read: export the table as DYNAMODB_JSON");
	}
	if (s->form == SOURCE_AUTO && s->current == SOURCE_JSONL) {
		s->current = split_is_json(in)                                      ? SOURCE_JSON
			     : source_csv_looks(&s->csv, first_line(in), s->schema) ? SOURCE_CSV
			     : yaml_items_look(in)                                  ? SOURCE_YAML
										    : SOURCE_JSONL;
		s->splitter.kind = kinds[s->current];
	}
	return s->current == SOURCE_CSV ? begin_csv(s, c, in) : 0;
}

/* Has enough been read to tell what the file is?  A pipe may deliver a byte at a time. */
static bool
source_is_begun(const struct source *s)
{
	struct slice in = buf_view(&s->in);

	while (in.len > 0 && ascii_blank(in.at[0])) {
		in = slice_skip(in, 1);
	}
	return s->in.len >= BEGINNING &&
	       (s->in.len >= LOOK || (in.len > 0 && slice_chr(in, '\n') != NULL));
}

/* Read one more piece behind what has not been cut yet. */
static int
source_fill(struct source *s, struct call *c)
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
		size_t from = s->in.len;
		int r = read_piece(s, c, &n);

		s->in.len += r < 0 ? 0 : n;
		r = r == 0 && s->utf16.begun ? source_decode(s, c, from) : r;
		if (r < 0) {
			return r;
		}
		s->whole = n == 0;
	} while (!s->begun && !s->whole && !source_is_begun(s));
	int r = s->begun ? 0 : look_at_beginning(s, c);

	return r == 0 && s->whole && s->utf16.begun && s->utf16.rest.len > 0
		       ? call_fail(c, ERR_USAGE, "the text ends in half of a character of UTF-16")
		       : r;
}

/* All of a file of YAML, as JSON. */
static int
read_yaml(struct source *s, struct call *c)
{
	cleanup(buf_release) struct buf json = {0};
	int r = 0;

	while (r == 0 && !s->whole) {
		r = s->in.len > SOURCE_RECORD_MAX
			    ? call_fail(
				      c, ERR_USAGE,
				      "a file of YAML has %d MiB at most: JSON Lines have no limit",
				      SOURCE_RECORD_MAX / (1024 * 1024))
			    : source_fill(s, c);
	}
	if (r == 0) {
		r = yaml_items(c, slice_skip(buf_view(&s->in), s->done), &json);
		buf_clear(&s->in);
		buf_slice(&s->in, buf_view(&json));
		s->done = 0;
		s->current = r == 0 ? SOURCE_JSON : s->current;
	}
	return r;
}

static uint64_t
newlines(struct slice s)
{
	uint64_t n = 0;

	while (s.len > 0) {
		const char *at = slice_chr(s, '\n');

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
		const char *newline = slice_chr(rest, '\n');

		if (newline != NULL) {
			s->done += (size_t)(newline - rest.at) + 1;
			s->line++;
			return 0;
		}
		s->done = s->in.len;
		int r = s->whole ? 0 : source_fill(s, c);

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
source_next_record(struct source *s, struct call *c, struct slice *record, struct record *at)
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
			at->unended = used > 0 && rest.at[used - 1] != '\n';
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
			r = source_fill(s, c);
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
	struct slice text;
	struct record at;

	int r = source_next_record(s, c, &text, &at);
	if (r != 0) {
		return r;
	}
	r = at.too_long ? source_too_long(c)
			: source_csv_header(c, &s->csv, text, s->splitter.delimiter, s->schema,
					    &s->columns);
	s->line = r < 0 ? at.line : s->line;
	return r;
}

/* In CSV blanks are a cell. */
static bool
is_blank(const struct source *s, struct slice record)
{
	return s->current == SOURCE_CSV ? cells_line(record).len == 0 : ascii_trim(record).len == 0;
}

/* Records of the open file until the chunk is full; SPLIT_END: the file has no more. */
static int
fill_chunk(struct source *s, struct call *c, struct chunk *out)
{
	int r = s->begun ? 0 : source_fill(s, c); /* the first bytes tell the form */

	r = r == 0 && s->current == SOURCE_YAML ? read_yaml(s, c) : r;
	r = r == 0 && s->current == SOURCE_CSV && s->columns == NULL ? read_header(s, c) : r;
	out->columns = s->columns;
	while (r == 0 && out->n < SOURCE_RECORDS && out->bytes.len < SOURCE_BYTES) {
		struct record *record = &out->records[out->n];
		struct slice text;

		r = source_next_record(s, c, &text, record);
		if (r == 0 && (record->too_long || !is_blank(s, text))) {
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
	if (!s->splitter.partial && !s->splitter.lacks) {
		return;
	}
	cleanup(buf_release) struct buf b = {0};
	buf_fmt(&b, "%s: this answer is not all: it has %s\n",
		s->file == NULL ? "standard input" : s->file,
		s->splitter.lacks ? "UnprocessedKeys" : "a LastEvaluatedKey or NextToken");
	show_lines(buf_view(&b));
}

/* Does a column that is read as text begin with a number?  All records of the first chunk tell, of others the first one. */
static void
see_numbers(struct source *s, const struct chunk *chunk)
{
	size_t n = s->ticket == 0 || chunk->n == 0 ? chunk->n : 1;

	for (size_t i = 0; i < n && chunk->form == SOURCE_CSV && chunk->columns != NULL; i++) {
		const struct record *record = &chunk->records[i];

		if (!record->too_long && record->len < SOURCE_BYTES) {
			source_csv_see(&s->csv, chunk->columns,
				       slice_of(chunk->bytes.at + record->at, record->len),
				       s->schema);
		}
	}
}

int
source_next(struct source *s, struct call *c, struct chunk *out)
{
	buf_clear(&out->bytes);
	out->n = 0;
	while (out->n == 0) {
		int r = s->unpack == NULL ? source_open_next(s, c) : 0;

		if (r != 0) {
			return r;
		}
		out->file = s->file;
		r = fill_chunk(s, c, out);
		out->form = s->current; /* the file's first bytes tell it */
		out->read = s->bytes + at_byte(s);
		if (r >= 0) {
			see_numbers(s, out);
		}
		if (r < 0) {
			return source_at_place(s, c);
		}
		if (r == SPLIT_END) {
			tell_partial(s);
			close_file(s);
		}
	}
	out->ticket = s->ticket++;
	return 0;
}
