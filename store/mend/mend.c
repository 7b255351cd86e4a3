/* mend - see mend.h; the members of the request, and the order of the passes */
#include "store/mend/mend.h"

#include <stdarg.h>

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/engine/engine.h"
#include "store/mend/mend_int.h"

static struct mend_member *
mend_find(const struct mend *m, struct slice name)
{
	for (size_t i = 0; i < m->n; i++) {
		if (slice_eq(m->member[i].name, name)) {
			return (struct mend_member *)&m->member[i];
		}
	}
	return NULL;
}

const struct json *
mend_get(const struct mend *m, const char *name)
{
	const struct mend_member *found = mend_find(m, slice_from(name));

	return found == NULL ? NULL : found->json;
}

struct slice
mend_text(const struct mend *m, const char *name)
{
	const struct json *json = mend_get(m, name);

	return json == NULL || json->type != JSON_STRING ? SLICE("") : json->text;
}

struct slice
mend_raw(struct mend *m, const struct json *json)
{
	struct json_writer w;
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_value(&w, json);
	return buf_view(&b);
}

void
mend_set(struct mend *m, struct slice name, struct slice raw)
{
	struct mend_member *to = mend_find(m, name);
	const struct json *json = NULL;

	assert(m->n <= MEND_MEMBERS);
	if ((to == NULL && (raw.at == NULL || m->n == MEND_MEMBERS)) ||
	    (raw.at != NULL && json_parse(m->c, raw, JSON_LAST_WINS, &json) < 0)) {
		return;
	}
	if (to == NULL) {
		to = &m->member[m->n++];
		*to = (struct mend_member){.name = slice_copy(&m->c->arena, name)};
	} else if (raw.at != NULL && to->json != NULL && slice_eq(mend_raw(m, to->json), raw)) {
		return;
	}
	to->changed = true;
	to->json = json;
}

void
mend_set_text(struct mend *m, struct slice name, struct slice text)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_put_string(&b, text);
	mend_set(m, name, text.len > 0 ? buf_view(&b) : (struct slice){0});
}

void
mend_why(struct mend *m, const char *fmt, ...)
{
	char text[400];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (m->why.len == 0) {
		buf_str(&m->why, text);
	}
}

void
mend_write(struct mend *m, struct json_writer *w, const struct json *json, mend_by *by,
	   const void *arg)
{
	if (by(m, w, json, arg)) {
		return;
	}
	if (json->type != JSON_OBJECT && json->type != JSON_ARRAY) {
		json_value(w, json);
		return;
	}
	json_open(w, json->type == JSON_OBJECT ? '{' : '[');
	json_each (child, json) {
		if (json->type == JSON_OBJECT) {
			json_name_slice(w, child->name);
		}
		mend_write(m, w, child, by, arg);
	}
	json_close(w);
}

void
mend_each(struct mend *m, mend_by *by, const void *arg)
{
	for (size_t i = 0; i < m->n; i++) {
		struct json_writer w;
		struct buf b;

		if (m->member[i].json != NULL) {
			buf_init(&b, &m->c->arena);
			json_writer_init(&w, &b, 0);
			mend_write(m, &w, m->member[i].json, by, arg);
			mend_set(m, m->member[i].name, buf_view(&b));
		}
	}
}

bool
mend_refused(const struct mend *m, const char *part)
{
	return strstr(m->message, part) != NULL;
}

struct slice
mend_nearest(struct slice word, const char *names)
{
	struct near near = near_start(word);

	for (struct slice rest = slice_from(names); rest.len > 0;) {
		near_try(&near, slice_take(&rest, ' '));
	}
	return near.best;
}

static void
mend_describe(struct mend *m)
{
	struct describe_table_in in = {.table = mend_text(m, "TableName")};
	struct describe_table_out out = {0};

	if (m->engine != NULL && in.table.len > 0 && m->type != OP_CREATE_TABLE &&
	    engine_describe_table(m->engine, m->c, &in, &out) == 0) {
		m->schema = out.table.schema;
	}
}

bool
mend_changes(const struct mend *m)
{
	bool changes = false;

	for (size_t i = 0; i < m->n; i++) {
		changes = changes || m->member[i].changed;
	}
	return changes;
}

void
mend_json(const struct mend *m, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out, 0);
	json_open(&w, '{');
	for (size_t i = 0; i < m->n; i++) {
		if (m->member[i].json != NULL) {
			json_name_slice(&w, m->member[i].name);
			json_value(&w, m->member[i].json);
		}
	}
	json_close(&w);
}

bool
mend_request(struct mend *m, const struct json *request)
{
	assert(m->n == 0 && m->schema == NULL);
	buf_init(&m->why, &m->c->arena);
	if (request == NULL || request->type != JSON_OBJECT || m->message == NULL) {
		return false;
	}
	json_each (child, request) {
		if (m->n == MEND_MEMBERS) {
			return false;
		}
		m->member[m->n++] = (struct mend_member){.name = child->name, .json = child};
	}
	mend_describe(m);
	mend_choices(m);
	mend_returns(m);
	mend_missing(m);
	mend_values(m);
	mend_keys(m);
	if (!mend_expressions(m)) {
		return false;
	}
	mend_query(m);
	mend_of_table(m);
	return mend_changes(m) || m->why.len > 0;
}
