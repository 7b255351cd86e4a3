/*
 * place_find - see place_find.h
 *
 * A shortened name spells the first bytes of its component, and the store is ordered by key. So only the keys that
 * begin with these bytes are read, and the shortened name of each is compared. Of an endpoint, the partitions and the
 * entries of indexes have no order, so all of them are read.
 */
#include "fs/place/place_find.h"

#include "store/base/core/utf8.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/number.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "fs/format/path.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"
#include "fs/place/rows.h"

enum { FIND_PAGE = 256 };

/* The values that the spelled part of a name gives. */
struct hint {
	struct value values[PATH_VALUES_MAX];
	size_t n;     /* values of a name */
	size_t whole; /* number of values that are spelled completely */
	bool partial; /* values[whole] is a prefix; otherwise it is the least value of its type */
};

/* -9.99...E+125 in canonical form: 38 nines, 88 zeros. */
static const char least_number[] = "-99999999999999999999999999999999999999"
				   "0000000000000000000000000000000000000000000000000000000000"
				   "000000000000000000000000000000";

static struct value
least(enum value_type type)
{
	if (type == VALUE_N) {
		return (struct value){.type = VALUE_N, .text = slice_from(least_number)};
	}
	return (struct value){.type = type, .text = slice_of("", 1)};
}

/* The first bytes of a value, from text that may be cut anywhere. */
static bool
place_find_read_part(struct call *c, struct slice text, enum value_type type, struct value *out)
{
	struct buf raw;

	buf_init(&raw, &c->arena);
	if (type == VALUE_B) {
		text.len -= text.len % 2;
	}
	if (type == VALUE_N || text.len == 0 ||
	    !(type == VALUE_B ? path_unhex(&raw, text) : path_unescape(&raw, text))) {
		return false;
	}
	*out = (struct value){.type = type, .text = buf_view(&raw)};
	return true;
}

static bool
place_find_read_whole(struct call *c, struct slice text, enum value_type type, struct value *out)
{
	if (type != VALUE_N) {
		return place_find_read_part(c, text, type, out);
	}
	*out = (struct value){.type = VALUE_N, .text = text};
	return number_canonical(c, text, &out->text) == 0;
}

/* Return: false if no key has such a name. */
static bool
read_hint(struct call *c, struct slice prefix, const enum value_type *types, size_t n,
	  struct hint *out)
{
	struct slice parts[PATH_VALUES_MAX];
	size_t spelled = path_split(prefix, parts, n);

	*out = (struct hint){.n = n, .whole = spelled - 1};
	for (size_t i = 0; i < n; i++) {
		out->values[i] = least(types[i]);
		if (i < out->whole &&
		    !place_find_read_whole(c, parts[i], types[i], &out->values[i])) {
			return false;
		}
	}
	out->partial = place_find_read_part(c, parts[out->whole], types[out->whole],
					    &out->values[out->whole]);
	return true;
}

/* Return: whether @values agree with the hint; if not, this key and all further ones are after it. */
static bool
place_find_fits(const struct hint *hint, const struct value *values)
{
	for (size_t i = 0; i < hint->whole; i++) {
		if (!value_eq(&values[i], &hint->values[i])) {
			return false;
		}
	}
	return !hint->partial ||
	       slice_starts(values[hint->whole].text, hint->values[hint->whole].text);
}

/* Return: whether @stem is the shortened name of the whole @component */
static bool
place_is_named(struct call *c, struct slice component, struct slice suffix, struct slice stem)
{
	struct buf name;

	buf_init(&name, &c->arena);
	return path_put_name(&name, component, suffix) && name.len == stem.len + suffix.len &&
	       memcmp(name.at, stem.at, stem.len) == 0;
}

/* ------------------------------------------------------------ partitions, items and entries */

/* A search in the pages of a directory. */
struct find {
	struct mount *m;
	const struct place *dir;
	struct slice stem;
	struct slice suffix;
	const struct hint *hint; /* NULL: the names have no order, and all are compared */
	struct values from;      /* of partitions of a store: where the next page begins */
	bool after;              /* the page begins after "from" */
	struct item next;        /* of entries, and of an endpoint: the next page begins after it */
};

/* The key to start after: just before the first key that fits. */
static struct item
place_find_before(struct call *c, const struct place *dir, const struct hint *hint)
{
	struct value at[KEY_VALUES_MAX];
	struct entry e = {.key = {at, 0}};

	for (size_t i = 0; i < dir->pk.n; i++) {
		at[e.key.n++] = dir->pk.at[i];
	}
	for (size_t i = 0; i < hint->n; i++) {
		at[e.key.n++] = hint->values[i];
	}
	return place_entry_key(&c->arena, dir, &e);
}

static int
find_page(struct find *f, struct call *c, struct list_partitions_out *partitions,
	  struct list_entries_out *entries)
{
	struct list_partitions_in p = {.limit = FIND_PAGE, .from = f->from, .after = f->after};
	struct list_entries_in e = {.limit = FIND_PAGE, .after = f->next.n == 0 ? NULL : &f->next};

	return place_holds_items(f->dir)
		       ? place_list_entries(f->m, c, f->dir, &e, entries)
		       : place_list_partitions(f->m, c, f->dir, &p, partitions, &f->next);
}

/* Append component @i of a page.  Return: false if it and all further ones are after the name */
static bool
find_put(const struct find *f, const struct list_partitions_out *partitions,
	 const struct list_entries_out *entries, size_t i, struct buf *out)
{
	if (entries->n_entries > 0) {
		const struct entry *e = &entries->entries[i];

		place_put_entry(out, f->dir, e);
		return f->hint == NULL ||
		       place_find_fits(f->hint, place_listed_values(f->dir, e).at);
	}
	const struct values *pk = &partitions->partitions[i].pk;

	place_put_values(out, f->dir->index, pk);
	return f->hint == NULL || place_find_fits(f->hint, pk->at);
}

/* Let the next page begin after this one; copied to @a. */
static void
find_advance(struct find *f, struct arena *a, const struct list_partitions_out *partitions,
	     const struct list_entries_out *entries)
{
	if (entries->n_entries > 0) {
		struct item last =
			entries->last.n > 0
				? entries->last
				: place_entry_key(a, f->dir,
						  &entries->entries[entries->n_entries - 1]);

		f->next = item_copy(a, &last);
		return;
	}
	assert(partitions->n_partitions > 0);
	const struct values *pk = &partitions->partitions[partitions->n_partitions - 1].pk;

	f->next = item_copy(a, &f->next);
	f->from = (struct values){arena_new(a, struct value, pk->n), pk->n};
	for (size_t i = 0; i < pk->n; i++) {
		f->from.at[i] = value_copy(a, &pk->at[i]);
	}
	f->after = true;
}

/* Search the next page; @c is used for this page only.  Return: 0 with @full; 0 to continue; PLACE_*; an error */
static int
find_in_page(struct find *f, struct arena *a, struct call *c, struct slice *full)
{
	struct list_partitions_out partitions = {0};
	struct list_entries_out entries = {0};
	struct buf component;
	int r = find_page(f, c, &partitions, &entries);

	if (r != 0) {
		return r;
	}
	buf_init(&component, &c->arena);
	for (size_t i = 0; i < partitions.n_partitions + entries.n_entries; i++) {
		buf_clear(&component);
		if (!find_put(f, &partitions, &entries, i, &component)) {
			return PLACE_ABSENT;
		}
		if (place_is_named(c, buf_view(&component), f->suffix, f->stem)) {
			*full = slice_copy(a, buf_view(&component));
			return 0;
		}
	}
	if (!partitions.more && !entries.more) {
		return PLACE_ABSENT;
	}
	find_advance(f, a, &partitions, &entries);
	return 0;
}

/* Return: whether the names in @dir are ordered by the bytes that they begin with. */
static bool
place_find_is_sorted(const struct mount *m, const struct place *dir)
{
	return !mount_is_remote(m) ||
	       (place_holds_items(dir) && dir->index == NULL && dir->pk.n > 0);
}

static int
find_paged(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
	   struct slice suffix, struct slice *full)
{
	struct find f = {.m = m, .dir = dir, .stem = stem, .suffix = suffix};
	struct hint hint;
	enum value_type types[PATH_VALUES_MAX];
	int r = 0;

	if (place_find_is_sorted(m, dir)) {
		size_t n = place_types(dir, types);

		/* No number is long enough for a shortened name. */
		if ((n == 1 && types[0] == VALUE_N) ||
		    !read_hint(c, path_hashed_prefix(stem), types, n, &hint)) {
			return PLACE_ABSENT;
		}
		f.hint = &hint;
		f.from = (struct values){hint.values, n};
		if (place_holds_items(dir)) {
			f.next = place_find_before(c, dir, &hint);
		}
	}
	while (r == 0 && full->len == 0) {
		struct call each;

		call_open(&each, c->now_ms, SIZE_MAX);
		call_for(&each, c);
		r = find_in_page(&f, &c->arena, &each, full);
		if (r < 0) {
			r = call_adopt(c, &each);
		} else if (r == 0 && full->len == 0 && call_given_up(c)) {
			r = PLACE_INTERRUPTED;
		}
		call_close(&each);
	}
	return r;
}

/*
 * Merged collections have no key to start at. But names spell the sort key first: if the query has no condition on it,
 * add one that selects the rows that begin like the name.
 */
static void
narrow(struct call *c, struct place *dir, struct slice prefix)
{
	enum value_type types[PATH_VALUES_MAX];
	size_t n = place_types(dir, types);
	struct hint hint;

	if (dir->clauses.n_sort > 0 || key_part_n(place_key(dir)->sk) == 0 || types[0] != VALUE_S ||
	    !read_hint(c, prefix, types, n, &hint) || (hint.whole == 0 && !hint.partial)) {
		return;
	}
	struct slice begin = hint.values[0].text;

	/* The name may be cut within a character. */
	while (begin.len > 0 && !utf8_valid(begin)) {
		begin.len--;
	}
	dir->clauses.sort[0] = (struct sort_clause){.kind = CLAUSE_BEGINS_WITH, .a = begin};
	dir->clauses.n_sort = begin.len > 0;
}

/* The component of a row if it has the name, else empty. @c is used for this row only. */
static struct slice
match_row(struct call *c, const struct place *dir, const struct item *row, struct slice stem,
	  struct slice suffix)
{
	struct entry e = rows_entry(&c->arena, dir, row);
	struct buf component;

	buf_init(&component, &c->arena);
	place_put_entry(&component, dir, &e);
	return slice_starts(buf_view(&component), path_hashed_prefix(stem)) &&
			       place_is_named(c, buf_view(&component), suffix, stem)
		       ? buf_view(&component)
		       : (struct slice){0};
}

static int
find_merged(struct mount *m, struct call *c, const struct place *merged, struct slice stem,
	    struct slice suffix, struct slice *full)
{
	struct place dir = *merged;
	const struct item *row;
	struct rows *rows;
	struct call each;

	narrow(c, &dir, path_hashed_prefix(stem));
	int r = rows_open(m, c, &dir, NULL, NULL, 0, &rows);

	if (r != 0) {
		return r;
	}
	call_open(&each, c->now_ms, SIZE_MAX);
	while (full->len == 0 && (r = rows_next(rows, c, &row)) == 0) {
		struct slice found = match_row(&each, &dir, row, stem, suffix);

		if (found.len > 0) {
			*full = slice_copy(&c->arena, found);
		}
		call_clear(&each);
	}
	call_close(&each);
	rows_close(rows);
	return r == ROWS_END ? PLACE_ABSENT : r;
}

/* ------------------------------------------------------------ tables and indexes */

static bool
take_if_named(struct call *c, struct slice raw, struct slice stem, struct slice *full)
{
	struct value name = value_string(raw);
	struct buf component;

	buf_init(&component, &c->arena);
	path_put_value(&component, &name);
	if (!place_is_named(c, buf_view(&component), SLICE(""), stem)) {
		return false;
	}
	*full = buf_view(&component);
	return true;
}

static int
place_find_table(struct mount *m, struct call *c, struct slice stem, struct slice *full)
{
	struct list_tables_in in = {0};
	struct list_tables_out page = {0};

	do {
		int r = engine_list_tables(m->engine, c, &in, &page);

		if (r < 0) {
			return r;
		}
		for (size_t i = 0; i < page.n_names; i++) {
			if (take_if_named(c, page.names[i], stem, full)) {
				return 0;
			}
		}
		in.start = page.last;
	} while (in.start.len > 0);
	return PLACE_ABSENT;
}

static int
place_find_index(struct call *c, const struct place *dir, struct slice stem, struct slice *full)
{
	for (size_t i = 0; i < dir->schema->n_index; i++) {
		const struct index *ix = &dir->schema->index[i];

		if (ix->state == INDEX_ACTIVE && take_if_named(c, ix->name, stem, full)) {
			return 0;
		}
	}
	return PLACE_ABSENT;
}

int
place_find_full(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
		struct slice suffix, struct slice *full)
{
	*full = (struct slice){0};
	if (dir->role == ROLE_TABLES) {
		return place_find_table(m, c, stem, full);
	}
	if (dir->role == ROLE_INDEXES) {
		return place_find_index(c, dir, stem, full);
	}
	if (place_spans(dir)) {
		return find_merged(m, c, dir, stem, suffix, full);
	}
	return find_paged(m, c, dir, stem, suffix, full);
}

/* ------------------------------------------------------------ from an item */

/* The key in the text must give exactly the shortened names that were requested. */
static int
place_find_check_name(struct call *c, struct slice component, const char *suffix,
		      struct slice shown, struct slice *full)
{
	struct buf name;

	buf_init(&name, &c->arena);
	*full = path_put_name(&name, component, slice_from(suffix)) ? component : (struct slice){0};
	name.len -= strlen(suffix);
	if (slice_eq(buf_view(&name), shown)) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "the key in the text gives the name \"%.*s\", not \"%.*s\"",
			 SLICE_ARG(buf_view(&name)), SLICE_ARG(shown));
}

int
place_adopt(struct call *c, const struct place *p, const char *suffix, const struct item *it,
	    struct slice *partition, struct slice *full)
{
	struct key_values key = {.n = 0};
	struct buf directory, component;

	*partition = (struct slice){0};
	*full = (struct slice){0};
	if (p->known) {
		return 0;
	}
	if (key_from_item(&p->schema->key, it, &key) != 0) {
		return call_fail(c, ERR_VALIDATION,
				 "a key attribute is missing or of another type");
	}
	buf_init(&directory, &c->arena);
	buf_init(&component, &c->arena);
	path_put_value(&component, key.at[key.n - 1]);
	int r = place_find_check_name(c, buf_view(&component), suffix, p->shown, full);

	if (r == 0 && key.n > 1) {
		path_put_value(&directory, key.at[0]);
		r = place_find_check_name(c, buf_view(&directory), "", p->partition, partition);
	}
	return r;
}
