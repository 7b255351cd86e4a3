/* unstored - texts that did not become items, reported when the mount ends */
#include "fs/saved/unstored.h"

#include "store/base/core/escape.h"
#include "store/base/system/say.h"

#include "fs/saved/tty.h"

struct unstored_text {
	char *path;
	char *sentence;
	bool said;
};

void
unstored_init(struct unstored *u)
{
	*u = (struct unstored){0};
	(void)pthread_mutex_init(&u->lock, NULL);
}

static void
unstored_drop(struct unstored *u, size_t i)
{
	assert(i < u->n);
	size_t n = --u->n;

	free(u->texts[i].path);
	free(u->texts[i].sentence);
	memmove(u->texts + i, u->texts + i + 1, (n - i) * sizeof(*u->texts));
}

void
unstored_release(struct unstored *u)
{
	while (u->n > 0) {
		unstored_drop(u, u->n - 1);
	}
	free(u->texts);
	free(u->terminal);
	(void)pthread_mutex_destroy(&u->lock);
}

void
unstored_on(struct unstored *u, const char *terminal)
{
	u->terminal = terminal[0] == '\0' ? NULL : mem_string(terminal);
}

static void
unstored_drop_path(struct unstored *u, struct slice path)
{
	assert(lock_held(&u->lock));
	for (size_t i = 0; i < u->n; i++) {
		if (slice_is(path, u->texts[i].path)) {
			unstored_drop(u, i);
			return;
		}
	}
}

static char *
unstored_copy(struct slice s)
{
	char *copy = mem_zeroed(1, s.len + 1);

	memcpy(copy, s.at, s.len);
	return copy;
}

void
unstored_add(struct unstored *u, struct slice path, struct slice sentence, bool said)
{
	lock_scope(&u->lock);
	unstored_drop_path(u, path);
	if (u->texts == NULL) {
		u->texts = mem_array(struct unstored_text, UNSTORED_MAX);
	}
	if (u->n == UNSTORED_MAX) {
		unstored_drop(u, 0);
		u->older++;
	}
	u->texts[u->n++] =
		(struct unstored_text){unstored_copy(path), unstored_copy(sentence), said};
}

void
unstored_forget(struct unstored *u, struct slice path)
{
	lock_scope(&u->lock);
	unstored_drop_path(u, path);
}

/* The first line starts with a newline, because a shell or program may have left the cursor within a line. */
static void
unstored_show(const struct unstored *u)
{
	assert(lock_held(&u->lock));
	cleanup(buf_release) struct buf b = {0};
	size_t shown = u->n < UNSTORED_SHOWN ? u->n : UNSTORED_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		const struct unstored_text *t = &u->texts[i];

		buf_str(&b, i == 0 ? "\r\nitemfs: not stored: " : "itemfs: not stored: ");
		(void)escape_put(&b, slice_from(t->path), SIZE_MAX);
		buf_str(&b, ": ");
		(void)escape_put(&b, slice_from(t->sentence), SIZE_MAX);
		buf_str(&b, "\r\n");
	}
	size_t more = u->older + u->n - shown;

	if (more > 0) {
		buf_fmt(&b, "itemfs: not stored: %zu more\r\n", more);
	}
	/* Text that the terminal drops is in the log, too. */
	tty_write(u->terminal, buf_view(&b));
}

void
unstored_say(struct unstored *u)
{
	lock_scope(&u->lock);
	for (size_t i = 0; i < u->n; i++) {
		if (!u->texts[i].said) {
			say("%s: %s", u->texts[i].path, u->texts[i].sentence);
		}
	}
	if (u->n > 0 && u->terminal != NULL) {
		unstored_show(u);
	}
}
