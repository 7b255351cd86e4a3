/*
 * codec_read - reads members of a JSON body, with the error messages of DynamoDB
 *
 * A wrong JSON type fails with the message of the service's deserializer ("NUMBER_VALUE cannot be converted to
 * String").  Missing members and values outside of their set are collected and reported together at the end.
 */
#include "store/base/text/json.h"
#include "store/model/number.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"

int
codec_reader_open(struct codec_reader *r, struct call *c, enum codec_peer peer, struct slice body,
		  const struct json **root)
{
	const struct json *json = NULL;

	*r = (struct codec_reader){.c = c};
	buf_init(&r->faults, &c->arena);
	int status = json_parse(c, body, JSON_LAST_WINS, &json);

	if (status < 0) {
		return status;
	}
	if (json->type == JSON_OBJECT) {
		const struct json *own = json_get(json, "ItemFS");

		if (peer == CODEC_OWN && own != NULL && own->type == JSON_OBJECT) {
			r->own = own;
		}
		*root = json;
		return 0;
	}
	return typed_json_not_container(c, json, "class java.util.Map", true);
}

int
codec_reader_end(struct codec_reader *r)
{
	bool faulty = r->missing.len > 0 || r->n_faults > 0;

	assert(!r->bare || faulty);
	if (faulty && r->quoted.code != 0) {
		r->c->error = r->quoted;
		return -(int)r->quoted.code;
	}
	if (r->missing.len > 0) {
		return call_fail(
			r->c, ERR_VALIDATION,
			"The parameter '%.*s' is required but was not present in the request",
			SLICE_ARG(r->missing));
	}
	if (r->bare) {
		return call_fail(r->c, ERR_VALIDATION, "%.*s", SLICE_ARG(buf_view(&r->faults)));
	}
	if (r->n_faults > FAULTS_MAX) {
		r->n_faults = FAULTS_MAX;
		r->faults.len = r->all_faults;
	}
	if (r->n_faults > 0) {
		return call_fail(r->c, ERR_VALIDATION, "%u validation error%s detected: %.*s",
				 r->n_faults, r->n_faults == 1 ? "" : "s",
				 SLICE_ARG(buf_view(&r->faults)));
	}
	if (r->deferred.code != 0) {
		r->c->error = r->deferred;
		return -(int)r->deferred.code;
	}
	return 0;
}

/* Return whether the service reports an invalid number or set without a prefix, even in ExclusiveStartKey. */
static bool
is_told_bare(const char *message)
{
	static const char *const beginnings[] = {
		"The parameter cannot be converted to a numeric value",
		"Attempting to store more than 38 significant digits",
		"Number overflow",
		"Number underflow",
		"Input collection",
		"One or more parameter values were invalid: Input collection",
		"One or more parameter values were invalid: An number set",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (strncmp(message, beginnings[i], strlen(beginnings[i])) == 0) {
			return true;
		}
	}
	return false;
}

int
codec_defer(struct codec_reader *r, enum order_part part, int status)
{
	if (status < 0) {
		assert(r->c->error.code != ERR_NONE);
		if (part == ORDER_START && !is_told_bare(r->c->error.message)) {
			(void)call_prefix(r->c, "The provided starting key is invalid: ");
		}
		if (r->deferred.code == 0 || part < r->part) {
			r->deferred = r->c->error;
			r->part = part;
		}
		r->c->error = (struct error){0};
	}
	return 0;
}

int
codec_text(struct codec_reader *r, const struct json *j, struct slice *out)
{
	if (j->type != JSON_STRING) {
		return typed_json_not_scalar(r->c, j, "String");
	}
	*out = j->text;
	return 0;
}

/* The usual case, which is exact for all of uint64. */
bool
codec_digits(struct slice text, uint64_t *out)
{
	uint64_t v = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_digit(text.at[i]) || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text.at[i] - '0'), &v)) {
			return false;
		}
	}
	*out = v;
	return text.len > 0;
}

int
codec_whole(const struct codec_reader *r, struct slice text, int power, int64_t *out)
{
	struct number n;
	int status = number_parse(r->c, text, &n);

	if (status < 0) {
		return status;
	}
	n.exponent += power;
	for (; n.exponent < 0; n.exponent++) {
		n.coefficient /= 10;
	}
	for (; n.exponent > 0 && n.coefficient < INT64_MAX; n.exponent--) {
		n.coefficient *= 10;
	}
	int64_t v = n.coefficient > INT64_MAX ? INT64_MAX : (int64_t)n.coefficient;

	*out = n.negative ? -v : v;
	return 0;
}

int
codec_amount(struct codec_reader *r, struct slice text, int power, uint64_t *out)
{
	int64_t v = 0;
	int status = codec_whole(r, text, power, &v);

	*out = v < 0 ? 0 : (uint64_t)v;
	return status;
}
