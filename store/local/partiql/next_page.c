/*
 * next_page - NextToken of a SELECT, encoded and decoded
 *
 * Base64 of {"s":"HEX","r":RUN,"k":{KEY}}: a digest of the statement and its parameters, the run of keys, and the key
 * in it in the form of LastEvaluatedKey. A forged token gives no more access than a forged ExclusiveStartKey.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/base/text/sha256.h"
#include "store/local/partiql/statement_execute.h"
#include "store/model/item_json.h"

enum { DIGEST_BYTES = 16, RUN_DIGITS = 6 };

static struct slice
digest(struct call *c, const struct parameterized *of)
{
	uint8_t bytes[SHA256_BYTES];
	struct buf hex = {.arena = &c->arena};

	sha256(statement_spelled(c, of), bytes);
	for (size_t i = 0; i < DIGEST_BYTES; i++) {
		buf_fmt(&hex, "%02x", bytes[i]);
	}
	return buf_view(&hex);
}

struct slice
next_page_encode(struct call *c, const struct parameterized *of, const struct next_page *at)
{
	struct buf json = {.arena = &c->arena};
	struct buf token = {.arena = &c->arena};

	buf_fmt(&json, "{\"s\":\"%.*s\",\"r\":%zu,\"k\":", SLICE_ARG(digest(c, of)), at->run);
	item_put_json(&json, &at->start, ITEM_TYPED);
	buf_char(&json, '}');
	base64_encode(&token, buf_view(&json));
	return buf_view(&token);
}

static bool
partiql_next_page_decode(struct call *c, const struct parameterized *of, struct slice token,
			 struct next_page *out)
{
	const struct json *json = NULL;
	struct buf text = {.arena = &c->arena};

	if (!base64_decode(&text, token) ||
	    json_parse(c, buf_view(&text), JSON_STRICT, &json) < 0) {
		return false;
	}
	const struct json *sum = json_get(json, "s");
	const struct json *run = json_get(json, "r");
	const struct json *key = json_get(json, "k");

	if (sum == NULL || sum->type != JSON_STRING || !slice_eq(sum->text, digest(c, of)) ||
	    run == NULL || run->type != JSON_NUMBER || run->text.len > RUN_DIGITS || key == NULL ||
	    key->type != JSON_OBJECT) {
		return false;
	}
	out->run = strtoul(slice_cstr(&c->arena, run->text), NULL, 10);
	return item_from_typed_json(c, key, &out->start) == 0;
}

int
next_page_decode(struct call *c, const struct parameterized *of, struct slice token,
		 struct next_page *out)
{
	*out = (struct next_page){0};
	if (partiql_next_page_decode(c, of, token, out)) {
		return 0;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_VALIDATION, "Invalid NextToken");
}
