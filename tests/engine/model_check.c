#include <stdarg.h>

#include "store/wire/codec/codec.h"

#include "tests/engine/model.h"
#include "tests/support/unit.h"

void
model_complain(const struct model *m, const char *fmt, ...)
{
	struct slice model = model_text(json_get(m->json, "name"));
	struct slice name =
		m->asked == NULL ? SLICE("views") : model_text(json_get(m->asked, "name"));
	va_list ap;

	printf("\n%s, %.*s, \"%.*s\" on \"%s\": ", m->file, SLICE_ARG(model), SLICE_ARG(name),
	       m->t->name);
	va_start(ap, fmt);
	(void)vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	CU_FAIL("the answer differs from the model");
}

/* ------------------------------------------------------------ answers */

static void
take_item(struct model_answer *a, struct call *c, const struct item *it)
{
	struct item *one = arena_new(&c->arena, struct item, 1);

	*one = *it;
	a->items = one;
	a->n = a->count = 1;
}

static void
take_items(struct model_answer *a, struct call *c, const struct op_in *in, const struct op_out *out)
{
	const struct page *page = in->type == OP_SCAN ? &out->scan.page : &out->query.page;

	if (in->type == OP_QUERY || in->type == OP_SCAN) {
		a->items = page->items;
		a->n = page->items == NULL ? 0 : page->count;
		a->count = page->count;
		a->scanned = page->scanned;
		a->last = page->last;
	} else if (in->type == OP_GET_ITEM && out->get_item.found) {
		take_item(a, c, &out->get_item.item);
	} else if (in->type == OP_UPDATE_ITEM && out->update_item.written.attributes.n > 0) {
		take_item(a, c, &out->update_item.written.attributes);
	}
}

struct model_answer
model_run(const struct model *m, struct call *c, struct slice op, struct slice request)
{
	struct op_in in = {.type = op_find(op)};
	struct op_out out = {.type = in.type};
	struct model_answer a = {.c = c};

	a.status = codec_decode_in(c, CODEC_OWN, request, &in);
	if (a.status == 0) {
		a.status = engine_execute(m->t->engine, c, &in, &out);
	}
	if (a.status == 0) {
		take_items(&a, c, &in, &out);
	}
	return a;
}

static bool
has_key(const struct model *m, const struct item *it, const struct json *key)
{
	json_each (attr, key) {
		struct value want = model_value(m->c, attr);
		const struct value *got = item_get(it, attr->name);

		if (got == NULL || !value_eq(got, &want)) {
			return false;
		}
	}
	return true;
}

void
model_check_keys(const struct model *m, const struct model_answer *a, const struct json *expect,
		 bool unordered)
{
	size_t i = 0;

	if (a->status < 0) {
		model_complain(m, "%s", a->c->error.message);
		return;
	}
	if (a->n != expect->n) {
		model_complain(m, "%zu items, not %zu", a->n, expect->n);
		return;
	}
	json_each (key, expect) {
		bool found = !unordered && has_key(m, &a->items[i], key);

		for (size_t n = 0; unordered && n < a->n; n++) {
			found = found || has_key(m, &a->items[n], key);
		}
		CU_PASS("a key was checked");
		if (!found) {
			model_complain(m, "item %zu differs", i);
		}
		i++;
	}
}

bool
model_is_unordered(const struct json *asked)
{
	return model_is(json_get(asked, "order"), "unspecified") ||
	       json_get(asked, "unordered") != NULL;
}

void
model_check_error(const struct model *m, const struct model_answer *a, struct slice code,
		  const struct json *reasons, const struct json *message_has)
{
	if (a->status == 0) {
		model_complain(m, "succeeds, but %.*s is expected", SLICE_ARG(code));
		return;
	}
	const struct error *e = &a->c->error;
	size_t i = 0;

	CU_PASS("an error was checked");
	if (!slice_is(code, error_wire(e->code))) {
		model_complain(m, "%s: %s", error_wire(e->code), e->message);
	}
	if (message_has != NULL &&
	    strstr(e->message, slice_cstr(&m->c->arena, message_has->text)) == NULL) {
		model_complain(m, "the message is: %s", e->message);
	}
	if (reasons == NULL) {
		return;
	}
	if (e->n_reasons != reasons->n) {
		model_complain(m, "%zu reasons", e->n_reasons);
		return;
	}
	json_each (reason, reasons) {
		if (!slice_eq(e->reasons[i].code, reason->text)) {
			model_complain(m, "reason %zu is %.*s", i, SLICE_ARG(e->reasons[i].code));
		}
		i++;
	}
}

/* ------------------------------------------------------------ the whole table */

static const struct item *
find_item(const struct model *m, const struct item *like)
{
	const struct value *pk = item_get(like, m->key->pk->name);
	const struct value *sk = item_get(like, m->key->sk->name);

	for (size_t i = 0; i < m->n_items; i++) {
		const struct value *sort = item_get(&m->items[i], m->key->sk->name);

		if (value_eq(item_get(&m->items[i], m->key->pk->name), pk) &&
		    (sk == NULL || value_eq(sort, sk))) {
			return &m->items[i];
		}
	}
	return NULL;
}

void
model_check_clean(const struct model *m)
{
	struct check_in in = {0};
	struct check_out out = {0};

	if (m->t->foreign) {
		return;
	}
	do {
		int r = engine_check(m->t->engine, m->c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		for (size_t i = 0; i < out.n_problems; i++) {
			model_complain(m, "%.*s", SLICE_ARG(out.problems[i]));
		}
		in.next = out.next;
	} while (in.next.len > 0);
}

static struct scan_out
scan(const struct model *m)
{
	struct scan_in in = {.read.table = model_text(json_get(m->table, "name"))};
	struct scan_out out = {0};
	int r = engine_scan(m->t->engine, m->c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out;
}

void
model_take_table(struct model *m)
{
	struct scan_out out = scan(m);

	m->items = out.page.items;
	m->n_items = out.page.count;
}

void
model_check_table(const struct model *m)
{
	struct scan_out out = scan(m);

	if (out.page.count != m->n_items) {
		model_complain(m, "the table has %zu items afterwards, not %zu", out.page.count,
			       m->n_items);
	}
	for (size_t i = 0; i < out.page.count; i++) {
		const struct item *want = find_item(m, &out.page.items[i]);

		if (want == NULL || !item_eq(want, &out.page.items[i])) {
			model_complain(m, "item %zu of the table differs afterwards", i);
		}
	}
	model_check_clean(m);
}

/* ------------------------------------------------------------ views */

static size_t
count_partitions(const struct model *m, struct slice index)
{
	struct list_partitions_in in = {.table = model_text(json_get(m->table, "name")),
					.index = index};
	struct list_partitions_out out = {0};
	int r = engine_list_partitions(m->t->engine, m->c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_FALSE(out.more);
	return out.n_partitions;
}

static enum value_type
partition_type(const struct model *m, struct slice index)
{
	json_each (gsi, json_get(m->table, "gsis")) {
		const struct json *key = json_get(json_get(gsi, "key"), "partition");

		if (slice_eq(model_text(json_get(gsi, "name")), index)) {
			return value_type_from_name(model_text(json_get(key, "type")));
		}
	}
	return VALUE_S;
}

/* List the entries of the collection that the view @partition names. */
static struct list_entries_out
list(const struct model *m, struct slice index, const struct json *partition)
{
	struct value pk = value_string(partition->name);
	struct list_entries_in in = {
		.table = model_text(json_get(m->table, "name")), .index = index, .pk = {&pk, 1}};
	struct list_entries_out out = {0};

	if (index.len > 0) {
		pk.type = partition_type(m, index);
	}
	int r = engine_list_entries(m->t->engine, m->c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	if (out.n_entries != partition->n) {
		model_complain(m, "%.*s has %zu entries, not %zu", SLICE_ARG(partition->name),
			       out.n_entries, partition->n);
		out.n_entries = 0;
	}
	return out;
}

static void
check_base_view(const struct model *m, const struct json *view)
{
	CU_ASSERT_EQUAL(count_partitions(m, SLICE("")), view->n);
	json_each (partition, view) {
		struct list_entries_out out = list(m, SLICE(""), partition);
		size_t i = 0;

		json_each (sk, partition) {
			if (i < out.n_entries &&
			    !slice_eq(out.entries[i].key.at[1].text, sk->text)) {
				model_complain(m, "%.*s, entry %zu differs",
					       SLICE_ARG(partition->name), i);
			}
			i++;
		}
	}
}

static void
check_index_view(const struct model *m, const struct json *view)
{
	struct slice index = model_text(json_get(view, "IndexName"));
	const struct json *partitions = json_get(view, "partitions");

	CU_ASSERT_EQUAL(count_partitions(m, index), partitions->n);
	json_each (partition, partitions) {
		struct list_entries_out out = list(m, index, partition);
		size_t i = 0;

		json_each (key, partition) {
			const struct values *k = &out.entries[i].key;

			if (i < out.n_entries &&
			    (!slice_eq(k->at[k->n - 2].text, key->child->text) ||
			     !slice_eq(k->at[k->n - 1].text, key->child->next->text))) {
				model_complain(m, "%.*s: %.*s, entry %zu differs", SLICE_ARG(index),
					       SLICE_ARG(partition->name), i);
			}
			i++;
		}
	}
}

void
model_check_views(const struct model *m)
{
	const struct json *base = json_get(m->json, "base_view");

	if (base != NULL) {
		check_base_view(m, base);
		json_each (view, json_get(m->json, "index_views")) {
			check_index_view(m, view);
		}
	}
}
