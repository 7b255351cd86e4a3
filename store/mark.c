/* mark - see mark.h */
#include "store/mark.h"

#include <sys/stat.h>

#include "store/base/system/trust.h"
#include "store/base/text/ini.h"
#include "store/base/text/url.h"
#include "store/wire/client/aws.h"

/* The search for one store's mark. */
struct mark {
	struct call *c;
	const char *name;
	bool remote;
	struct aws_place place; /* of a remote store */
	const char *file;       /* the settings file being searched */
	struct ini settings;    /* of file */
};

enum mark_value { MARK_NONE, MARK_NO, MARK_YES, MARK_UNCLEAR };

const char *
mark_env(const char *name)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment */
	const char *value = getenv(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

/* ------------------------------------------------------------ comparison of stores */

/* A directory that does not exist yet has no other name. */
static bool
mark_same_directory(const char *a, const char *b)
{
	struct stat x;
	struct stat y;

	if (strcmp(a, b) == 0) {
		return true;
	}
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool
mark_same(struct slice a, struct slice b)
{
	return a.len > 0 && ascii_same(a, b);
}

/* Returns true if the keys certainly belong to another profile, and so perhaps to another account. */
static bool
mark_other_profile(const struct mark *m, struct slice section)
{
	struct slice profile = ini_value(&m->settings, section, "", "profile");
	const char *used = mark_env("AWS_PROFILE");

	used = used == NULL ? mark_env("AWS_DEFAULT_PROFILE") : used;
	return profile.len > 0 && used != NULL && !slice_is(profile, used) &&
	       mark_env("AWS_ACCESS_KEY_ID") == NULL;
}

static bool
mark_same_place(const struct mark *m, struct slice section, const struct aws_place *marked)
{
	const struct aws_place *p = &m->place;

	if (mark_same(p->server, marked->server)) {
		return true;
	}
	return !mark_other_profile(m, section) &&
	       (mark_same(p->region, marked->region) ||
		mark_same(p->server_region, marked->region) ||
		mark_same(p->region, marked->server_region) ||
		mark_same(p->server_region, marked->server_region));
}

/* Returns the name of the section's store, in the form that find_store.c uses; NULL if it has none. */
static const char *
mark_named(const struct mark *m, struct slice section)
{
	struct slice store = ini_value(&m->settings, section, "", "store");

	if (store.len == 0) {
		store = ini_value(&m->settings, section, "", "endpoint");
	}
	if (store.len > 0) {
		return trust_path(m->c, store);
	}
	store = ini_value(&m->settings, section, "", "region");
	return store.len == 0 ? NULL : arena_print(&m->c->arena, "dynamodb:%.*s", SLICE_ARG(store));
}

/* @named: the name of the section's store */
static bool
mark_means(const struct mark *m, struct slice section, const char *named)
{
	if (aws_named(named) != m->remote) {
		return false;
	}
	if (!m->remote) {
		return mark_same_directory(named, m->name);
	}
	/* A mark of a region must not depend on the endpoint that is configured at the moment. */
	bool own_region = strcmp(named, "dynamodb:") != 0;
	struct aws_place marked = aws_place(m->c, own_region ? NULL : mark_env, named);

	if (!own_region) {
		marked.server = marked.server_region = SLICE("");
	}
	return mark_same_place(m, section, &marked);
}

/* ------------------------------------------------------------ the files */

/* Returns true if @word is one of @words, which are separated by blanks. */
static bool
mark_is_one_of(struct slice word, const char *words)
{
	bool same = false;

	for (struct slice rest = slice_from(words); rest.len > 0 && !same;) {
		same = ascii_same(word, slice_take(&rest, ' '));
	}
	return same;
}

static enum mark_value
mark_value(const struct ini_line *l)
{
	if (l->group.len > 0 || !mark_is_one_of(l->key, "read-only read_only readonly")) {
		return MARK_NONE;
	}
	return mark_is_one_of(l->value, "yes true on 1")    ? MARK_YES
	       : mark_is_one_of(l->value, "no false off 0") ? MARK_NO
							    : MARK_UNCLEAR;
}

/* Returns the message of a line that marks the store; NULL if it does not. */
static const char *
mark_of_line(const struct mark *m, const struct ini_line *l)
{
	enum mark_value value = mark_value(l);
	const char *named = value < MARK_YES ? NULL : mark_named(m, l->section);
	bool nowhere = named == NULL;
	/* A relative path depends on the working directory. */
	bool relative = !nowhere && !aws_named(named) && named[0] != '/';
	struct buf b;

	if (value < MARK_YES ||
	    (nowhere || relative ? m->remote != nowhere : !mark_means(m, l->section, named))) {
		return NULL;
	}
	buf_init(&b, &m->c->arena);
	buf_fmt(&b, "%s is read-only: %s:%zu ", url_shown(&m->c->arena, m->name), m->file,
		l->number);
	if (l->section.len > 0) {
		buf_fmt(&b, "([%.*s]) ", SLICE_ARG(l->section));
	}
	if (nowhere) {
		buf_str(&b, "marks a store, but its section has no store, endpoint or region");
	} else if (relative) {
		buf_str(&b, "marks a store whose path is relative; begin it with / or ~/");
	} else if (value == MARK_UNCLEAR) {
		buf_fmt(&b, "must have read-only = yes or no, not \"%.*s\"", SLICE_ARG(l->value));
	} else {
		buf_str(&b, "marks it, and options cannot override this");
	}
	return slice_cstr(&m->c->arena, buf_view(&b));
}

static const char *
mark_unread(const struct mark *m, const char *why)
{
	return arena_print(&m->c->arena, "%s is read-only, since %s may mark it: %s",
			   url_shown(&m->c->arena, m->name), m->file, why);
}

/* The owner and mode of the file are not checked, because a mark allows nothing. */
static const char *
mark_in_file(struct mark *m)
{
	const char *found = NULL;
	struct call own;
	struct stat st;

	if (stat(m->file, &st) != 0) {
		const char *why = strerrordesc_np(errno);
		bool absent = (errno == ENOENT || errno == ENOTDIR) && lstat(m->file, &st) != 0;

		return absent || !m->remote ? NULL : mark_unread(m, why);
	}
	if (!S_ISREG(st.st_mode)) {
		return m->remote ? mark_unread(m, "it is not a regular file") : NULL;
	}
	call_open(&own, m->c->now_ms, SIZE_MAX);
	if (ini_read(&own, m->file, NULL, &m->settings) < 0) {
		found = m->remote ? mark_unread(m, own.error.message) : NULL;
		m->settings = (struct ini){0};
	}
	/* The last value in a section counts, as for any setting. */
	for (size_t i = m->settings.n; i-- > 0 && found == NULL;) {
		const struct ini_line *l = &m->settings.line[i];
		bool last = mark_value(l) != MARK_NONE;

		for (size_t k = i + 1; k < m->settings.n && last; k++) {
			const struct ini_line *later = &m->settings.line[k];

			last = mark_value(later) == MARK_NONE ||
			       !slice_eq(later->section, l->section);
		}
		found = last ? mark_of_line(m, l) : NULL;
	}
	call_close(&own);
	return found;
}

const char *
store_mark(struct call *c, const char *name)
{
	struct mark m = {.c = c, .name = name, .remote = aws_named(name)};
	const char *files[TRUST_FILES];
	size_t n = trust_names(c, files);
	const char *found = NULL;

	if (m.remote) {
		m.place = aws_place(c, mark_env, name);
	}
	for (size_t i = 0; i < n && found == NULL; i++) {
		m.file = files[i];
		found = mark_in_file(&m);
	}
	return found;
}
