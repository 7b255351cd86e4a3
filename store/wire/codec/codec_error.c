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
 *
 * Members of another JSON type than expected are ignored, so that a server's error is reported as far as it is readable.
 */
#include "store/base/core/throttled.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"
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

/* Draft of a body.  Of two members that differ in their first letter, the error's code selects one. */
struct codec_failure {
	struct error of;
	struct slice type;
	struct slice message[2];       /* "message", "Message" */
	struct throttled throttled[2]; /* "ThrottlingReasons", "throttlingReasons" */
	struct slice code;             /* name in error.def */
};

static const struct shape_member codec_why_members[] = {
	SHAPE_ROW(struct throttled_why, reason, "reason", SHAPE_STRING, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct throttled_why, resource, "resource"),
};
SHAPE_DEFINE(codec_why, struct throttled_why, NULL)

static const struct shape_member codec_reason_own_members[] = {
	SHAPE_ROW_LIST(struct cancel_reason, throttled.at, throttled.n, "ThrottlingReasons",
		       &codec_why),
};
SHAPE_DEFINE(codec_reason_own, struct cancel_reason, NULL)

static const struct shape_member codec_reason_members[] = {
	CODEC_ROW_STRING(struct cancel_reason, code, "Code"),
	CODEC_ROW_STRING(struct cancel_reason, message, "Message"),
	SHAPE_ROW(struct cancel_reason, item, "Item", SHAPE_ITEM,
		  SHAPE_POINTER(struct cancel_reason, item)),
};
SHAPE_DEFINE(codec_reason, struct cancel_reason, NULL, .own = &codec_reason_own)

static_assert(sizeof(((struct error *)NULL)->place) == sizeof(uint64_t), "Place is a Long");
static const struct shape_member codec_failure_own_members[] = {
	CODEC_ROW_STRING(struct codec_failure, code, "Code"),
	CODEC_ROW_NUMBER(struct codec_failure, of.place, "Place"),
};
SHAPE_DEFINE(codec_failure_own, struct codec_failure, NULL)

#define CODEC_ROW_THROTTLED(i, name) \
	SHAPE_ROW_LIST(struct codec_failure, throttled[i].at, throttled[i].n, name, &codec_why)
static const struct shape_member codec_failure_members[] = {
	CODEC_ROW_STRING(struct codec_failure, type, "__type"),
	SHAPE_ROW(struct codec_failure, message[0], "message", SHAPE_STRING,
		  .flags = SHAPE_NULLABLE),
	SHAPE_ROW(struct codec_failure, message[1], "Message", SHAPE_STRING,
		  .flags = SHAPE_NULLABLE),
	CODEC_ROW_THROTTLED(0, "ThrottlingReasons"),
	CODEC_ROW_THROTTLED(1, "throttlingReasons"),
	SHAPE_ROW_LIST(struct codec_failure, of.reasons, of.n_reasons, "CancellationReasons",
		       &codec_reason),
	SHAPE_ROW(struct codec_failure, of.item, "Item", SHAPE_ITEM,
		  SHAPE_POINTER(struct codec_failure, of.item)),
};
SHAPE_DEFINE(codec_failure, struct codec_failure, NULL, .own = &codec_failure_own)

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
	struct codec_failure failure = {.of = *e};
	bool capital =
		e->code == ERR_SERIALIZATION || e->code == ERR_CANCELED || e->code == ERR_ACCESS;
	char type[128];

	assert(e->code > ERR_NONE && e->code < ERR_COUNT);
	(void)snprintf(type, sizeof(type), "%s%s", codec_error_namespace(e->code),
		       error_wire(e->code));
	failure.type = slice_from(type);
	failure.code = slice_from(code_names[e->code]);
	if (!is_silent(&w, e)) {
		failure.message[capital] = slice_from(e->message == NULL ? "" : e->message);
	}
	failure.throttled[e->code == ERR_THROTTLED_ON_DEMAND] = e->throttled;
	json_writer_init(&w.json, body, 0);
	json_open(&w.json, '{');
	shape_write(&w, &codec_failure, &failure);
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

static const struct item *
error_item(struct call *c, const struct json *obj)
{
	const struct json *j = json_get(obj, "Item");

	if (codec_is_null(j)) {
		return NULL;
	}
	struct item *item = arena_new(&c->arena, struct item, 1);
	int status = item_from_typed_json(c, j, item);

	c->error = (struct error){0};
	return status < 0 ? NULL : item;
}

/* Read the reasons of throttling that have a text, at most THROTTLED_MAX. */
static void
read_throttled(struct call *c, const struct json *obj, const char *name, struct throttled *out)
{
	json_each (child, json_get(obj, name)) {
		struct throttled_why why = {json_text(child, "reason"),
					    json_text(child, "resource")};

		if (why.reason.len > 0) {
			throttled_add(&c->arena, out, why);
		}
	}
}

/* Read the reasons of the actions.  If one has no code, drop all of them, since the list is of no use then. */
static void
read_reasons(struct call *c, const struct json *list, struct error *e)
{
	struct cancel_reason *reasons = arena_new(&c->arena, struct cancel_reason, list->n);

	e->reasons = reasons;
	json_each (child, list) {
		struct cancel_reason *reason = &reasons[e->n_reasons++];

		reason->code = json_text(child, "Code");
		reason->message = json_text(child, "Message");
		reason->item = error_item(c, child);
		read_throttled(c, json_get(child, "ItemFS"), "ThrottlingReasons",
			       &reason->throttled);
		if (reason->code.len == 0) {
			e->n_reasons = 0;
			return;
		}
	}
}

/* Read a body into @e.  The code is ERR_NONE if the body has no known one. */
static void
read_error(struct call *c, const struct json *root, struct error *e)
{
	const struct json *own = json_get(root, "ItemFS");
	const struct json *place = json_get(own, "Place");
	const struct json *reasons = json_get(root, "CancellationReasons");
	struct slice type = json_text(root, "__type");
	struct slice message = json_text(root, "message");
	uint64_t at = 0;

	if (place != NULL && place->type == JSON_NUMBER && codec_digits(place->text, &at)) {
		e->place = (size_t)at;
	}
	e->message = slice_cstr(&c->arena, message.len > 0 ? message : json_text(root, "Message"));
	e->code = code_from_name(json_text(own, "Code"));
	if (e->code == ERR_NONE && type.len > 0) {
		e->code = code_from_type(c, type);
	}
	if (reasons != NULL && reasons->type == JSON_ARRAY) {
		read_reasons(c, reasons, e);
	}
	e->item = error_item(c, root);
	if (error_throttled(e->code)) {
		read_throttled(c, root, "ThrottlingReasons", &e->throttled);
		read_throttled(c, root, "throttlingReasons", &e->throttled);
	}
}

int
codec_decode_error(struct call *c, struct slice body, int http_status)
{
	struct error e = {0};
	const struct json *root = NULL;

	/* Report the failed request, not the reason why the body could not be read. */
	if (json_parse(c, body, JSON_LAST_WINS, &root) == 0) {
		read_error(c, root, &e);
	}
	c->error = (struct error){0};
	if (e.code == ERR_NONE) {
		return call_fail(c, code_from_status(http_status), "HTTP status %d%s", http_status,
				 http_status == 413 ? ": the request is too large" : "");
	}
	int status =
		call_fail(c, e.code, "%s", e.message[0] == '\0' ? error_wire(e.code) : e.message);
	c->error.place = e.place;
	c->error.reasons = e.reasons;
	c->error.n_reasons = e.n_reasons;
	c->error.item = e.item;
	c->error.throttled = e.throttled;
	return status;
}
