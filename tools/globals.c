/* globals - see globals.h */
#include "tools/globals.h"

#include "store/engine/meter.h"
#include "store/open.h"

#include "tools/cli/instead.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/session/dry_changes.h"
#include "tools/session/spending.h"
#include "tools/system/find_store.h"
#include "tools/text/typed_line.h"

const struct opt globals_opts[] = {
	{"store", 's', OPT_TEXT, "STORE", offsetof(struct global, store),
	 "a directory, http://HOST:PORT or dynamodb:REGION; default: $ITEMFS_STORE, the mount "
	 "that this is in, $AWS_ENDPOINT_URL_DYNAMODB, the only store here"},
	{"format", 0, OPT_TEXT, "FORM", offsetof(struct global, format), OUT_FORMATS},
	{"quiet", 'q', OPT_FLAG, NULL, offsetof(struct global, quiet), "no notes and no progress"},
	{"stats", 0, OPT_FLAG, NULL, offsetof(struct global, stats),
	 "pages, Count and ScannedCount on stderr"},
	{"capacity", 0, OPT_FLAG, NULL, offsetof(struct global, capacity),
	 "consumed capacity of each table on stderr"},
	{"rate", 0, OPT_TEXT, "N", offsetof(struct global, rate),
	 "at most N units per second at an endpoint; 25%: of a table's provisioned units"},
	{"no-pager", 0, OPT_FLAG, NULL, offsetof(struct global, no_pager),
	 "do not show long answers on a terminal in a pager"},
	{"yes", 'y', OPT_FLAG, NULL, offsetof(struct global, yes),
	 "do not ask before many items are changed"},
	{"dry-run", 0, OPT_FLAG, NULL, offsetof(struct global, dry_run),
	 "change nothing; print what would change"},
	{"help", 'h', OPT_FLAG, NULL, offsetof(struct global, help), "the same as help COMMAND"},
	{"version", 0, OPT_FLAG, NULL, offsetof(struct global, version), "name and version"},
	{"endpoint-url", 0, OPT_TEXT, "URL", offsetof(struct global, endpoint), NULL},
	{"region", 0, OPT_TEXT, "REGION", offsetof(struct global, region), NULL},
	{"profile", 0, OPT_TEXT, "NAME", offsetof(struct global, profile), NULL},
	{"return-consumed-capacity", 0, OPT_TEXT, "TOTAL", offsetof(struct global, consumed), NULL},
	OPTS_END(struct global),
};

/* Use the profile.  As in the AWS command line, --profile takes precedence over keys in the environment. */
static void
globals_take_profile(const char *profile)
{
	static const char *const keys[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
					   "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN",
					   "AWS_ROLE_ARN",      "AWS_WEB_IDENTITY_TOKEN_FILE"};

	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	(void)setenv("AWS_PROFILE", profile, 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		(void)unsetenv(keys[i]);
	}
	/* NOLINTEND(concurrency-mt-unsafe) */
}

void
globals_take_typed(struct ctl *ctl, const struct global *g, int argc, char **argv)
{
	const char *named = g->store != NULL      ? g->store
			    : g->endpoint != NULL ? g->endpoint
						  : instead_store(argc, argv);

	ctl->store_typed = named != NULL && strchr(named, '@') == NULL ? named : NULL;
}

int
globals_take_store(struct ctl *ctl, struct call *c, const struct global *g)
{
	const char *named = g->store != NULL ? g->store : g->endpoint;

	if (g->store != NULL && g->endpoint != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of -s and --endpoint-url");
	}
	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	if (g->region != NULL) {
		(void)setenv("AWS_REGION", g->region, 1);
		/* serve serves a store, so its --region is that of the clients. */
		named = named == NULL && ctl->command != &cmd_serve
				? arena_print(&c->arena, "dynamodb:%s", g->region)
				: named;
	}
	if (g->profile != NULL) {
		globals_take_profile(g->profile);
	}
	ctl->store = named == NULL ? getenv("ITEMFS_STORE") : named;
	ctl->store = named == NULL && ctl->store != NULL && *ctl->store == '\0' ? NULL : ctl->store;
	/* NOLINTEND(concurrency-mt-unsafe) */
	ctl->store_given = named != NULL;
	ctl->store_typed = named != NULL && strchr(named, '@') == NULL ? named : NULL;
	int r = ctl->store == NULL ? 0 : find_store(c, ctl->store, &ctl->store);

	if (r == 0 && g->profile != NULL && named == NULL &&
	    (ctl->store == NULL || !store_is_remote(ctl->store))) {
		ctl->store = "dynamodb:"; /* in the region of the profile, or at its endpoint */
		ctl->store_given = true;
	}
	return r;
}

int
globals_take(struct ctl *ctl, struct call *c, const struct global *g)
{
	int r = globals_take_store(ctl, c, g);

	if (r < 0) {
		return r;
	}
	ctl->quiet = g->quiet;
	ctl->stats = g->stats;
	ctl->yes = g->yes;
	ctl->dry = g->dry_run ? dry_new() : NULL;
	ctl->capacity = g->capacity || (g->consumed != NULL && strcmp(g->consumed, "NONE") != 0);
	ctl->meter = ctl->capacity ? meter_new() : NULL;
	r = spending_rate(ctl->spending, c, g->rate);
	if (r < 0) {
		return r;
	}
	if (g->format != NULL) {
		ctl->format = out_format_named(synonyms_format(g->format));
		if (ctl->format == OUT_AUTO) {
			return typed_line_no_choice(c, "--format must be " OUT_FORMATS, g->format);
		}
	}
	ctl->out.sink.failed = 0;
	return 0;
}
