/* fake - see fake.h */
#include "tests/tools/fake.h"

#include "store/model/item.h"

int
fake_number(const struct item *it)
{
	const struct value *v = item_get(it, SLICE("n"));
	char text[16] = "0";

	if (v != NULL && v->text.len < sizeof(text)) {
		memcpy(text, v->text.at, v->text.len);
		text[v->text.len] = '\0';
	}
	return (int)strtol(text, NULL, 10);
}

static struct item
number_item(struct arena *a, int n)
{
	struct attr *at = arena_new(a, struct attr, 1);
	struct buf b;

	buf_init(&b, a);
	buf_fmt(&b, "%d", n);
	*at = (struct attr){.name = SLICE("n"), .value = {.type = VALUE_N, .text = buf_view(&b)}};
	return (struct item){.at = at, .n = 1};
}

static int
page(struct fake *f, struct call *c, int first, const struct item *start, uint32_t limit,
     struct page *out)
{
	int most = limit > 0 && (int)limit < f->page ? (int)limit : f->page;
	int from = start->n == 0 ? 0 : (fake_number(start) - first) / f->step + 1;
	int n = f->items - from < most ? f->items - from : most;
	lock_scope(&f->m);

	if (++f->pages == f->fail_page) {
		return call_fail(c, ERR_IO, "page %d", f->pages);
	}
	*out = (struct page){.items = arena_new(&c->arena, struct item, (size_t)n + 1),
			     .count = (size_t)n,
			     .scanned = (size_t)n};
	for (int i = 0; i < n; i++) {
		out->items[i] = number_item(&c->arena, first + (from + i) * f->step);
	}
	if (from + n < f->items) {
		out->last = n == 0 ? *start : out->items[n - 1];
	}
	return 0;
}

static int
load(struct fake *f, struct call *c, const struct item *items, size_t n, bool batch)
{
	lock_scope(&f->m);

	if (!batch && f->no_load) {
		return call_fail(c, ERR_UNKNOWN_OPERATION, "LoadItems is not known here");
	}
	for (size_t i = 0; i < n; i++) {
		int number = fake_number(&items[i]);

		if (f->break_down > 0 && number >= f->break_down) {
			return call_fail(c, ERR_IO, "the disk is gone");
		}
		if (f->refuse > 0 && number == f->refuse) {
			return call_fail(c, ERR_VALIDATION, "not %d", number);
		}
	}
	for (size_t i = 0; i < n && f->n_loaded < FAKE_LOADED_MAX; i++) {
		const struct value *time = item_get(&items[i], SLICE("t"));

		for (size_t j = 0; batch && j < i; j++) {
			f->twice += fake_number(&items[i]) == fake_number(&items[j]);
		}
		f->times[f->n_loaded] = time == NULL ? 0 : (int)strtol(time->text.at, NULL, 10);
		f->loaded[f->n_loaded++] = fake_number(&items[i]);
	}
	return 0;
}

/* Report the actions from @from on as unprocessed. */
static void
leave(struct call *c, const struct batch_write *table, size_t from,
      struct batch_write_item_out *out)
{
	struct batch_write *left = arena_new(&c->arena, struct batch_write, 1);

	*left = (struct batch_write){.table = table->table,
				     .actions = table->actions + from,
				     .n_actions = table->n_actions - from};
	out->unprocessed = left;
	out->n_unprocessed = 1;
}

static int
write_batch(struct fake *f, struct call *c, const struct batch_write *table,
	    struct batch_write_item_out *out)
{
	struct item items[25];
	size_t n = table->n_actions;

	if (n > 25) {
		return call_fail(c, ERR_VALIDATION, "too many");
	}
	{
		lock_scope(&f->m);
		if (f->fail > 0) {
			f->fail--;
			return call_fail(c, ERR_IO, "it fails now and then");
		}
		if (f->leave > 0) {
			f->leave--;
			n /= 2;
			leave(c, table, n, out);
		}
	}
	for (size_t i = 0; i < n; i++) {
		items[i] = table->actions[i].item;
	}
	return load(f, c, items, n, true);
}

static int
change(struct fake *f, struct call *c, size_t n, struct change_items_out *out)
{
	f->changed += (int)n;
	*out = (struct change_items_out){.changed = n};
	return f->change_fails == ERR_NONE ? 0 : call_fail(c, f->change_fails, "no answer");
}

static int
execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct fake *f = (struct fake *)e;

	if (in->type == OP_QUERY) {
		return page(f, c, (int)strtol(in->query.read.table.at, NULL, 10),
			    &in->query.read.start, in->query.read.limit, &out->query.page);
	}
	if (in->type == OP_SCAN) {
		return page(f, c, (int)in->scan.segment, &in->scan.read.start, in->scan.read.limit,
			    &out->scan.page);
	}
	if (in->type == OP_LOAD_ITEMS) {
		return load(f, c, in->load_items.items, in->load_items.n_items, false);
	}
	if (in->type == OP_BATCH_WRITE_ITEM) {
		return write_batch(f, c, in->batch_write_item.tables, &out->batch_write_item);
	}
	if (in->type == OP_DESCRIBE_TABLE) {
		static const struct schema s = {.key = {.pk = {{SLICE_INIT("n"), VALUE_N}}}};

		out->describe_table.table.schema = &s;
		return 0;
	}
	if (in->type == OP_CHANGE_ITEMS && f->change_fails != ERR_VALIDATION) {
		return change(f, c, in->change_items.n_keys, &out->change_items);
	}
	if (in->type == OP_CHANGE_ITEMS) {
		return call_fail(c, ERR_VALIDATION, "one of them");
	}
	if (in->type == OP_UPDATE_ITEM) {
		f->changed++;
		return 0;
	}
	f->syncs += in->type == OP_SYNC;
	return in->type == OP_SYNC ? 0 : call_fail(c, ERR_IO, "not in this fake");
}

void
fake_init(struct fake *f)
{
	static const struct engine_ops ops = {.execute = execute};

	*f = (struct fake){.base.ops = &ops, .step = 1, .items = 10, .page = 3};
	(void)pthread_mutex_init(&f->m, NULL);
	f->loaded = calloc(FAKE_LOADED_MAX, sizeof(*f->loaded));
	f->times = calloc(FAKE_LOADED_MAX, sizeof(*f->times));
}

void
fake_release(struct fake *f)
{
	free(f->loaded);
	free(f->times);
	(void)pthread_mutex_destroy(&f->m);
}
