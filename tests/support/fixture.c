#include "tests/support/fixture.h"

#include "store/local/jobs/tasks.h"
#include "store/local/local.h"
#include "store/model/item_json.h"

#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

struct fixture fixture;

enum { BUDGET = 1 << 30 };

/* A time in November 2023, in milliseconds. */
static const uint64_t now_ms = 1700000000000;

static void
open_engine(void)
{
	fixture.fault = kv_fault_new(fixture.mem);
	if (local_open_kv(&fixture.c, fixture.fault, NULL, &fixture.e) != 0) {
		fixture.e = NULL;
		return;
	}
	/* Otherwise calls of background tasks to the kv would be counted. */
	tasks_wait(((struct local *)fixture.e)->tasks);
}

void
fixture_open(void)
{
	call_open(&fixture.c, now_ms, BUDGET);
	fixture.mem = kv_mem_new();
	open_engine();
}

void
fixture_close(void)
{
	engine_close(fixture.e);
	call_close(&fixture.c);
	fixture = (struct fixture){0};
}

int
fixture_continue(struct kv *mem)
{
	fixture.c.error = (struct error){0};
	engine_close(fixture.e);
	fixture.mem = mem;
	open_engine();
	return -(int)fixture.c.error.code;
}

int
fixture_restart(void)
{
	return fixture_continue(kv_mem_copy(fixture.mem, UINT64_MAX));
}

struct item
fixture_item(const char *json)
{
	return item_of(&fixture.c, json);
}

const char *
fixture_message(void)
{
	return fixture.c.error.message == NULL ? "" : fixture.c.error.message;
}

/* ------------------------------------------------------------ tables */

/* Return the next word; "" at the end or at '|'. */
static struct slice
next_word(const char **at)
{
	*at += strspn(*at, " ");
	size_t n = **at == '|' ? 0 : strcspn(*at, " ");
	struct slice word = slice_of(*at, n);

	*at += n;
	return word;
}

static struct key_attr
attr_of(struct slice word)
{
	return (struct key_attr){
		.name = slice_of(word.at, word.len - 2),
		.type = value_type_from_name(slice_of(word.at + word.len - 1, 1)),
	};
}

static bool
is_attr(struct slice word)
{
	return word.len > 2 && word.at[word.len - 2] == ':';
}

static void
parse_projection(const char **at, struct slice word, struct index *ix)
{
	ix->projection = PROJECTION_ALL;
	if (slice_is(word, "KEYS_ONLY")) {
		ix->projection = PROJECTION_KEYS_ONLY;
	} else if (slice_is(word, "INCLUDE")) {
		ix->projection = PROJECTION_INCLUDE;
		ix->include = arena_new(&fixture.c.arena, struct slice, 20);
		for (word = next_word(at); word.len > 0; word = next_word(at)) {
			ix->include[ix->n_include++] = word;
		}
	}
}

static void
parse_index(const char **at, const struct schema *s, struct index *ix)
{
	struct slice word = next_word(at);

	ix->global = word.at[0] == '+';
	ix->name = slice_skip(word, 1);
	word = next_word(at);
	if (ix->global) {
		ix->key.pk[0] = attr_of(word);
		word = next_word(at);
	} else {
		ix->key.pk[0] = s->key.pk[0];
	}
	if (is_attr(word)) {
		ix->key.sk[0] = attr_of(word);
		word = next_word(at);
	}
	parse_projection(at, word, ix);
}

int
fixture_table(const char *spec)
{
	const char *at = spec;
	struct schema s = {.table = next_word(&at)};
	struct create_table_out out;

	s.index = arena_new(&fixture.c.arena, struct index, 25);
	s.key.pk[0] = attr_of(next_word(&at));
	struct slice word = next_word(&at);

	if (word.len > 0) {
		s.key.sk[0] = attr_of(word);
	}
	for (at += strspn(at, " "); *at == '|'; at += strspn(at, " ")) {
		at++;
		parse_index(&at, &s, &s.index[s.n_index++]);
	}
	fixture.c.error = (struct error){0};
	return engine_create_table(fixture.e, &fixture.c, &(struct create_table_in){.schema = &s},
				   &out);
}

int
fixture_stream(const char *table, enum stream_view view)
{
	struct update_table_out out;

	fixture.c.error = (struct error){0};
	return engine_update_table(
		fixture.e, &fixture.c,
		&(struct update_table_in){.table = slice_from(table), .stream = &view}, &out);
}

static int
change_index(const char *table, const struct index_change *ch)
{
	struct update_table_out out;
	struct update_table_in in = {.table = slice_from(table), .changes = ch, .n_changes = 1};

	fixture.c.error = (struct error){0};
	return engine_update_table(fixture.e, &fixture.c, &in, &out);
}

int
fixture_add_index(const char *table, const char *spec)
{
	struct index_change ch = {.kind = INDEX_CREATE};

	parse_index(&spec, &(struct schema){0}, &ch.index);
	return change_index(table, &ch);
}

int
fixture_drop_index(const char *table, const char *name)
{
	return change_index(table, &(struct index_change){.kind = INDEX_DELETE,
							  .index.name = slice_from(name)});
}

const struct index *
fixture_index(const char *table, const char *name)
{
	struct describe_table_out out = {0};

	fixture.c.error = (struct error){0};
	int r = engine_describe_table(fixture.e, &fixture.c,
				      &(struct describe_table_in){.table = slice_from(table)},
				      &out);

	return r == 0 && out.table.schema != NULL ? schema_index(out.table.schema, slice_from(name))
						  : NULL;
}

size_t
fixture_keys(char letter)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	size_t n = 0;

	for (cur->ops->seek(cur, slice_of(&letter, 1)); kv_cursor_in(cur, slice_of(&letter, 1));
	     cur->ops->next(cur)) {
		n++;
	}
	return n;
}

struct totals
fixture_totals(const char *table, const char *index)
{
	struct describe_table_out out = {0};

	fixture.c.error = (struct error){0};
	if (engine_describe_table(fixture.e, &fixture.c,
				  &(struct describe_table_in){.table = slice_from(table)},
				  &out) != 0) {
		return (struct totals){.items = UINT64_MAX};
	}
	for (size_t i = 0; index != NULL && i < out.table.schema->n_index; i++) {
		if (slice_is(out.table.schema->index[i].name, index)) {
			return out.table.index_totals[i];
		}
	}
	return out.table.totals;
}

/* ------------------------------------------------------------ items */

int
fixture_put_if(const char *table, const char *json, const char *condition)
{
	struct put_item_out out;
	struct put_item_in in = {.write = {.table = slice_from(table),
					   .item = fixture_item(json),
					   .condition = slice_from(condition)}};

	fixture.c.error = (struct error){0};
	return engine_put_item(fixture.e, &fixture.c, &in, &out);
}

int
fixture_put(const char *table, const char *json)
{
	return fixture_put_if(table, json, NULL);
}

int
fixture_delete(const char *table, const char *key)
{
	struct delete_item_out out;
	struct delete_item_in in = {
		.write = {.table = slice_from(table), .item = fixture_item(key)}};

	fixture.c.error = (struct error){0};
	return engine_delete_item(fixture.e, &fixture.c, &in, &out);
}

void
fixture_expect(const char *table, const char *key, const char *json)
{
	struct get_item_out out = {0};
	struct get_item_in in = {.table = slice_from(table), .key = fixture_item(key)};
	struct item want = json == NULL ? (struct item){0} : fixture_item(json);

	fixture.c.error = (struct error){0};
	int r = engine_get_item(fixture.e, &fixture.c, &in, &out);
	bool right = r == 0 && out.found == (json != NULL) &&
		     (json == NULL || item_eq(&out.item, &want));

	if (!right) {
		struct buf got;

		buf_init(&got, &fixture.c.arena);
		item_put_json(&got, &out.item, ITEM_PLAIN);
		printf("%s %s: %s, not %s %s\n", table, key, json == NULL ? "none" : json,
		       out.found ? "" : "none", slice_cstr(&fixture.c.arena, buf_view(&got)));
	}
	CU_ASSERT_TRUE(right);
}

size_t
fixture_check(void)
{
	struct check_out out = {0};
	struct slice next = {0};
	size_t problems = 0;

	fixture.c.error = (struct error){0};
	do {
		if (engine_check(fixture.e, &fixture.c, &(struct check_in){.next = next}, &out) !=
		    0) {
			printf("check: %s\n", fixture_message());
			return SIZE_MAX;
		}
		for (size_t i = 0; i < out.n_problems; i++) {
			printf("check: %.*s\n", SLICE_ARG(out.problems[i]));
		}
		problems += out.n_problems;
		next = out.next;
	} while (next.len > 0);
	return problems;
}
