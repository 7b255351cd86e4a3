/* meter - see meter.h */
#include "store/engine/meter.h"

#include "store/engine/consumed.h"
#include "store/engine/engine.h"
#include "store/op/op.h"

/* The sum of a table without its indexes, or of one index; for reads or for writes. */
struct part {
	struct part *next;
	bool writes;
	uint64_t halves;
	size_t table_bytes;
	size_t index_bytes; /* 0: the table itself */
	char names[];       /* of the table, then of the index */
};

struct meter {
	pthread_mutex_t lock; /* guards the rest */
	struct part *parts;   /* in the order of their first use */
	uint64_t requests;
};

struct metered {
	struct engine engine;
	struct meter *meter;
};

/* ------------------------------------------------------------ sums */

struct meter *
meter_new(void)
{
	struct meter *m = mem_new(struct meter);

	(void)pthread_mutex_init(&m->lock, NULL);
	return m;
}

void
meter_free(struct meter *m)
{
	struct part *next;

	if (m == NULL) {
		return;
	}
	for (struct part *p = m->parts; p != NULL; p = next) {
		next = p->next;
		free(p);
	}
	(void)pthread_mutex_destroy(&m->lock);
	free(m);
}

static struct slice
table_of(const struct part *p)
{
	return slice_of(p->names, p->table_bytes);
}

static struct slice
meter_index_of(const struct part *p)
{
	return slice_of(p->names + p->table_bytes, p->index_bytes);
}

static struct part *
new_part(struct slice table, struct slice index, bool writes)
{
	struct part *p = mem_zeroed(1, sizeof(*p) + table.len + index.len);

	p->writes = writes;
	p->table_bytes = table.len;
	p->index_bytes = index.len;
	memcpy(p->names, table.at, table.len);
	if (index.len > 0) {
		memcpy(p->names + table.len, index.at, index.len);
	}
	return p;
}

static void
meter_add(struct meter *m, struct slice table, struct slice index, bool writes, uint64_t halves)
{
	struct part **at = &m->parts;

	assert(lock_held(&m->lock));
	while (*at != NULL && !((*at)->writes == writes && slice_eq(table_of(*at), table) &&
				slice_eq(meter_index_of(*at), index))) {
		at = &(*at)->next;
	}
	if (*at == NULL) {
		*at = new_part(table, index, writes);
	}
	(*at)->halves += halves;
}

static void
add_all(struct meter *m, bool write, const struct consumed_list *list)
{
	lock_scope(&m->lock);
	m->requests++;
	for (size_t i = 0; i < list->n; i++) {
		const struct consumed *used = &list->at[i];
		bool writes = write && used->kind != CAPACITY_READ;

		meter_add(m, used->table, SLICE(""), writes, used->of_table);
		for (size_t k = 0; k < used->n_index; k++) {
			meter_add(m, used->table, used->index[k].name, writes,
				  used->index[k].halves);
		}
	}
}

struct meter_sums
meter_sums(struct meter *m)
{
	struct meter_sums sums = {0};

	lock_scope(&m->lock);
	sums.requests = m->requests;
	for (const struct part *p = m->parts; p != NULL; p = p->next) {
		*(p->writes ? &sums.write_halves : &sums.read_halves) += p->halves;
	}
	return sums;
}

/* ------------------------------------------------------------ printing */

static void
print_units(struct buf *out, uint64_t halves)
{
	buf_fmt(out, "%llu.%d", (unsigned long long)(halves / 2), halves % 2 == 0 ? 0 : 5);
}

/* @first: the part of the table itself, which is listed before its indexes */
static void
meter_print_table(const struct part *first, struct buf *out)
{
	uint64_t sum = 0;
	cleanup(buf_release) struct buf parts = {0};

	for (const struct part *p = first; p != NULL; p = p->next) {
		if (p->writes == first->writes && slice_eq(table_of(p), table_of(first))) {
			struct slice name = p == first ? SLICE("table") : meter_index_of(p);

			buf_fmt(&parts, "%s%.*s ", p == first ? "" : ", ", SLICE_ARG(name));
			print_units(&parts, p->halves);
			sum += p->halves;
		}
	}
	print_units(out, sum);
	buf_fmt(out, " %s units of %.*s: %.*s\n", first->writes ? "write" : "read",
		SLICE_ARG(table_of(first)), SLICE_ARG(buf_view(&parts)));
}

void
meter_print(struct meter *m, struct buf *out)
{
	lock_scope(&m->lock);
	for (const struct part *p = m->parts; p != NULL; p = p->next) {
		if (p->index_bytes == 0) {
			meter_print_table(p, out);
		}
	}
}

/* ------------------------------------------------------------ the engine */

static int
meter_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	const struct metered *m = (const struct metered *)e;
	struct consumed_list reported;

	if (!consumed_tells(in->type)) {
		return engine_execute(e->below, c, in, out);
	}
	int r = consumed_execute(e->below, c, in, out, &reported);

	if (r == 0) {
		add_all(m->meter, op_writes(in), &reported);
	}
	return r;
}

/* Views and row streams are not passed on, so that their pages go through meter_execute(). */
static const struct engine_ops meter_ops = {
	.execute = meter_execute,
	.pass = engine_below_pass,
	.close = engine_below_close,
};

struct engine *
meter_open(struct engine *below, struct meter *m)
{
	struct metered *e = mem_new(struct metered);

	e->engine = (struct engine){&meter_ops, below};
	e->meter = m;
	return &e->engine;
}
