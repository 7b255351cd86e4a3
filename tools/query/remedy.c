/* remedy - see remedy.h; Source: Developer Guide, "Using write sharding"; BEHAVIOUR 5.8, 5.9 */
#include "tools/query/remedy.h"

#include <assert.h>
#include <math.h>

#include "store/base/core/ascii.h"
#include "store/base/core/visible.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

#include "tools/query/shard.h"
#include "tools/text/shard_plan.h"
#include "tools/text/words.h"

enum {
	SHOWN = 40,  /* characters of a key in a sentence */
	TYPED = 200, /* bytes of a key in a command; longer keys are not suggested */
};

double
remedy_shards(const struct heat_use *use, double of_one)
{
	double n = shard_pad((double)use->peak_halves / 2 / of_one);

	return fmax(1, fmin(n, SHARDS_MAX));
}

/* ------------------------------------------------------------ text */

/* Append the name of an attribute for an expression. */
static void
remedy_put_name(struct buf *out, struct slice name)
{
	bool plain = name.len > 0 && !ascii_digit(name.at[0]);

	for (size_t i = 0; i < name.len; i++) {
		plain = plain && ascii_word(name.at[i]);
	}
	buf_str(out, plain ? "" : "`");
	for (size_t i = 0; i < name.len; i++) {
		buf_str(out, name.at[i] == '`' ? "`" : "");
		buf_char(out, name.at[i]);
	}
	buf_str(out, plain ? "" : "`");
}

static const struct key_schema *
remedy_key_of(const struct remedy *r)
{
	return schema_key(r->schema, r->ix);
}

/* Return the index of the last attribute of the partition key, which gets the number of the shard. */
static size_t
last(const struct remedy *r)
{
	return key_part_n(remedy_key_of(r)->pk) - 1;
}

static const struct value *
remedy_value_of(const struct remedy *r, size_t i)
{
	return &r->key->pk.at[i];
}

/* Return true if the text can be typed. */
static bool
typeable(struct call *c, struct slice text)
{
	struct buf seen = {.arena = &c->arena};

	return text.len <= TYPED && !visible_put(&seen, text, SIZE_MAX) &&
	       slice_eq(buf_view(&seen), text);
}

static bool
all_typeable(struct call *c, const struct remedy *r)
{
	for (size_t i = 0; i <= last(r); i++) {
		const struct value *v = remedy_value_of(r, i);

		if (v->type == VALUE_B || !typeable(c, v->text) ||
		    !typeable(c, remedy_key_of(r)->pk[i].name)) {
			return false;
		}
	}
	return true;
}

/* Append --filter 'PK = "value" AND ...'. */
static void
remedy_put_filter(struct call *c, struct buf *out, const struct remedy *r)
{
	struct buf text = {.arena = &c->arena};

	for (size_t i = 0; i <= last(r); i++) {
		buf_str(&text, i == 0 ? "" : " AND ");
		remedy_put_name(&text, remedy_key_of(r)->pk[i].name);
		buf_str(&text, " = ");
		value_put_json(&text, remedy_value_of(r, i), ITEM_PLAIN);
	}
	buf_str(out, " --filter ");
	words_put(out, buf_view(&text));
}

/* Append --prefix 'VALUE#'. */
static void
put_prefix(struct call *c, struct buf *out, const struct remedy *r)
{
	struct buf prefix = {.arena = &c->arena};

	buf_slice(&prefix, remedy_value_of(r, last(r))->text);
	buf_char(&prefix, '#');
	buf_str(out, " --prefix ");
	words_put(out, buf_view(&prefix));
}

/* Append the key, and its index. */
static void
put_subject(struct call *c, struct buf *out, const struct remedy *r)
{
	for (size_t i = 0; i <= last(r); i++) {
		const struct value *v = remedy_value_of(r, i);
		struct buf text = {.arena = &c->arena};

		if (v->type == VALUE_B) {
			value_put_json(&text, v, ITEM_PLAIN);
		} else {
			buf_slice(&text, v->text);
		}
		buf_str(out, i == 0 ? "" : " + ");
		if (visible_put(out, buf_view(&text), SHOWN)) {
			buf_str(out, "...");
		}
	}
	if (r->ix != NULL) {
		buf_fmt(out, " of index %.*s", SLICE_ARG(r->ix->name));
	}
}

/* ------------------------------------------------------------ writes */

static void
put_assign(struct buf *out, const struct remedy *r, struct slice attr, double n)
{
	buf_str(out, "  itemctl shards assign ");
	words_put(out, r->schema->table);
	buf_str(out, " --attr ");
	words_put(out, attr);
	buf_fmt(out, " --shards %.15g", n);
}

/* The key of an index can be changed: the items get a new value that begins with the present one. */
static void
shard_index(struct call *c, struct buf *out, const struct remedy *r, double n)
{
	put_assign(out, r, remedy_key_of(r)->pk[last(r)].name, n);
	put_prefix(c, out, r);
	remedy_put_filter(c, out, r);
	buf_str(out, " --overwrite\n"); /* the present value is no shard */
}

/* A number cannot be extended to a shard without losing it, so there is no command. */
static void
shard_number(struct buf *out, const struct remedy *r)
{
	remedy_put_name(out, remedy_key_of(r)->pk[last(r)].name);
	buf_str(out, " is a number. If it means something, write the shard to another attribute, "
		     "and make an\nindex by that; if it is a shard itself, these are too few: "
		     "shards assign with --hash.\n");
}

/* The key of a table cannot be changed: number the items, and store them again under the key with the number. */
static void
shard_table(struct call *c, struct buf *out, const struct remedy *r, double n)
{
	if (last(r) > 0 || remedy_key_of(r)->pk->type != VALUE_S) {
		buf_str(out, "It is of the table's key: its items are to be stored again, under "
			     "other keys.\n");
		return;
	}
	if (!key_schema_has_sort(&r->schema->key)) { /* nothing to number */
		buf_fmt(out,
			"It is one item: keep %.15g, under its key with #0 to #%.15g, write to one of "
			"them by chance,\nand read all; a counter is their sum\n",
			n, n - 1);
	} else {
		put_assign(out, r, SLICE("Shard"), n);
		remedy_put_filter(c, out, r);
		buf_str(out, "\nthen store them, and new ones, under its key with # and that "
			     "number, and read\n");
	}
	buf_str(out, "  itemctl query ");
	words_put(out, r->schema->table);
	if (r->ix != NULL) {
		buf_str(out, " --index ");
		words_put(out, r->ix->name);
	}
	buf_fmt(out, " --shards 0..%.15g", n - 1);
	put_prefix(c, out, r);
	buf_char(out, '\n');
}

static void
put_writes(struct call *c, struct buf *out, const struct remedy *r)
{
	double n = remedy_shards(&r->key->write, REMEDY_WRITES);

	if (n < 2) {
		return;
	}
	put_subject(c, out, r);
	buf_fmt(out,
		" is write-hot: %.15g write units in its busiest second, a partition gives 1,000.\n"
		"%sWrite sharding: %.15g shards, as shards plan counts, a fifth more than is needed.\n",
		(double)r->key->write.peak_halves / 2,
		r->ix == NULL ? "" : "Writes of the table wait for its index. ", n);
	if (!all_typeable(c, r)) {
		return;
	}
	if (key_schema_has(&r->schema->key, remedy_key_of(r)->pk[last(r)].name)) {
		shard_table(c, out, r, n);
	} else if (remedy_key_of(r)->pk[last(r)].type == VALUE_N) {
		shard_number(out, r);
	} else {
		shard_index(c, out, r, n);
	}
}

/* ------------------------------------------------------------ reads */

static void
put_reads(struct call *c, struct buf *out, const struct remedy *r)
{
	double n = remedy_shards(&r->key->read, REMEDY_READS);

	if (n < 2) {
		return;
	}
	put_subject(c, out, r);
	buf_fmt(out,
		" is read-hot: %.15g read units in its busiest second, a partition gives 3,000.\n"
		"Reads that may be a moment old: from a cache (DAX, or the program's own)%s.\n"
		"Else sharded reads: its items, or copies of a single one, under %.15g keys.\n",
		(double)r->key->read.peak_halves / 2,
		r->ix != NULL
			? ""
			: "; eventually consistent\nones cost half of what --consistent ones do",
		n);
}

void
remedy_put(struct call *c, struct buf *out, const struct remedy *r)
{
	assert(r->key->pk.n == key_part_n(remedy_key_of(r)->pk));
	put_writes(c, out, r);
	put_reads(c, out, r);
}
