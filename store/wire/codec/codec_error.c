/*
 * codec_error - errors as JSON, in both directions
 *
 *   {"__type":"com.amazonaws.dynamodb.v20120810#NAME","message":...}
 *
 * As in the service, some names are in other namespaces, and some errors have "Message" instead of "message".  When
 * both ends are itemfs, "ItemFS" contains the row of error.def, since several rows share a wire name, and the place of
 * the error in an expression.
 *
 * A throttling error has "ThrottlingReasons":[{"reason":...,"resource":...}], which in ThrottlingException begins with
 * a small t, as in the service's model (2012-08-10, August 2025).  The model has no reasons for an action of a
 * transaction or a statement of a batch; when both ends are itemfs, those of an action are in its "ItemFS".
 */
#include <assert.h>

#include "store/base/core/error.h"
#include "store/base/core/throttled.h"
#include "store/base/text/json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/proto/wire.h"

#define CORAL_SERVICE "com.amazon.coral.service#"
#define CORAL_VALIDATE "com.amazon.coral.validate#"
#define CORAL_AVAILABILITY "com.amazon.coral.availability#"

static const char *const code_names[ERR_COUNT] = {
#define ERROR(name, wire, http, posix, exit) [ERR_##name] = #name,
#include "store/base/core/error.def"
#undef ERROR
};

/* Names of foreign servers that have no row in error.def. */
static const struct {
	const char *wire;
	enum err code;
} aliases[] = {
	{"RequestLimitExceeded", ERR_THROTTLED_ON_DEMAND},
	{"MissingAuthenticationToken", ERR_NO_SIGNATURE},
	{"ExpiredToken", ERR_EXPIRED_TOKEN},
	{"RequestExpired", ERR_BAD_SIGNATURE},
	{"RequestTimeTooSkewed", ERR_BAD_SIGNATURE},
	{"InvalidClientTokenId", ERR_UNKNOWN_CLIENT},
};

/* ------------------------------------------------------------ writing */

static const char *
codec_error_namespace(enum err code)
{
	const char *wire = error_wire(code);

	if (strcmp(wire, "ValidationException") == 0) {
		return CORAL_VALIDATE;
	}
	switch ((int)code) {
	case ERR_SERIALIZATION:
	case ERR_UNKNOWN_OPERATION:
	case ERR_ACCESS:
	case ERR_NO_SIGNATURE:
	case ERR_SIGNATURE_PARTS:
	case ERR_UNKNOWN_CLIENT:
	case ERR_EXPIRED_TOKEN:
	case ERR_BAD_SIGNATURE:
		return CORAL_SERVICE;
	case ERR_THROTTLED_ON_DEMAND:
		return CORAL_AVAILABILITY;
	default:
		return WIRE_ERROR_PREFIX;
	}
}

static void
write_throttled(struct codec_writer *w, const char *name, const struct throttled *t)
{
	if (t->n == 0) {
		return;
	}
	codec_open(w, name, '[');
	for (size_t i = 0; i < t->n; i++) {
		json_open(&w->json, '{');
		json_name(&w->json, "reason");
		codec_put_text(w, t->at[i].reason);
		if (t->at[i].resource.len > 0) {
			json_name(&w->json, "resource");
			codec_put_text(w, t->at[i].resource);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}

/* Return the name of the member with the reasons, as the service's model spells it. */
static const char *
throttled_name(enum err code)
{
	return code == ERR_THROTTLED_ON_DEMAND ? "throttlingReasons" : "ThrottlingReasons";
}

static void
write_reasons(struct codec_writer *w, const struct error *e)
{
	codec_open(w, "CancellationReasons", '[');
	for (size_t i = 0; i < e->n_reasons; i++) {
		const struct cancel_reason *reason = &e->reasons[i];

		json_open(&w->json, '{');
		codec_put_string(w, "Code", reason->code);
		if (reason->message.len > 0) {
			json_name(&w->json, "Message");
			codec_put_text(w, reason->message);
		}
		if (reason->item != NULL) {
			codec_put_item(w, "Item", reason->item);
		}
		if (reason->throttled.n > 0 && codec_open_own(w)) {
			write_throttled(w, throttled_name(ERR_THROTTLED), &reason->throttled);
			json_close(&w->json);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}

/* Return whether to omit the message, as the service does for a body that is not JSON and for an unknown operation. */
static bool
is_silent(const struct codec_writer *w, const struct error *e)
{
	return w->peer == CODEC_FOREIGN &&
	       (e->code == ERR_UNKNOWN_OPERATION ||
		(e->code == ERR_SERIALIZATION &&
		 slice_starts(slice_from(e->message), SLICE("not JSON"))));
}

void
codec_encode_error(struct buf *body, enum codec_peer peer, const struct error *e)
{
	struct codec_writer w = {.peer = peer};
	bool capital =
		e->code == ERR_SERIALIZATION || e->code == ERR_CANCELED || e->code == ERR_ACCESS;

	assert(e->code > ERR_NONE && e->code < ERR_COUNT);
	json_writer_init(&w.json, body, 0);
	json_open(&w.json, '{');
	json_name(&w.json, "__type");
	struct buf type;

	buf_init(&type, NULL);
	buf_str(&type, codec_error_namespace(e->code));
	buf_str(&type, error_wire(e->code));
	json_string(&w.json, buf_view(&type));
	buf_release(&type);
	if (!is_silent(&w, e)) {
		json_name(&w.json, capital ? "Message" : "message");
		codec_put_text(&w, slice_from(e->message));
	}
	write_throttled(&w, throttled_name(e->code), &e->throttled);
	if (e->n_reasons > 0) {
		write_reasons(&w, e);
	}
	if (e->item != NULL) {
		codec_put_item(&w, "Item", e->item);
	}
	if (codec_open_own(&w)) {
		codec_put_string(&w, "Code", slice_from(code_names[e->code]));
		codec_put_uint(&w, "Place", e->place);
		json_close(&w.json);
	}
	json_close(&w.json);
}

/* ------------------------------------------------------------ reading */

static enum err
code_from_name(struct slice name)
{
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		if (slice_is(name, code_names[code])) {
			return (enum err)code;
		}
	}
	return ERR_NONE;
}

static enum err
code_from_type(struct call *c, struct slice type)
{
	const char *hash = slice_rchr(type, '#');
	struct slice name = hash == NULL ? type : slice_skip(type, (size_t)(hash - type.at) + 1);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (slice_is(name, aliases[i].wire)) {
			return aliases[i].code;
		}
	}
	return error_from_wire(slice_cstr(&c->arena, name));
}

/* Return the code for an answer without a usable body, such as a proxy's page or a refused size. */
static enum err
code_from_status(int http_status)
{
	switch (http_status) {
	case 403:
		return ERR_ACCESS;
	case 404:
		return ERR_UNKNOWN_OPERATION;
	case 413:
		return ERR_VALIDATION;
	case 429:
		return ERR_THROTTLED;
	case 503:
		return ERR_BUSY;
	case 502:
	case 504:
		return ERR_UNREACHABLE;
	default:
		return ERR_IO;
	}
}

/*
 * Read the reasons that are valid, at most THROTTLED_MAX.  Others are ignored, so that no answer is refused for them.
 */
static void
read_throttled(struct codec_reader *r, const struct json *obj, const char *name,
	       struct throttled *out)
{
	const struct json *list = json_get(obj, name);

	if (list == NULL || list->type != JSON_ARRAY) {
		return;
	}
	json_each (child, list) {
		const struct json *reason = json_get(child, "reason");
		const struct json *resource = json_get(child, "resource");
		struct throttled_why why = {0};

		if (reason == NULL || reason->type != JSON_STRING || reason->text.len == 0) {
			continue;
		}
		why.reason = reason->text;
		if (resource != NULL && resource->type == JSON_STRING) {
			why.resource = resource->text;
		}
		throttled_add(&r->c->arena, out, why);
	}
}

/* Read the reasons of the actions.  If one has no code, drop all of them, since the list is of no use then. */
static int
read_reasons(struct codec_reader *r, const struct json *root, struct error *e)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "CancellationReasons", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct cancel_reason *reasons = arena_new(&r->c->arena, struct cancel_reason, list->n);

	e->reasons = reasons;
	json_each (child, list) {
		struct cancel_reason *reason = &reasons[e->n_reasons++];
		struct item item = {0};

		status = codec_string(r, child, "Code", &reason->code);
		if (status == 0) {
			status = codec_string(r, child, "Message", &reason->message);
		}
		if (status == 0) {
			status = codec_item(r, child, "Item", &item);
		}
		if (status < 0 || reason->code.len == 0) {
			e->n_reasons = 0;
			return status;
		}
		if (!codec_is_null(json_get(child, "Item"))) {
			struct item *copy = arena_new(&r->c->arena, struct item, 1);

			*copy = item;
			reason->item = copy;
		}
		read_throttled(r, json_get(child, "ItemFS"), throttled_name(ERR_THROTTLED),
			       &reason->throttled);
	}
	return 0;
}

/* Read a body into @e.  The code is ERR_NONE if the body has no known one. */
static int
read_error(struct codec_reader *r, const struct json *root, struct error *e)
{
	struct slice type = {0};
	struct slice message = {0};
	struct slice own = {0};
	uint64_t place = 0;
	int status = codec_string(r, root, "__type", &type);

	if (status == 0) {
		status = codec_string(r, root, "Message", &message);
	}
	if (status == 0) {
		status = codec_string(r, root, "message", &message);
	}
	if (status == 0) {
		status = codec_string(r, r->own, "Code", &own);
	}
	if (status == 0) {
		status = codec_uint(r, r->own, "Place", &place);
	}
	if (status == 0) {
		status = read_reasons(r, root, e);
	}
	if (status == 0 && !codec_is_null(json_get(root, "Item"))) {
		struct item *item = arena_new(&r->c->arena, struct item, 1);

		e->item = item;
		status = codec_item(r, root, "Item", item);
	}
	if (status < 0) {
		return status;
	}
	e->place = (size_t)place;
	e->message = slice_cstr(&r->c->arena, message);
	e->code = own.len > 0 ? code_from_name(own) : ERR_NONE;
	if (e->code == ERR_NONE && type.len > 0) {
		e->code = code_from_type(r->c, type);
	}
	if (error_throttled(e->code)) {
		read_throttled(r, root, throttled_name(ERR_THROTTLED), &e->throttled);
		read_throttled(r, root, throttled_name(ERR_THROTTLED_ON_DEMAND), &e->throttled);
	}
	return 0;
}

int
codec_decode_error(struct call *c, struct slice body, int http_status)
{
	struct codec_reader r;
	struct error e = {0};
	const struct json *root = NULL;
	int status = codec_reader_open(&r, c, CODEC_OWN, body, &root);

	if (status == 0) {
		status = read_error(&r, root, &e);
	}
	/* Report the failed request, not the reason why the body could not be read. */
	c->error = (struct error){0};
	if (status < 0 || e.code == ERR_NONE) {
		return call_fail(c, code_from_status(http_status), "HTTP status %d%s", http_status,
				 http_status == 413 ? ": the request is too large" : "");
	}
	status = call_fail(c, e.code, "%s", e.message[0] == '\0' ? error_wire(e.code) : e.message);
	c->error.place = e.place;
	c->error.reasons = e.reasons;
	c->error.n_reasons = e.n_reasons;
	c->error.item = e.item;
	c->error.throttled = e.throttled;
	return status;
}
