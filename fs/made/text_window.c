/* text_window - see text_window.h; a list of buffers */
#include "fs/made/text_window.h"

enum { KEPT_MAX = 512 * 1024 }; /* a larger piece, which has a long item, is not kept for reuse */

static void
piece_free(struct piece *p)
{
	if (p != NULL) {
		buf_release(&p->text);
		free(p);
	}
}

static void
text_window_drop(struct text_window *t, struct piece *p)
{
	if (t->spare == NULL && p->text.cap <= KEPT_MAX) {
		t->spare = p;
	} else {
		piece_free(p);
	}
}

void
text_window_release(struct text_window *t)
{
	while (t->first != NULL) {
		struct piece *p = t->first;

		t->first = p->next;
		piece_free(p);
	}
	piece_free(t->spare);
}

size_t
text_window_bytes(const struct text_window *t)
{
	size_t bytes = t->spare == NULL ? 0 : sizeof(*t->spare) + t->spare->text.cap;

	for (const struct piece *p = t->first; p != NULL; p = p->next) {
		bytes += sizeof(*p) + p->text.cap;
	}
	return bytes;
}

struct piece *
text_window_new(struct text_window *t)
{
	struct piece *p = t->spare;

	if (p != NULL) {
		t->spare = NULL;
		buf_clear(&p->text);
		p->next = NULL;
		return p;
	}
	p = mem_new(struct piece);
	buf_init(&p->text, NULL);
	return p;
}

/* Return: whether the last piece has room for it. Its bytes must not move, since they may be being read. */
static bool
text_window_fits(const struct text_window *t, const struct piece *p)
{
	return t->last != NULL && p->text.len <= t->last->text.cap - t->last->text.len;
}

void
text_window_append(struct text_window *t, struct piece *p)
{
	assert(p->next == NULL);
	p->at = t->end;
	t->end += p->text.len;
	if (p->text.len == 0 || text_window_fits(t, p)) {
		if (p->text.len > 0) {
			buf_slice(&t->last->text, buf_view(&p->text));
		}
		text_window_drop(t, p);
		return;
	}
	if (t->last == NULL) {
		t->first = p;
	} else {
		t->last->next = p;
	}
	t->last = p;
}

void
text_window_forget(struct text_window *t, uint64_t offset)
{
	while (t->first != t->last && t->first->next->at <= offset) {
		struct piece *p = t->first;

		t->first = p->next;
		text_window_drop(t, p);
	}
}

int
text_window_find(const struct text_window *t, uint64_t offset, size_t size, struct iovec *parts,
		 int max, uint64_t *end)
{
	assert(t->first == NULL || offset >= t->first->at);
	const struct piece *p = t->first;
	int n = 0;

	while (p != NULL && p->at + p->text.len <= offset) {
		p = p->next;
	}
	for (; p != NULL && size > 0 && n < max; p = p->next) {
		size_t skip = (size_t)(offset - p->at);
		size_t len = p->text.len - skip;

		len = len < size ? len : size;
		parts[n++] = (struct iovec){p->text.at + skip, len};
		offset += len;
		size -= len;
	}
	*end = offset;
	return n;
}
