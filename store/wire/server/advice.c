/* advice - finds the hint for an error; the client gets only DynamoDB's message */
#include "store/wire/server/advice.h"

#include "store/base/system/say.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/engine/engine.h"
#include "store/mend/mend.h"
#include "store/op/op.h"
#include "store/wire/proto/wire.h"

enum {
	ADVICE_BUDGET = 4 * 1024 * 1024,
	ADVICE_BODY = 4 * 1024, /* no correction is shown for a larger body */
};

bool
advice_suits(const struct server *s, const struct error *e)
{
	return s->peer == CODEC_FOREIGN &&
	       (e->code == ERR_SERIALIZATION || e->code == ERR_UNKNOWN_OPERATION ||
		(e->message != NULL && (e->code == ERR_NO_TABLE || e->code == ERR_NO_SUCH_TABLE ||
					e->code == ERR_VALIDATION)));
}

/* Return whether this hint is new and may be given, and record it. */
static bool
advice_is_new(struct server *s, struct slice about)
{
	lock_scope(&s->lock);
	for (size_t i = 0; i < s->n_advised; i++) {
		if (slice_eq(s->advised[i], about)) {
			return false;
		}
	}
	if (s->n_advised == sizeof(s->advised) / sizeof(s->advised[0])) {
		return false;
	}
	s->advised[s->n_advised++] = slice_copy(&s->call.arena, about);
	return true;
}

/*
 * Hint at the names of tables.  DescribeTable and DeleteTable may be meant as a test for a table that does not exist.
 */
static void
advice_table(struct server *s, struct call *c, enum op_type type, struct slice table)
{
	bool asks = type == OP_DESCRIBE_TABLE || type == OP_DELETE_TABLE;
	struct near near = near_start(table);
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	struct buf names;
	int r;

	buf_init(&names, &c->arena);
	do {
		r = engine_list_tables(s->e, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			near_try(&near, out.names[i]);
			buf_fmt(&names, "%s%.*s", names.len == 0 ? "" : ", ",
				SLICE_ARG(out.names[i]));
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0 && names.len < 400);
	if (r == 0 && near.best.len > 0) {
		say("hint: table %.*s not found; did you mean %.*s?", SLICE_ARG(table),
		    SLICE_ARG(near.best));
	} else if (r == 0 && !asks) {
		say("hint: table %.*s not found; there %s%.*s", SLICE_ARG(table),
		    names.len == 0 ? "are no tables" : "are: ", SLICE_ARG(buf_view(&names)));
	}
}

/* Append '"NAME":VALUE', or "no NAME". */
static void
advice_put_member(struct buf *out, const struct mend_member *member)
{
	struct json_writer w;

	if (member->json == NULL) {
		buf_fmt(out, "no %.*s", SLICE_ARG(member->name));
		return;
	}
	buf_fmt(out, "\"%.*s\":", SLICE_ARG(member->name));
	json_writer_init(&w, out, 0);
	json_value(&w, member->json);
}

/* Append the members of the request as they were probably meant; return false if there is no suggestion. */
static bool
advice_meant(struct server *s, struct call *own, const struct error *e, enum op_type type,
	     const struct json *json, struct buf *out)
{
	struct mend m = {.c = own, .engine = s->e, .type = type, .message = e->message};
	const char *between = ": ";

	if ((e->code != ERR_SERIALIZATION && e->code != ERR_VALIDATION) ||
	    !mend_request(&m, json)) {
		return false;
	}
	buf_str(out, m.why.len > 0 ? "" : e->message);
	buf_slice(out, buf_view(&m.why));
	if (m.type != type) {
		buf_fmt(out, "%s%s", between, op_name(m.type));
		between = ", ";
	}
	for (size_t i = 0; i < m.n; i++) {
		if (m.member[i].changed) {
			buf_str(out, between);
			advice_put_member(out, &m.member[i]);
			between = ", ";
		}
	}
	return true;
}

/* ------------------------------------------------------------ requests that are no operation */

static void
advice_put_target(struct buf *out, enum op_type type)
{
	buf_fmt(out, "%s%s",
		op_group(type) == OP_STREAMS ? WIRE_TARGET_STREAMS : WIRE_TARGET_DYNAMODB,
		op_name(type));
}

/* Return the operation of a TCP address with the name most similar to that in @target, with any prefix, or OP_COUNT. */
static enum op_type
advice_operation(struct slice target)
{
	const char *dot = slice_rchr(target, '.');
	struct slice name =
		dot == NULL ? target : slice_skip(target, (size_t)(dot + 1 - target.at));
	struct near near = near_start(name);

	for (int i = 0; i < OP_COUNT; i++) {
		if (op_group((enum op_type)i) != OP_ITEMFS) {
			near_try(&near, slice_from(op_name((enum op_type)i)));
		}
	}
	enum op_type type = op_find(near.best.len > 0 ? near.best : name);

	return type < OP_COUNT && op_group(type) == OP_ITEMFS ? OP_COUNT : type;
}

/* Append a command line with the operation @type, or ListTables if it is OP_COUNT. */
static void
advice_put_curl(struct buf *out, const struct server *s, enum op_type type)
{
	buf_fmt(out, "curl http://127.0.0.1:%d -H 'X-Amz-Target: ", s->port);
	advice_put_target(out, type == OP_COUNT ? OP_LIST_TABLES : type);
	buf_fmt(out, "' -H 'Content-Type: " WIRE_CONTENT_TYPE "' -d %s",
		type == OP_COUNT || type == OP_LIST_TABLES ? "'{}'" : "BODY");
}

/* Append a hint about @target, which does not name an operation, or is empty if the header is missing. */
static void
advice_target(const struct server *s, struct slice target, struct buf *out)
{
	enum op_type type = advice_operation(target);

	if (target.len == 0) {
		buf_str(out, "the request has no X-Amz-Target, which names its operation: ");
		advice_put_curl(out, s, OP_COUNT);
		return;
	}
	buf_fmt(out, "X-Amz-Target: %.*s does not name an operation", SLICE_ARG(target));
	buf_str(out, type == OP_COUNT ? "; one is " : "; did you mean ");
	advice_put_target(out, type == OP_COUNT ? OP_LIST_TABLES : type);
	buf_str(out, type == OP_COUNT ? "" : "?");
}

void
advice_other(struct server *s, const char *method, const char *url, const char *type,
	     const char *target)
{
	enum op_type meant = advice_operation(slice_from(target));
	bool post = strcmp(method, "POST") == 0;
	cleanup(buf_release) struct buf b = {0};

	if (s->peer != CODEC_FOREIGN || strcmp(url, "/favicon.ico") == 0) {
		return;
	}
	buf_fmt(&b, "%s %s is not a DynamoDB request", method, url);
	buf_fmt(&b, post ? ": its Content-Type is %s" : ", which are POST",
		*type == '\0' ? "missing" : type);
	buf_str(&b, *target == '\0' ? " and it has no X-Amz-Target. One is: " : ". It is: ");
	advice_put_curl(&b, s, meant);
	if (advice_is_new(s, buf_view(&b))) {
		say("hint: %.*s", SLICE_ARG(buf_view(&b)));
	}
}

/* ------------------------------------------------------------ operations */

/* Append a hint about the target, the JSON or the members of a request, if there is one; @json: NULL if invalid */
static bool
advice_whole(struct server *s, struct call *own, const struct error *e, enum op_type type,
	     struct slice target, struct slice body, const struct json *json, struct buf *about)
{
	if (e->code == ERR_UNKNOWN_OPERATION) {
		advice_target(s, target, about);
		return true;
	}
	if (e->code == ERR_SERIALIZATION && json == NULL && body.len > 0) {
		buf_fmt(about, "the body is %s", own->error.message);
		return true;
	}
	return json != NULL && body.len <= ADVICE_BODY &&
	       advice_meant(s, own, e, type, json, about);
}

void
advice_say(struct server *s, const struct error *e, enum op_type type, struct slice target,
	   struct slice body)
{
	const struct json *json = NULL;
	struct call own;
	struct buf about; /* the hint, or the name of the missing table with the error */

	call_open(&own, s->now_ms(), ADVICE_BUDGET);
	bool read = json_parse(&own, body, JSON_LAST_WINS, &json) == 0;
	struct slice table = json_text(read ? json : NULL, "TableName");

	buf_init(&about, &own.arena);
	bool whole = advice_whole(s, &own, e, type, target, body, read ? json : NULL, &about);
	bool missing = !whole && table.len > 0 && e->code != ERR_SERIALIZATION &&
		       e->code != ERR_VALIDATION;

	if (missing) {
		buf_fmt(&about, "%.*s: %s", SLICE_ARG(table), e->message);
	}
	if (about.len > 0 && advice_is_new(s, buf_view(&about))) {
		if (whole) {
			say("hint: %.*s", SLICE_ARG(buf_view(&about)));
		} else {
			advice_table(s, &own, type, table);
		}
	}
	call_close(&own);
}
