/*
 * place - see place.h
 *
 * This file is between inode.c and path.c below, and the requests in ops_*.c above.
 */
#include "fs/place/place.h"

#include "store/model/schema.h"

#include "fs/core/inode.h"
#include "fs/core/schemas.h"
#include "fs/format/clauses.h"
#include "fs/format/path.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_find.h"
#include "fs/place/place_known.h"
#include "fs/place/place_query.h"

/* ------------------------------------------------------------ contents of directories */

static bool
is_simple(const struct schema *s)
{
	return !key_schema_has_sort(&s->key);
}

bool
place_holds_items(const struct place *p)
{
	return p->role == ROLE_PARTITION || p->role == ROLE_QUERY ||
	       (p->role == ROLE_TABLE && is_simple(p->schema));
}

/* Return: whether the key values that all its items have in common are known, if there are any. */
static bool
place_is_collection(const struct place *p)
{
	return p->pk.n > 0 || place_in_partition(p->schema, p->index) == 0;
}

bool
place_is_read_only(const struct mount *m, const struct place *p)
{
	return m->ro || p->index != NULL || p->role == ROLE_INDEXES || p->role == ROLE_SPECIAL ||
	       place_is_fleeting(p);
}

bool
place_is_fleeting(const struct place *p)
{
	return p->role == ROLE_TERMINAL || p->role == ROLE_TABLE_FILE || clauses_any(&p->clauses);
}

const struct key_schema *
place_key(const struct place *p)
{
	assert(p->schema != NULL);
	return schema_key(p->schema, p->index);
}

size_t
place_in_partition(const struct schema *s, const struct index *ix)
{
	return ix == NULL && is_simple(s) ? 0 : key_part_n(schema_key(s, ix)->pk);
}

bool
place_spans(const struct place *p)
{
	return clauses_any(&p->clauses) && p->partition.len == 0 &&
	       place_in_partition(p->schema, p->index) > 0;
}

bool
place_merges_table(const struct place *p)
{
	return place_spans(p) && p->index == NULL;
}

size_t
place_types(const struct place *dir, enum value_type types[PATH_VALUES_MAX])
{
	assert(dir->schema != NULL);
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t end = schema_place(dir->schema, dir->index, attrs);
	size_t begin = place_in_partition(dir->schema, dir->index);

	if (place_merges_table(dir)) {
		types[0] = attrs[1]->type;
		types[1] = attrs[0]->type;
		return 2;
	}
	if (!place_holds_items(dir)) {
		end = begin;
		begin = 0;
	}
	assert(begin < end);
	for (size_t i = begin; i < end; i++) {
		types[i - begin] = attrs[i]->type;
	}
	return end - begin;
}

/* ------------------------------------------------------------ keys from values */

/*
 * Set p->at and p->key from the partition, if that is known, and from the values that the file's name spells (NULL: not
 * known). Return: false if they contradict each other.
 */
static bool
set_keys(struct call *c, struct place *p, const struct value *names)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, p->index, attrs);
	size_t begin = place_in_partition(p->schema, p->index);
	size_t own = p->index == NULL ? 0 : key_schema_n(&p->index->key);
	bool fits = true;

	p->at = (struct item){.at = arena_new(&c->arena, struct attr, n)};
	p->key = (struct item){.at = arena_new(&c->arena, struct attr, n)};
	for (size_t i = 0; i < n; i++) {
		const struct value *v = NULL;

		if (i >= begin) {
			v = names == NULL ? NULL : &names[i - begin];
		} else if (p->pk.n > 0) {
			v = &p->pk.at[i];
		}
		if (v != NULL) {
			fits = place_add_key(&p->at, attrs[i], v) && fits;
			fits = (i < own || place_add_key(&p->key, attrs[i], v)) && fits;
		}
	}
	return fits;
}

/* ------------------------------------------------------------ one step down */

static int
place_odd(struct call *c, struct slice why)
{
	int r = call_fail(c, ERR_VALIDATION, "%.*s", SLICE_ARG(why));

	return r < 0 ? PLACE_ODD : r;
}

static int
enter_table(struct mount *m, struct call *c, struct place *p, struct slice component)
{
	struct value name;
	struct slice why;

	if (path_read_value(c, component, VALUE_S, SLICE(""), &name, &why) != 0) {
		return place_odd(c, why);
	}
	p->role = ROLE_TABLE;
	p->table = name.text;
	p->ino = place_view_ino(p);
	int r = schemas_get(&m->schemas, c, name.text, &p->schema);

	/* A name that no table can have is absent, too. */
	return r == -ERR_NO_TABLE || r == -ERR_VALIDATION ? PLACE_ABSENT : r;
}

static int
enter_index(struct call *c, struct place *p, struct slice component)
{
	struct value name;
	struct slice why;

	if (path_read_value(c, component, VALUE_S, SLICE(""), &name, &why) != 0) {
		return place_odd(c, why);
	}
	p->role = ROLE_INDEX;
	p->index = schema_view(p->schema, name.text);
	p->ino = place_view_ino(p);
	return p->index == NULL ? PLACE_ABSENT : 0;
}

static int
enter_partition(struct call *c, struct place *p, struct slice shown, struct slice full)
{
	enum value_type types[PATH_VALUES_MAX];
	size_t n = place_types(p, types);
	struct slice why;

	p->role = ROLE_PARTITION;
	p->partition = shown;
	p->ino = place_child_ino(p->ino, shown);
	p->known = full.len > 0 || !path_is_hashed(shown);
	if (!p->known) {
		return 0;
	}
	p->pk = (struct values){arena_new(&c->arena, struct value, n), n};
	struct slice component = full.len > 0 ? full : shown;
	int r = p->index == NULL
			? path_read_value(c, component, types[0], SLICE(""), p->pk.at, &why)
			: path_read_entry(c, component, types, n, SLICE(""), p->pk.at, &why);

	return r == 0 ? 0 : place_odd(c, why);
}

static int
enter_item(struct call *c, struct place *p, struct slice suffix, struct slice shown,
	   struct slice full)
{
	struct value values[PATH_VALUES_MAX];
	enum value_type types[PATH_VALUES_MAX];
	size_t n = place_types(p, types);
	bool spelled = full.len > 0 || !path_is_hashed(shown);
	bool one = p->index == NULL && !place_spans(p);
	struct slice component = full.len > 0 ? full : shown;
	struct slice why;
	int r = 0;

	p->known = spelled && (place_is_collection(p) || place_spans(p));
	p->role = ROLE_ITEM;
	p->shown = shown;
	p->ino = place_child_ino(p->ino, shown);
	if (spelled) {
		r = one ? path_read_value(c, component, types[0], suffix, &values[0], &why)
			: path_read_entry(c, component, types, n, suffix, values, &why);
	}
	if (r != 0) {
		return place_odd(c, why);
	}
	if (spelled && place_merges_table(p)) {
		p->pk = (struct values){arena_new(&c->arena, struct value, 1), 1};
		p->pk.at[0] = values[1];
	}
	bool fits = set_keys(c, p, spelled ? values : NULL);
	bool closed = p->index != NULL || clauses_any(&p->clauses);

	/* Views are read-only, so a shortened name without a key stays absent. */
	return !closed || (spelled && fits) ? 0 : PLACE_ABSENT;
}

static void
enter_special(struct call *c, struct place *p, struct slice name)
{
	if (p->role != ROLE_SPECIAL) {
		p->role = ROLE_SPECIAL;
		p->shown = SLICE("");
		p->ino = place_dot_ino(1, SLICE(SPECIAL_NAME));
		return;
	}
	p->ino = place_child_ino(p->ino, name);
	p->shown = slice_from(arena_print(&c->arena, "%.*s%s%.*s", SLICE_ARG(p->shown),
					  p->shown.len > 0 ? "/" : "", SLICE_ARG(name)));
}

static void
enter_indexes(struct place *p)
{
	p->role = ROLE_INDEXES;
	p->ino = place_dot_ino(p->ino, SLICE(".index"));
}

/* Enter a file that is no item. @shown: the name of its node */
static void
enter_file(struct place *p, enum role role, struct slice shown)
{
	p->role = role;
	p->shown = shown;
	p->ino = role == ROLE_SCRATCH ? place_scratch_ino(p->ino, slice_skip(shown, 1))
				      : place_child_ino(p->ino, shown);
}

/* ------------------------------------------------------------ nodes */

static int
root_place(struct mount *m, struct call *c, struct place *p)
{
	*p = (struct place){.role = ROLE_TABLES, .ino = 1, .known = true};
	if (m->table[0] == '\0') {
		return 0;
	}
	p->role = ROLE_TABLE;
	p->table = slice_from(m->table);
	int r = schemas_get(&m->schemas, c, p->table, &p->schema);

	if (r == 0 && m->index[0] != '\0') {
		p->role = ROLE_INDEX;
		p->index = schema_view(p->schema, slice_from(m->index));
		r = p->index == NULL ? PLACE_ABSENT : 0;
	}
	p->ino = place_view_ino(p);
	return r;
}

static int
place_step(struct mount *m, struct call *c, struct place *p, const struct inode_step *s)
{
	struct slice whole = s->full.len > 0 ? s->full : s->name;

	switch (s->kind) {
	case NODE_TABLE:
		return enter_table(m, c, p, whole);
	case NODE_INDEXES:
		enter_indexes(p);
		return 0;
	case NODE_INDEX:
		return enter_index(c, p, whole);
	case NODE_PARTITION:
		return enter_partition(c, p, s->name, s->full);
	case NODE_ITEM:
		return enter_item(c, p, slice_from(m->suffix), s->name, s->full);
	case NODE_SPECIAL:
		enter_special(c, p, s->name);
		return 0;
	case NODE_SCRATCH:
		enter_file(p, ROLE_SCRATCH, s->name);
		return 0;
	case NODE_QUERY:
		p->role = ROLE_QUERY;
		p->ino = place_child_ino(p->ino, s->name);
		return clauses_add(c, &p->clauses, s->name);
	case NODE_TERMINAL:
		p->generated = clauses_generated(s->name);
		enter_file(p, ROLE_TERMINAL, s->name);
		return 0;
	case NODE_TABLE_FILE:
		enter_file(p, ROLE_TABLE_FILE, s->name);
		return 0;
	case NODE_ROOT:
		break;
	}
	assert(false);
	return PLACE_ABSENT;
}

/* Make the place of a node, from that of its parent if this is known. Until a name changes, the parent lives. */
static int
place_make(struct mount *m, struct call *c, struct node *n, struct place *out)
{
	struct inode_step steps[INODE_DEPTH_MAX];
	uint64_t moves = m->inodes.moves;
	size_t depth = inode_way(&m->inodes, &c->arena, n, steps);
	const struct node *parent = depth > 1 ? steps[depth - 2].node : m->inodes.root;
	bool known = depth > 0 && place_known_find(m, c, parent, out) && moves == m->inodes.moves;
	int r = known ? 0 : root_place(m, c, out);

	for (size_t i = known ? depth - 1 : 0; r == 0 && i < depth; i++) {
		r = place_step(m, c, out, &steps[i]);
	}
	return r;
}

int
place_of(struct mount *m, struct call *c, struct node *n, struct place *out)
{
	bool known = place_known_find(m, c, n, out) || place_known_make(m, c, n, place_make, out);

	/* A failure is one of this call. */
	return known ? 0 : place_make(m, c, n, out);
}

/* ------------------------------------------------------------ names */

static int
place_too_long(struct call *c, struct slice name)
{
	int r = call_fail(c, ERR_KEY_TOO_LONG, "the name has %zu bytes, more than %d", name.len,
			  PATH_NAME_MAX);

	return r < 0 ? PLACE_TOO_LONG : r;
}

/* A '/' precedes the name of a scratch file's node. No item's name contains one. */
static void
child_scratch(struct call *c, struct child *out)
{
	out->stem = slice_from(arena_print(&c->arena, "/%.*s", SLICE_ARG(out->stem)));
	out->kind = NODE_SCRATCH;
	enter_file(&out->place, ROLE_SCRATCH, out->stem);
}

/* Set @full of a shortened name. */
static int
find_full(struct mount *m, struct call *c, const struct place *dir, struct slice suffix,
	  struct child *out)
{
	if (!path_is_hashed(out->stem)) {
		return 0;
	}
	int r = place_find_full(m, c, dir, out->stem, suffix, &out->full);

	return r == PLACE_ABSENT ? 0 : r;
}

static int
child_table(struct mount *m, struct call *c, const struct place *dir, struct child *out)
{
	int r = find_full(m, c, dir, SLICE(""), out);

	if (r != 0) {
		return r;
	}
	out->kind = dir->role == ROLE_TABLES ? NODE_TABLE : NODE_INDEX;
	struct slice whole = out->full.len > 0 ? out->full : out->stem;

	return dir->role == ROLE_TABLES ? enter_table(m, c, &out->place, whole)
					: enter_index(c, &out->place, whole);
}

static int
child_partition(struct mount *m, struct call *c, const struct place *dir, struct child *out)
{
	int r = find_full(m, c, dir, SLICE(""), out);

	out->kind = NODE_PARTITION;
	return r != 0 ? r : enter_partition(c, &out->place, out->stem, out->full);
}

static int
child_item(struct mount *m, struct call *c, const struct place *dir, struct child *out)
{
	assert(place_holds_items(dir));
	struct slice suffix = slice_from(m->suffix);

	if (path_is_scratch(out->stem, suffix)) {
		child_scratch(c, out);
		return clauses_any(&dir->clauses) ? PLACE_ABSENT : 0;
	}
	out->stem.len -= suffix.len;
	out->kind = NODE_ITEM;
	bool findable = place_is_collection(dir) || place_spans(dir);
	int r = findable ? find_full(m, c, dir, suffix, out) : 0;

	return r != 0 ? r : enter_item(c, &out->place, suffix, out->stem, out->full);
}

static bool
has_indexes(const struct place *dir, struct slice name)
{
	return dir->role == ROLE_TABLE && slice_is(name, ".index");
}

bool
place_is_root(const struct mount *m, const struct place *p)
{
	return p->role == ROLE_TABLES || (m->table[0] != '\0' && p->role == ROLE_TABLE) ||
	       (m->index[0] != '\0' && p->role == ROLE_INDEX);
}

static bool
has_special(const struct mount *m, const struct place *dir, struct slice name)
{
	return dir->role == ROLE_SPECIAL || (place_is_root(m, dir) && slice_is(name, SPECIAL_NAME));
}

static bool
is_table_file(struct slice name)
{
	return slice_is(name, PLACE_DESCRIPTION) || slice_is(name, PLACE_STREAM) ||
	       slice_is(name, PLACE_RECORDS);
}

int
place_child(struct mount *m, struct call *c, const struct place *dir, struct slice name,
	    struct child *out)
{
	*out = (struct child){.place = *dir, .stem = name};
	if (place_is_query(dir, name)) {
		return place_child_query(m, c, dir, name, out);
	}
	if (name.len > PATH_NAME_MAX) {
		return place_too_long(c, name);
	}
	if (has_special(m, dir, name)) {
		out->kind = NODE_SPECIAL;
		enter_special(c, &out->place, name);
		return 0;
	}
	if (has_indexes(dir, name)) {
		out->kind = NODE_INDEXES;
		enter_indexes(&out->place);
		return 0;
	}
	if (dir->role == ROLE_TABLE && is_table_file(name)) {
		out->kind = NODE_TABLE_FILE;
		enter_file(&out->place, ROLE_TABLE_FILE, name);
		return 0;
	}
	if (dir->role == ROLE_TABLES || dir->role == ROLE_INDEXES) {
		return child_table(m, c, dir, out);
	}
	return place_holds_items(dir) ? child_item(m, c, dir, out)
				      : child_partition(m, c, dir, out);
}

int
place_below(struct mount *m, struct call *c, struct node *dir, const char *name,
	    struct place *dir_place, struct child *out)
{
	int r = place_of(m, c, dir, dir_place);

	return r != 0 ? r : place_child(m, c, dir_place, slice_from(name), out);
}
