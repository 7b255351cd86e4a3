/*
 * place_remote - see place_remote.h; place_stat.c asks a store in a directory
 *
 * There is no list of partitions: a Scan of keys finds them, in the order in which that server keeps them. The items of
 * one partition are adjacent, so each partition is met once. After the first page of a large partition the Scan starts
 * after its last possible sort key: its other items are not read.
 */
#include "fs/place/place_remote.h"

#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/value.h"
#include "store/op/op.h"
#include "store/op/seen.h"

#include "fs/core/recent.h"
#include "fs/place/path_query.h"
#include "fs/place/place.h"
#include "fs/place/place_recent.h"
#include "fs/place/rows.h"

enum {
	MOST_DIGITS = 38, /* of the greatest number, 9.99...E+125 */
	MOST_ZEROS = 88,
};

bool
place_is_consistent(const struct mount *m, const struct place *p)
{
	if (!mount_is_remote(m)) {
		return false;
	}
	uint64_t wrote_ns = m->wrote_ns;

	/* DynamoDB shows a write to each reader "usually within one second or less". */
	return p->age == PLACE_NEWEST || m->consistent ||
	       (wrote_ns != 0 &&
		clock_steady_ns() - wrote_ns < timing_ms(TIMING_OWN_WRITE) * NS_PER_MS);
}

void
place_wrote(struct mount *m)
{
	m->wrote_ns = clock_steady_ns();
	if (mount_is_remote(m)) {
		recent_drop(&m->recent);
	}
}

/* A request for a whole directory, in pages; each page has a call of its own. */
struct reading {
	struct mount *m;
	struct call *c;
	struct place place;
	struct query query;
	struct read_in *read;
};

static int
reading_begin(struct reading *rd, struct mount *m, struct call *c, const struct place *p,
	      enum query_wants wants, uint32_t limit)
{
	*rd = (struct reading){.m = m, .c = c, .place = *p};
	rd->place.clauses = (struct clauses){0};
	int r = query_make(m, c, &rd->place, wants, &rd->query);

	if (r == 0) {
		rd->read = op_read(rd->query.requests);
		rd->read->has_limit = true;
		rd->read->limit = limit;
	}
	return r;
}

/* Read one page. The caller closes @page_call in any case. */
static int
reading_page(struct reading *rd, struct call *page_call, struct page *out)
{
	call_open(page_call, rd->c->now_ms, SIZE_MAX);
	call_for(page_call, rd->c);
	int r = query_page(rd->m, page_call, &rd->place, &rd->query, rd->query.requests, out);

	if (r < 0) {
		return call_adopt(rd->c, page_call);
	}
	rd->read->start = item_copy(&rd->c->arena, &out->last);
	return r;
}

/* Return: whether to read another page. An empty page is not the end of the data. */
static bool
place_remote_goes_on(const struct reading *rd, int r, size_t n)
{
	return r == 0 && n == 0 && rd->read->start.n > 0 && !call_given_up(rd->c);
}

/* ------------------------------------------------------------ entries */

static struct entry
place_remote_entry_of(const struct reading *rd, struct call *page_call, const struct item *it,
		      uint64_t drops)
{
	struct entry e = rows_entry(&rd->c->arena, &rd->place, it);

	e.rendered_bytes = item_json_length(it) + 1;
	place_keep_listed(rd->m, page_call, &rd->place, it, e.rendered_bytes, drops);
	return e;
}

int
place_remote_entries(struct mount *m, struct call *c, const struct place *p,
		     const struct list_entries_in *in, struct list_entries_out *out)
{
	struct reading rd;
	struct entry *entries = NULL;
	uint64_t drops = m->recent.drops;
	size_t n = 0;
	int r = reading_begin(&rd, m, c, p, QUERY_ITEMS, in->limit);

	*out = (struct list_entries_out){0};
	if (r != 0) {
		return r == PLACE_ABSENT ? 0 : r;
	}
	if (in->after != NULL) {
		rd.read->start = *in->after;
	}
	do {
		struct call page_call;
		struct page page = {0};

		r = reading_page(&rd, &page_call, &page);
		n = page.count;
		entries = n == 0 ? NULL : arena_new(&c->arena, struct entry, n);
		for (size_t i = 0; i < n; i++) {
			entries[i] = place_remote_entry_of(&rd, &page_call, &page.items[i], drops);
		}
		call_close(&page_call);
	} while (place_remote_goes_on(&rd, r, n));
	*out = (struct list_entries_out){.entries = entries,
					 .n_entries = n,
					 .more = rd.read->start.n > 0,
					 .last = rd.read->start};
	return r == 0 && n == 0 && out->more ? PLACE_INTERRUPTED : r;
}

/* ------------------------------------------------------------ partitions */

/* The greatest value of the type. */
static struct value
greatest(struct arena *a, enum value_type type)
{
	struct buf text;

	buf_init(&text, a);
	if (type == VALUE_N) {
		for (int i = 0; i < MOST_DIGITS + MOST_ZEROS; i++) {
			buf_char(&text, i < MOST_DIGITS ? '9' : '0');
		}
	}
	while (type != VALUE_N && text.len < LIMIT_SK_BYTES) {
		/* The last character of Unicode, or four bytes of all ones. */
		buf_str(&text, type == VALUE_S ? "\xF4\x8F\xBF\xBF" : "\xFF\xFF\xFF\xFF");
	}
	return (struct value){.type = type, .text = buf_view(&text)};
}

/*
 * The start key after all items with the partition key of @last, if the key has sort attributes; otherwise @last
 * itself.
 */
static struct item
behind(struct arena *a, const struct place *p, const struct item *last)
{
	const struct key_schema *key = place_key(p);
	struct item out = item_copy(a, last);

	for (size_t i = 0; i < key_part_n(key->sk); i++) {
		for (size_t k = 0; k < out.n; k++) {
			struct attr *at = (struct attr *)&out.at[k];

			if (slice_eq(at->name, key->sk[i].name)) {
				at->value = greatest(a, key->sk[i].type);
			}
		}
	}
	return out;
}

static bool
same(const struct values *a, const struct values *b)
{
	bool equal = a->n == b->n;

	for (size_t i = 0; equal && i < a->n; i++) {
		equal = value_eq(&a->at[i], &b->at[i]);
	}
	return equal;
}

/* The partitions of a page's items, each once, except @before, the last one of the page before. */
static size_t
take_partitions(const struct reading *rd, const struct page *page, const struct values *before,
		struct partition *out)
{
	size_t n_pk = key_part_n(place_key(&rd->place)->pk);
	size_t n = 0;

	for (size_t i = 0; i < page->count; i++) {
		struct entry e = rows_entry(&rd->c->arena, &rd->place, &page->items[i]);
		struct values pk = {e.key.at, n_pk};

		if (!same(&pk, n == 0 ? before : &out[n - 1].pk)) {
			out[n++] = (struct partition){.pk = pk};
		}
	}
	return n;
}

int
place_remote_partitions(struct mount *m, struct call *c, const struct place *p,
			const struct list_partitions_in *in, struct list_partitions_out *out,
			struct item *next)
{
	static const struct values none;
	struct reading rd;
	struct partition *found = NULL;
	uint64_t drops = m->recent.drops;
	size_t n = 0;
	int r = reading_begin(&rd, m, c, p, QUERY_KEYS, in->limit);

	*out = (struct list_partitions_out){0};
	if (r != 0) {
		return r;
	}
	rd.read->start = *next;
	do {
		struct call page_call;
		struct page page = {0};

		rd.read->reported = rd.read->start;
		rd.read->start = behind(&c->arena, p, &rd.read->reported);
		r = reading_page(&rd, &page_call, &page);
		if (r == 0 && page.count > 0) {
			found = arena_new(&c->arena, struct partition, page.count);
			n = take_partitions(&rd, &page, in->after ? &in->from : &none, found);
		}
		for (size_t i = 0; i < n; i++) {
			place_keep_partition(m, &page_call, p, &found[i].pk, true, drops);
		}
		call_close(&page_call);
	} while (place_remote_goes_on(&rd, r, n));
	*out = (struct list_partitions_out){found, n, rd.read->start.n > 0};
	*next = rd.read->start;
	return r == 0 && n == 0 && out->more ? PLACE_INTERRUPTED : r;
}

int
place_remote_partition(struct mount *m, struct call *c, const struct place *p,
		       struct partition *out)
{
	struct reading rd;
	uint64_t drops = m->recent.drops;
	size_t n = 0;
	int r = 0;

	*out = (struct partition){.pk = p->pk};
	if (place_recent_partition(m, c, p)) {
		return 0;
	}
	r = reading_begin(&rd, m, c, p, QUERY_KEYS, 1);
	while (r == 0) {
		struct call page_call;
		struct page page = {0};

		r = reading_page(&rd, &page_call, &page);
		n = page.count;
		call_close(&page_call);
		if (!place_remote_goes_on(&rd, r, n)) {
			break;
		}
	}
	if (r == 0 && n > 0) {
		place_keep_partition(m, c, p, &p->pk, false, drops);
	}
	return r != 0 || n > 0 ? r : PLACE_ABSENT;
}

/* ------------------------------------------------------------ writes that demand a state of the item */

void
place_demand_absence(const struct mount *m, struct arena *a, const struct place *p, struct demand d)
{
	static const struct item none;

	if (!mount_is_remote(m) && d.seen->item == NULL) {
		d.seen->item = &none;
		return;
	}
	struct name_alias *key = arena_new(a, struct name_alias, 1);

	*key = (struct name_alias){.alias = SLICE("#k"), .name = p->schema->key.pk->name};
	*d.condition = SLICE("attribute_not_exists(#k)");
	*d.ph = (struct placeholders){.names = key, .n_names = 1, .names_given = true};
}

void
unchanged_demand(const struct mount *m, struct arena *a, struct demand d)
{
	if (mount_is_remote(m) && d.seen->item != NULL) {
		seen_condition(a, d.seen->item, d.condition, d.ph);
	}
}

int
unchanged_look(const struct mount *m, struct call *c, struct slice table, const struct item *key,
	       const struct item *seen)
{
	struct get_item_in in = {.table = table, .key = *key, .consistent = true};
	struct get_item_out now = {0};

	if (!mount_is_remote(m)) {
		return 0; /* the write itself compares the whole item */
	}
	int r = engine_get_item(m->engine, c, &in, &now);

	if (r < 0 || (now.found && item_eq(&now.item, seen))) {
		return r;
	}
	return call_fail(c, ERR_CONDITION, "another client has changed it");
}
