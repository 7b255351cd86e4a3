#include "tests/engine/script.h"

#include "store/wire/codec/codec.h"

#include "tests/engine/script_records.h"
#include "tests/support/json_same.h"
#include "tests/support/read_file.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { CALL_BUDGET = 256 << 20 };

/* A statement: a line with its continuation lines. */
struct statement {
	size_t line;
	struct slice text;
};

struct script {
	const char *path;
	struct call memory;
	struct statement *at;
	size_t n;
};

/* ------------------------------------------------------------ reading */

static bool
goes_on(struct slice line)
{
	return line.len > 0 && (line.at[0] == ' ' || line.at[0] == '\t');
}

static struct slice
cut_line(struct slice *rest)
{
	const char *end = memchr(rest->at, '\n', rest->len);
	size_t n = end == NULL ? rest->len : (size_t)(end - rest->at);
	struct slice line = slice_of(rest->at, n);

	*rest = slice_skip(*rest, n + (end != NULL));
	return line;
}

/* Return the offset of the "}%" that ends the repetition at the beginning of @text. */
static size_t
end_of(struct slice text)
{
	unsigned depth = 0;

	for (size_t i = 0; i + 1 < text.len; i++) {
		if (text.at[i] == '%' && text.at[i + 1] == '{') {
			depth++;
			i++;
		} else if (text.at[i] == '}' && text.at[i + 1] == '%' && --depth == 0) {
			return i;
		}
	}
	return text.len;
}

/* Return the offset of the two characters @two in @text; its length if absent. */
static size_t
find_two(struct slice text, const char *two)
{
	const char *at = text.len == 0 ? NULL : memmem(text.at, text.len, two, 2);

	return at == NULL ? text.len : (size_t)(at - text.at);
}

/* Replace "%i" by the number @i; nested repetitions stay. */
static struct slice
number_text(struct arena *a, struct slice text, unsigned long i)
{
	struct buf b;

	buf_init(&b, a);
	while (text.len > 0) {
		size_t n = find_two(text, "%i");

		buf_slice(&b, slice_of(text.at, n));
		text = slice_skip(text, n);
		if (text.len > 0) {
			buf_fmt(&b, "%lu", i);
			text = slice_skip(text, 2);
		}
	}
	return buf_view(&b);
}

static struct slice expand(struct arena *a, struct slice text);

/* Append the expansion of "%{N|text}%" or "%{N,|text}%".  Return: the text after it */
static struct slice
repeat(struct arena *a, struct buf *out, struct slice rest)
{
	size_t close = end_of(rest);
	char *bar = NULL;
	unsigned long n = strtoul(rest.at + 2, &bar, 10);
	bool commas = *bar == ',';
	size_t from = (size_t)(bar - rest.at) + commas + 1;
	struct slice text = slice_of(rest.at + from, close - from);
	bool same = find_two(text, "%i") == text.len && find_two(text, "%{") == text.len;

	for (unsigned long i = 0; i < n; i++) {
		buf_str(out, commas && i > 0 ? "," : "");
		buf_slice(out, same ? text : expand(a, number_text(a, text, i)));
	}
	return slice_skip(rest, close == rest.len ? close : close + 2);
}

static struct slice
expand(struct arena *a, struct slice text)
{
	size_t n = find_two(text, "%{");
	struct buf b;

	if (n == text.len) {
		return text;
	}
	buf_init(&b, a);
	while (text.len > 0) {
		buf_slice(&b, slice_of(text.at, n));
		text = slice_skip(text, n);
		if (text.len > 0) {
			text = repeat(a, &b, text);
		}
		n = find_two(text, "%{");
	}
	return buf_view(&b);
}

static void
parse(struct script *s, struct slice text)
{
	size_t line = 0;
	struct buf whole = {0};

	s->at = arena_new(&s->memory.arena, struct statement, text.len);
	while (text.len > 0) {
		struct slice l = cut_line(&text);

		line++;
		if (l.len == 0 || l.at[0] == '#') {
			continue;
		}
		if (goes_on(l) && s->n > 0) {
			buf_slice(&whole, l);
			s->at[s->n - 1].text = buf_view(&whole);
			continue;
		}
		buf_init(&whole, &s->memory.arena);
		buf_slice(&whole, l);
		s->at[s->n++] = (struct statement){line, buf_view(&whole)};
	}
}

/* ------------------------------------------------------------ running */

/* @body: {"TableName": ...}, as for DescribeTable */
static int
table_records(struct engine *e, struct call *c, struct slice body, struct get_records_out *out)
{
	struct op_in in = {.type = OP_DESCRIBE_TABLE};
	int r = codec_decode_in(c, CODEC_OWN, body, &in);

	return r < 0 ? r : script_records(e, c, in.describe_table.table, out);
}

int
script_request(struct engine *e, struct call *c, struct slice op, struct slice body,
	       struct slice *out)
{
	struct op_in in = {.type = op_find(op)};
	struct op_out answer = {.type = in.type};
	struct buf b;
	int r;

	buf_init(&b, &c->arena);
	if (slice_is(op, SCRIPT_RECORDS)) {
		in.type = answer.type = OP_GET_RECORDS;
		r = table_records(e, c, body, &answer.get_records);
	} else if (in.type == OP_COUNT) {
		r = call_fail(c, ERR_UNKNOWN_OPERATION, "%.*s", SLICE_ARG(op));
	} else {
		r = codec_decode_in(c, CODEC_OWN, body, &in);
	}
	if (r == 0 && !slice_is(op, SCRIPT_RECORDS)) {
		r = engine_execute(e, c, &in, &answer);
	}
	if (r == 0) {
		codec_encode_out(&b, CODEC_FOREIGN, SLICE(""), &in, &answer);
	} else {
		codec_encode_error(&b, CODEC_FOREIGN, &c->error);
	}
	*out = buf_view(&b);
	return r;
}

/* Return true if the statement is an expected answer. */
static bool
is_answer(struct slice text)
{
	return slice_starts(text, SLICE("=> ")) || slice_starts(text, SLICE("=~ "));
}

static void
complain(const struct script *s, const struct testee *t, size_t line, struct slice got)
{
	printf("\n%s:%zu on \"%s\": %.*s\n", s->path, line, t->name, SLICE_ARG(got));
	CU_FAIL("the answer differs from the script");
}

static const struct json *
parse_json(struct call *c, struct slice text)
{
	const struct json *json = NULL;

	return json_parse(c, text, JSON_STRICT, &json) < 0 ? NULL : json;
}

static bool
error_as_expected(struct call *c, struct slice want, struct slice body)
{
	if (want.len > 0 && want.at[0] == '{') {
		struct call own;

		call_open(&own, 0, CALL_BUDGET);

		const struct json *some = parse_json(&own, want);
		const struct json *all = parse_json(&own, body);
		bool same = some != NULL && all != NULL && json_holds(all, some);

		call_close(&own);
		return same;
	}
	struct buf text;

	buf_init(&text, &c->arena);
	buf_fmt(&text, "%s: %s", error_wire(c->error.code), c->error.message);
	return slice_eq(buf_view(&text), want) || slice_is(want, error_wire(c->error.code));
}

static bool
answer_as_expected(struct slice want, struct slice body)
{
	struct call own;

	call_open(&own, 0, CALL_BUDGET);

	const struct json *a = parse_json(&own, want);
	const struct json *b = parse_json(&own, body);
	bool same = a != NULL && b != NULL && json_same(a, b);

	call_close(&own);
	return same;
}

/* Run an operation and compare its answer with the expected one; if @last is set, report a difference. */
static bool
try_operation(const struct script *s, struct testee *t, size_t i, bool last)
{
	struct slice text = s->at[i].text;
	const char *blank = memchr(text.at, ' ', text.len);
	size_t n = blank == NULL ? text.len : (size_t)(blank - text.at);
	struct slice want = SLICE("");
	struct slice body;
	struct call c;

	call_open(&c, ENGINES_NOW_MS, CALL_BUDGET);
	if (i + 1 < s->n && is_answer(s->at[i + 1].text)) {
		want = expand(&c.arena, slice_skip(s->at[i + 1].text, 3));
	}
	struct slice request = expand(&c.arena, slice_skip(text, n));
	int r = script_request(t->engine, &c, slice_of(text.at, n), request, &body);
	bool as_expected;

	if (t->foreign && op_from_name(OP_ITEMFS, slice_of(text.at, n)) != OP_COUNT) {
		CU_ASSERT_EQUAL(r, -ERR_NOT_SUPPORTED);
		c.error = (struct error){0};
		r = script_request(t->behind, &c, slice_of(text.at, n), slice_skip(text, n), &body);
	}
	if (want.len == 0) {
		as_expected = r == 0;
	} else if (want.at[0] == '!') {
		as_expected = r < 0 && error_as_expected(&c, slice_skip(want, 2), body);
	} else {
		as_expected = r == 0 && answer_as_expected(want, body);
	}
	if (!as_expected && last) {
		complain(s, t, s->at[i].line, body);
	}
	call_close(&c);
	return as_expected;
}

/* An operation with a "=~" answer is repeated until the answer matches. */
static void
run_operation(const struct script *s, struct testee *t, size_t i)
{
	bool patient = i + 1 < s->n && slice_starts(s->at[i + 1].text, SLICE("=~ "));
	bool done = patient && try_operation(s, t, i, false);
	unsigned tries = 0;

	while (patient && !done && wait_again(&tries)) {
		done = try_operation(s, t, i, false);
	}
	if (!done) {
		(void)try_operation(s, t, i, true);
	}
	CU_PASS("an answer was checked");
}

/* @text: "bucket/key content" */
static void
run_object(const struct testee *t, struct slice text)
{
	const char *blank = memchr(text.at, ' ', text.len);
	size_t n = blank == NULL ? text.len : (size_t)(blank - text.at);
	struct call own;
	struct buf content;

	call_open(&own, 0, CALL_BUDGET);
	buf_init(&content, &own.arena);
	struct slice rest = expand(&own.arena, slice_skip(text, blank == NULL ? n : n + 1));

	while (rest.len > 0) {
		bool newline = slice_starts(rest, SLICE("%n"));

		buf_char(&content, newline ? '\n' : rest.at[0]);
		rest = slice_skip(rest, newline ? 2 : 1);
	}
	engines_object(t, slice_of(text.at, n), buf_view(&content));
	call_close(&own);
}

static bool
is_head(struct slice text)
{
	return slice_starts(text, SLICE("== ")) || slice_starts(text, SLICE("-- "));
}

static void run_block(const struct script *s, struct testee *t, size_t i);

static void
run_preparation(const struct script *s, struct testee *t, size_t from)
{
	struct slice name = slice_skip(s->at[from].text, 2);

	for (size_t i = 0; i < s->n; i++) {
		if (slice_starts(s->at[i].text, SLICE("-- ")) &&
		    slice_eq(slice_skip(s->at[i].text, 3), name)) {
			run_block(s, t, i);
			return;
		}
	}
	complain(s, t, s->at[from].line, SLICE("no such preparation"));
}

static void
run_block(const struct script *s, struct testee *t, size_t i)
{
	for (i++; i < s->n && !is_head(s->at[i].text); i++) {
		if (slice_starts(s->at[i].text, SLICE("+ "))) {
			run_preparation(s, t, i);
		} else if (slice_starts(s->at[i].text, SLICE("~ "))) {
			engines_wait(t, slice_skip(s->at[i].text, 2));
		} else if (slice_starts(s->at[i].text, SLICE("Bucket "))) {
			engines_bucket(t, slice_skip(s->at[i].text, 7));
		} else if (slice_starts(s->at[i].text, SLICE("Object "))) {
			run_object(t, slice_skip(s->at[i].text, 7));
		} else if (!is_answer(s->at[i].text)) {
			run_operation(s, t, i);
		}
	}
}

void
script_run(const char *path)
{
	struct script s = {.path = path};
	size_t tests = 0;

	call_open(&s.memory, 0, CALL_BUDGET);
	parse(&s, read_file(&s.memory.arena, path));
	for (size_t row = 0; row < engines_count; row++) {
		for (size_t i = 0; i < s.n; i++) {
			if (slice_starts(s.at[i].text, SLICE("== "))) {
				struct testee t = {.name = engines[row].name};

				engines[row].open(&t);
				run_block(&s, &t, i);
				engines[row].close(&t);
				tests++;
			}
		}
	}
	CU_ASSERT_TRUE(tests > 0);
	call_close(&s.memory);
}
