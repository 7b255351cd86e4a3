/* kv_sorted - see kv_sorted.h */
#include "store/kv/kv_sorted.h"

enum {
	STEPS = 10,       /* this number of steps costs less than a look-up */
	SOUGHT_FIRST = 8, /* failed attempts after which the keys are taken to be far apart */
};

/* Steps to the first key that is not less than @key; false: it is more than a few steps away. */
static bool
step_to(struct kv_sorted *n, struct slice key)
{
	struct kv_cursor *cur = n->cur;

	for (int i = 0; cur != NULL && i < STEPS; i++) {
		if (!kv_cursor_valid(cur) || slice_cmp(kv_cursor_key(cur), key) >= 0) {
			return true;
		}
		kv_cursor_next(cur);
	}
	return false;
}

static bool
far_apart(const struct kv_sorted *n)
{
	return n->sought >= SOUGHT_FIRST + n->stepped;
}

static void
go_to(struct kv_sorted *n, struct slice key)
{
	if (step_to(n, key)) {
		n->stepped++;
		return;
	}
	n->sought++;
	if (n->cur == NULL) {
		n->cur = kv_cursor_new(n->kv, NULL);
	}
	kv_cursor_seek(n->cur, key);
}

int
kv_sorted_get(struct kv_sorted *n, struct call *c, struct slice key, struct buf *out)
{
	if (far_apart(n)) {
		return kv_get(n->kv, c, NULL, key, out);
	}
	go_to(n, key);
	if (!kv_cursor_valid(n->cur) || !slice_eq(kv_cursor_key(n->cur), key)) {
		return KV_ABSENT;
	}
	buf_slice(out, kv_cursor_value(n->cur));
	return 0;
}

int
kv_sorted_end(struct kv_sorted *n, struct call *c)
{
	if (n->cur == NULL) {
		return 0;
	}
	int r = kv_cursor_status(n->cur, c);

	kv_cursor_free(n->cur);
	n->cur = NULL;
	return r;
}
