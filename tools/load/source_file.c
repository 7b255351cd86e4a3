/* source_file - see source_file.h */
#include "tools/load/source_file.h"

#include <fcntl.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/unpack.h"
#include "store/model/csv.h"

#include "tools/load/source.h"
#include "tools/load/source_csv.h"
#include "tools/load/split.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/system/unpacker.h"
#include "tools/text/utf16.h"
#include "tools/text/yaml_text.h"

enum {
	BEGINNING = 3,    /* bytes that are needed to detect the encoding */
	LOOK = 64 * 1024, /* bytes that are searched for the end of the first line */
};

static const enum split_kind kinds[] = {
	[SOURCE_JSONL] = SPLIT_LINES,  [SOURCE_JSON] = SPLIT_JSON, [SOURCE_CSV] = SPLIT_CSV,
	[SOURCE_EXPORT] = SPLIT_LINES, [SOURCE_YAML] = SPLIT_JSON,
};

uint64_t
source_file_bytes(const struct source *s)
{
	return s->unpack == NULL ? 0 : unpack_bytes(s->unpack);
}

void
source_file_close(struct source *s)
{
	s->bytes += source_file_bytes(s);
	(void)utf16_end(&s->utf16);
	unpacker_close(s->unpacker);
	s->unpacker = NULL;
	unpack_close(s->unpack);
	s->unpack = NULL;
}

/* Open s->file; standard input is duplicated. */
static int
source_file_open(struct source *s, struct call *c)
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

int
source_file_next(struct source *s, struct call *c)
{
	size_t n = s->files->n == 0 ? 1 : s->files->n;

	assert(s->unpack == NULL);
	if (s->next == n) {
		return SOURCE_END;
	}
	s->file = s->files->n == 0 ? NULL : s->files->at[s->next];
	s->next++;
	if (s->file != NULL && strcmp(s->file, "-") == 0) {
		s->file = NULL;
	}
	int r = source_file_open(s, c);
	if (r < 0) {
		return r;
	}
	s->current = s->form != SOURCE_AUTO
			     ? s->form
			     : source_form_of(s->member != NULL ? s->member : s->file);
	s->splitter = (struct splitter){
		.kind = kinds[s->current],
		.of = s->current == SOURCE_EXPORT ? NULL : s->schema,
	};
	s->columns = NULL;
	s->line = 1;
	s->whole = false;
	s->begun = false;
	s->done = 0;
	buf_clear(&s->in);
	return 0;
}

/* Read one piece to the end of s->in, without changing its length; *@n: its size, 0 at the end of the file. */
static int
source_file_read(struct source *s, struct call *c, size_t *n)
{
	char *to = buf_room(&s->in, SOURCE_FILE_PIECE);
	int r = stop_check(c);

	*n = 0;
	if (r == 0 && s->unpacker != NULL) {
		r = unpacker_read(s->unpacker, c, to, SOURCE_FILE_PIECE, n);
	} else if (r == 0) {
		ssize_t got = unpack_read(s->unpack, to, SOURCE_FILE_PIECE);

		*n = got < 0 ? 0 : (size_t)got;
		if (got == UNPACK_IO) {
			r = call_fail(c, error_of_path(errno), "%s", strerrordesc_np(errno));
		} else if (got == UNPACK_DAMAGED) {
			r = call_fail(c, ERR_USAGE, "the compressed data is damaged or cut short");
		}
	}
	if (stop_asked() != 0) { /* a signal may be the reason of the failure */
		c->error = (struct error){0};
		r = stop_check(c);
	}
	return r;
}

/* Convert the bytes of s->in from @from on, which were just read, from UTF-16 to UTF-8. */
static int
source_file_decode(struct source *s, struct call *c, size_t from)
{
	cleanup(buf_release) struct buf raw = {0};

	buf_slice(&raw, slice_skip(buf_view(&s->in), from));
	s->in.len = from;
	bool good = utf16_put(&s->utf16, buf_view(&raw), &s->in);

	return good ? 0
		    : call_fail(c, ERR_USAGE,
				"this begins as UTF-16, but is not valid UTF-16 here");
}

static struct slice
source_file_line(struct slice in)
{
	return slice_take(&in, '\n');
}

/* Determine the delimiter, and the columns if they are given. */
static int
source_file_begin_csv(struct source *s, struct call *c, struct slice in)
{
	while (in.len > 0 && (in.at[0] == '\n' || in.at[0] == '\r')) {
		in = slice_skip(in, 1);
	}
	if (s->csv.columns != NULL) {
		int r = source_csv_given(c, &s->csv, source_file_line(in), s->csv.delimiter,
					 s->schema, &s->columns);

		s->splitter.delimiter = r < 0 ? ',' : s->columns->delimiter;
		return r;
	}
	s->splitter.delimiter = s->csv.delimiter == '\0' ? csv_delimiter(in) : s->csv.delimiter;
	return 0;
}

/* Return true if these first bytes look like YAML, not like JSON or CSV: "---", "- ", or a comment. */
static bool
source_file_looks_yaml(struct slice in)
{
	return slice_starts(in, SLICE("---\n")) || slice_starts(in, SLICE("--- ")) ||
	       slice_starts(in, SLICE("- ")) || slice_starts(in, SLICE("# "));
}

/* Detect encoding and format of the file from its first bytes: the first line that is not blank, or LOOK bytes. */
static int
source_file_look(struct source *s, struct call *c)
{
	const char *wide = utf16_name(buf_view(&s->in));

	if (wide != NULL) {
		if (!utf16_begin(&s->utf16, wide)) {
			return call_fail(c, ERR_NOT_SUPPORTED,
					 "this is %s, which iconv(3) does not support here", wide);
		}
		int r = source_file_decode(s, c, 0);

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
			"this is Amazon Ion, which is not supported: export the table as DYNAMODB_JSON");
	}
	if (s->form == SOURCE_AUTO && s->current == SOURCE_JSONL) {
		s->current = split_is_json(in) ? SOURCE_JSON
			     : source_csv_looks(&s->csv, source_file_line(in), s->schema)
				     ? SOURCE_CSV
			     : source_file_looks_yaml(in) ? SOURCE_YAML
							  : SOURCE_JSONL;
		s->splitter.kind = kinds[s->current];
	}
	return s->current == SOURCE_CSV ? source_file_begin_csv(s, c, in) : 0;
}

/* Return true if enough was read to detect the format; a pipe may deliver single bytes. */
static bool
source_file_is_begun(const struct source *s)
{
	struct slice in = buf_view(&s->in);

	while (in.len > 0 && ascii_blank(in.at[0])) {
		in = slice_skip(in, 1);
	}
	return s->in.len >= BEGINNING &&
	       (s->in.len >= LOOK || (in.len > 0 && slice_chr(in, '\n') != NULL));
}

int
source_file_fill(struct source *s, struct call *c)
{
	size_t left = s->in.len - s->done;
	size_t n = 0;

	assert(s->unpack != NULL && s->done <= s->in.len);
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
		int r = source_file_read(s, c, &n);

		s->in.len += r < 0 ? 0 : n;
		r = r == 0 && s->utf16.begun ? source_file_decode(s, c, from) : r;
		if (r < 0) {
			return r;
		}
		s->whole = n == 0;
	} while (!s->begun && !s->whole && !source_file_is_begun(s));
	int r = s->begun ? 0 : source_file_look(s, c);

	return r == 0 && s->whole && s->utf16.begun && s->utf16.rest.len > 0
		       ? call_fail(c, ERR_USAGE,
				   "the text ends in the middle of a UTF-16 character")
		       : r;
}

/* Items in YAML as items in JSON, each on the line on which it begins in the YAML, or later */
struct source_file_yaml {
	struct buf *out;
	size_t line; /* the line of the next byte of @out */
};

static void
source_file_add_yaml(void *arg, const struct json *item, size_t line)
{
	struct source_file_yaml *y = arg;
	struct json_writer w;

	for (; y->line < line; y->line++) {
		buf_char(y->out, '\n');
	}
	json_writer_init(&w, y->out, 0);
	json_value(&w, item);
	buf_char(y->out, '\n');
	y->line++;
}

int
source_file_read_yaml(struct source *s, struct call *c)
{
	cleanup(buf_release) struct buf json = {0};
	struct source_file_yaml y = {.out = &json, .line = 1};
	int r = 0;

	while (r == 0 && !s->whole) {
		r = s->in.len > SOURCE_RECORD_MAX
			    ? call_fail(c, ERR_USAGE,
					"a YAML file may have at most %d MiB; JSON Lines have no "
					"limit",
					SOURCE_RECORD_MAX / (1024 * 1024))
			    : source_file_fill(s, c);
	}
	if (r == 0) {
		r = yaml_text_items(c, slice_skip(buf_view(&s->in), s->done), source_file_add_yaml,
				    &y);
		buf_set(&s->in, buf_view(&json));
		s->done = 0;
		s->current = r == 0 ? SOURCE_JSON : s->current;
	}
	return r;
}
