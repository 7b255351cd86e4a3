/* keyval - see keyval.h */
#include "tools/session/keyval.h"

#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/text/rewrite_json.h"
#include "tools/text/words.h"

int
keyval_key(struct call *c, const struct key_schema *key, struct slice pk, const struct slice *sk,
	   struct item *out)
{
	bool has_sort = key_schema_has_sort(key);
	struct attr *at = arena_new(&c->arena, struct attr, 2);

	if (has_sort && sk == NULL) {
		return call_fail(c, ERR_USAGE, "the key needs a value for %.*s too",
				 SLICE_ARG(key->sk->name));
	}
	if (!has_sort && sk != NULL) {
		return call_fail(c, ERR_USAGE,
				 "the key is only %.*s: \"%.*s\" is one value too many",
				 SLICE_ARG(key->pk->name), SLICE_ARG(*sk));
	}
	at[0].name = key->pk->name;
	at[1].name = key->sk->name;
	*out = (struct item){.at = at, .n = has_sort ? 2 : 1};
	int r = key_text_parse(c, key->pk, pk, &at[0].value);
	if (r < 0 || !has_sort) {
		return r;
	}
	return key_text_parse(c, key->sk, *sk, &at[1].value);
}

int
keyval_pick(struct call *c, const struct key_schema *key, const struct item *it, struct item *out)
{
	const struct key_attr *const parts[] = {key->pk, key->sk};
	size_t n = key_schema_has_sort(key) ? 2 : 1;
	struct attr *at = arena_new(&c->arena, struct attr, 2);

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(it, parts[i]->name);

		if (v == NULL || v->type != parts[i]->type) {
			return call_fail(c, ERR_USAGE, "%s the key attribute %.*s of type %s",
					 v == NULL ? "Missing" : "Not of the right type:",
					 SLICE_ARG(parts[i]->name),
					 value_type_name(parts[i]->type));
		}
		at[i] = (struct attr){.name = parts[i]->name, .value = *v};
	}
	*out = (struct item){.at = at, .n = n};
	return 0;
}

/* Append the values of the key @it as words of query; Return: false: @it has no partition key, or other attributes */
static bool
keyval_words(struct call *c, const struct key_schema *key, const struct item *it, struct words *out)
{
	size_t taken = 0;

	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *attr = key_slot(key, i);

		if (attr->name.len == 0) {
			continue;
		}
		const struct value *v = item_get(it, attr->name);

		if (v == NULL || v->type != attr->type) {
			if (i < KEY_PART_MAX) {
				return false;
			}
			break;
		}
		words_add(c, out, slice_cstr(&c->arena, key_text_of(&c->arena, v)));
		taken++;
	}
	return taken == it->n;
}

int
keyval_item(struct call *c, const char *text, struct item *out)
{
	struct buf json = {.arena = &c->arena};
	int r = ctl_item(c, slice_from(text), out);

	/* a text without its end may have another key */
	if (r < 0 && slice_ends(ascii_trim(slice_from(text)), SLICE("}")) &&
	    rewrite_json(slice_from(text), &json)) {
		c->error = (struct error){0};
		r = ctl_item(c, buf_view(&json), out);
	}
	return r;
}

const struct words *
keyval_json_words(struct call *c, const struct key_schema *key, const struct words *words)
{
	struct words *own = arena_new(&c->arena, struct words, 1);
	struct item it;

	if (words->n != 2 || words->at[1][0] != '{') {
		return words;
	}
	if (keyval_item(c, words->at[1], &it) < 0) {
		c->error = (struct error){0};
		return words;
	}
	words_add(c, own, words->at[0]);
	return keyval_words(c, key, &it, own) ? own : words;
}
