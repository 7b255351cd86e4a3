/* paths - see paths.h */
#include "tools/tree/paths.h"

#include <errno.h>
#include <string.h>

#include "store/base/core/escape.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/cli/pasted.h"
#include "tools/out/out.h"
#include "tools/out/show.h"
#include "tools/out/sink.h"
#include "tools/session/ctl.h"
#include "tools/session/spending.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/text/words.h"
#include "tools/tree/tree.h"

void
paths_complain(struct paths *f, struct slice path, int e)
{
	struct buf b = {.arena = &f->c->arena};
	struct buf why = {.arena = &f->c->arena};

	if (e != ENOTCONN && e != EISDIR) {
		tree_why(&f->tree, f->c, path, e, &why);
	}
	buf_str(&b, "itemctl: ");
	(void)escape_put(&b, path.len == 0 ? SLICE("/") : path, SIZE_MAX);
	buf_fmt(&b, ": %s", e == ENOTCONN ? "itemfs has ended" : strerrordesc_np(e));
	if (why.len > 0) {
		buf_str(&b, ": ");
		pasted_put(&b, buf_view(&why), f->ctl->store_typed);
	}
	buf_char(&b, '\n');
	show_lines(buf_view(&b));
	f->status = 1;
}

void
paths_put_name(struct paths *f, struct slice name)
{
	struct sink *out = &f->ctl->out.sink;

	if (out->terminal) {
		(void)escape_put(&out->buf, name, SIZE_MAX);
	} else {
		buf_slice(&out->buf, name);
	}
}

void
paths_join(struct buf *path, struct slice name)
{
	if (path->len > 0 && path->at[path->len - 1] != '/') {
		buf_char(path, '/');
	}
	buf_slice(path, name);
}

bool
paths_goes_on(struct paths *f)
{
	return sink_drain(&f->ctl->out.sink);
}

bool
paths_is_dots(struct slice name)
{
	return slice_is(name, ".") || slice_is(name, "..");
}

/* Refuse a path in a mount: other programs read it, and the mount may show something else as its root. */
static int
paths_check(const struct ctl *ctl, struct call *c, const struct words *words)
{
	const char *store = NULL;
	struct buf word = {.arena = &c->arena};

	for (size_t i = 0; i < words->n; i++) {
		int r = words->at[i][0] == '/' ? find_store_at(c, words->at[i], &store) : 0;

		if (r < 0) {
			return r;
		}
		if (store != NULL) {
			shell_word(&word, slice_from(words->at[i]));
			return call_fail(
				c, ERR_USAGE, "%s is in a mount, so no itemctl is needed: %s %.*s",
				words->at[i], ctl->command->name, SLICE_ARG(buf_view(&word)));
		}
	}
	return 0;
}

/* If -s and the environment name no store, and the first path is STORE/PATH, use the store; remove it from all paths. */
static void
paths_take_store(struct ctl *ctl, struct call *c, const struct words *words, struct words *out)
{
	struct slice rest = {0};
	const char *store = words->n == 0 || ctl->store != NULL
				    ? NULL
				    : other_store_path(c, words->at[0], &rest);

	if (store != NULL) {
		ctl->store = store;
		ctl->store_given = true;
		ctl->store_typed = strchr(store, '@') == NULL ? store : NULL;
	}
	for (size_t i = 0; i < words->n; i++) {
		const char *named = store == NULL ? NULL : other_store_path(c, words->at[i], &rest);

		words_add(c, out,
			  named != NULL && other_store_same(named, store)
				  ? slice_cstr(&c->arena, rest)
				  : words->at[i]);
	}
}

/* Choose the store, and refuse options that would have no effect. */
static int
paths_choose_store(struct ctl *ctl, struct call *c, const struct paths_command *command)
{
	const struct spending *s = ctl->spending;
	const char *name = ctl->command->name;
	const char *option = ctl->format != OUT_AUTO ? "--format"
			     : ctl->capacity         ? "--capacity"
			     : ctl->stats            ? "--stats"
						     : NULL;

	if (option != NULL) {
		return call_fail(c, ERR_USAGE, "%s prints what a mount has: it takes no %s", name,
				 option);
	}
	int r = ctl_named_store(ctl, c);

	if (r < 0) {
		return r;
	}
	if (s != NULL && s->has_rate && !store_is_remote(ctl->store)) {
		return call_fail(c, ERR_USAGE, "%s is no endpoint: %s takes no --rate", ctl->store,
				 name);
	}
	if (command->near && url_is_far(ctl->store)) {
		return call_fail(c, ERR_USAGE, "the endpoint is not on this machine");
	}
	return 0;
}

int
paths_run(struct ctl *ctl, struct call *c, const struct words *words, const void *opts,
	  const struct paths_command *command)
{
	struct paths f = {.ctl = ctl, .c = c, .opts = opts};
	struct words paths = {0};
	int r = paths_check(ctl, c, words);

	paths_take_store(ctl, c, words, &paths);
	r = r < 0 ? r : paths_choose_store(ctl, c, command);
	r = r < 0 ? r : tree_open(ctl, c, &f.tree);

	if (r != 0) {
		return r;
	}
	if (words->n == 0) {
		command->each(&f, slice_from(command->otherwise), false);
	}
	for (size_t i = 0; i < paths.n && ctl->out.sink.failed == 0; i++) {
		command->each(&f, slice_from(paths.at[i]), paths.n > 1);
	}
	if (command->end != NULL) {
		command->end(&f);
	}
	(void)sink_flush(&ctl->out.sink);
	tree_close(&f.tree);
	return f.status;
}
