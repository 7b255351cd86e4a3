/* source - see source.h; parses only headers of CSV */
#include "tools/load/source.h"

#include <sys/stat.h>

#include "store/base/text/cells.h"

#include "tools/load/source_csv.h"
#include "tools/load/source_file.h"
#include "tools/load/split.h"
#include "tools/out/show.h"

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
	assert(schema != NULL);
	*s = (struct source){.files = files, .form = form, .schema = schema};
	buf_init(&s->in, NULL);
	(void)buf_room(&s->in, SOURCE_FILE_PIECE);
}

void
source_release(struct source *s)
{
	source_file_close(s);
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

/* Put file and line before the message of the error. */
static int
source_at_place(struct source *s, struct call *c)
{
	if (s->current == SOURCE_YAML) { /* its parser has reported the line */
		return call_prefix(c, "%s: ", s->file == NULL ? "standard input" : s->file);
	}
	struct buf where = {.arena = &c->arena};
	source_where(&where, s->file, s->line, 1);
	return call_prefix(c, "%.*s: ", SLICE_ARG(buf_view(&where)));
}

static uint64_t
newlines(struct slice s)
{
	uint64_t n = 0;

	for (const char *at; (at = slice_chr(s, '\n')) != NULL; n++) {
		s = slice_skip(s, (size_t)(at - s.at) + 1);
	}
	return n;
}

/* Skip a long line: past the next newline, or to the end of the file. */
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
		int r = s->whole ? 0 : source_file_fill(s, c);

		if (r < 0 || s->whole) {
			return r;
		}
	}
}

/* Return true if the record at in.at[done] can be skipped.  In JSON it cannot: only its end separates records. */
static bool
may_pass(const struct source *s)
{
	return s->skip && s->splitter.kind != SPLIT_JSON && s->in.len - s->done > SOURCE_RECORD_MAX;
}

/* Get the next record of the open file, and its place. */
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
			r = source_file_fill(s, c);
			if (r == 0) {
				continue;
			}
		}
		return r;
	}
}

/* Read the first record of a CSV file as its columns. */
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

/* Return true for a blank record; in CSV, blanks are a cell. */
static bool
is_blank(const struct source *s, struct slice record)
{
	return s->current == SOURCE_CSV ? cells_line(record).len == 0 : ascii_trim(record).len == 0;
}

/* Fill the chunk with records of the open file.  Return: 0: the chunk is full; SPLIT_END: the file has no more */
static int
fill_chunk(struct source *s, struct call *c, struct chunk *out)
{
	int r = s->begun ? 0 : source_file_fill(s, c); /* detects the format */

	r = r == 0 && s->current == SOURCE_YAML ? source_file_read_yaml(s, c) : r;
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

/* Report that the response in the file is only one page of several, or has unprocessed keys. */
static void
tell_partial(const struct source *s)
{
	if (!s->splitter.partial && !s->splitter.lacks) {
		return;
	}
	cleanup(buf_release) struct buf b = {0};
	buf_fmt(&b, "%s: this answer is incomplete: it has %s\n",
		s->file == NULL ? "standard input" : s->file,
		s->splitter.lacks ? "UnprocessedKeys" : "a LastEvaluatedKey or NextToken");
	show_lines(buf_view(&b));
}

/* Look for text columns that look like numbers, in all records of the first chunk and the first record of others. */
static void
see_numbers(struct source *s, const struct chunk *chunk)
{
	size_t n = s->chunks == 0 || chunk->n == 0 ? chunk->n : 1;

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
		int r = s->unpack == NULL ? source_file_next(s, c) : 0;

		if (r != 0) {
			return r;
		}
		out->file = s->file;
		r = fill_chunk(s, c, out);
		out->form = s->current; /* known after the first bytes */
		out->read = s->bytes + source_file_bytes(s);
		if (r < 0) {
			return source_at_place(s, c);
		}
		see_numbers(s, out);
		if (r == SPLIT_END) {
			tell_partial(s);
			source_file_close(s);
		}
	}
	s->chunks++;
	return 0;
}
