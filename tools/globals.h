/* globals - the global options of itemctl, and the settings of a run that follow from them */
#ifndef TOOLS_GLOBALS_H
#define TOOLS_GLOBALS_H

#include "tools/cli/opts.h"

struct ctl;

struct global {
	const char *store;
	const char *format;
	bool quiet;
	bool stats;
	bool capacity;
	const char *rate;
	bool no_pager;
	bool yes;
	bool dry_run;
	bool help;
	bool version;
	const char *consumed; /* any value except "NONE" means --capacity */
	const char *endpoint; /* this and the next two: as in the AWS command line */
	const char *region;
	const char *profile;
};

extern const struct opt globals_opts[];

/**
 * globals_take_typed - remember the store as typed, for lines that messages suggest
 *
 * Can be called before the whole line is understood.  A URL with a password is not remembered.
 */
void globals_take_typed(struct ctl *ctl, const struct global *g, int argc, char **argv);

/**
 * globals_take_store - choose the store by -s, --endpoint-url, --region, --profile or ITEMFS_STORE
 *
 * Sets environment variables for --region and --profile: call it in the main thread, before other threads exist.
 *
 * Return: 0, also if no store is named; -ERR_USAGE
 */
int globals_take_store(struct ctl *ctl, struct call *c, const struct global *g) must_check;

/** globals_take - copy all global options to @ctl; Return: 0; -ERR_USAGE */
int globals_take(struct ctl *ctl, struct call *c, const struct global *g) must_check;

#endif
