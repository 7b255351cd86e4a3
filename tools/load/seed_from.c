/* seed_from - see seed_from.h */
#include "tools/load/seed_from.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/system/folder.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/other_store.h"
#include "tools/text/fmt.h"

const char *
seed_path(struct call *c, const char *dir, const char *name)
{
	return arena_print(&c->arena, "%s/%s", dir, name);
}

static int
seed_no_store(struct call *c, const char *from, const char *store)
{
	struct stat st;

	if (stat(store, &st) != 0) {
		return no_file(c, from) < 0 ? call_prefix(c, "--from ") : 0;
	}
	return call_fail(c, ERR_USAGE,
			 "--from %s: neither a store nor a backup; for files: itemctl serve "
			 "--seed %s",
			 from, fmt_word(&c->arena, from));
}

/* Copy a local store by backup and restore, which take everything at one point in time; or restore a backup. */
static int
seed_restore(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	bool is_store = other_store_is(c, slice_from(name));
	struct slice beside = fmt_slice(&c->arena, "%s.backup", target);
	const char *backup = is_store ? beside.at : name;
	const char *const words[] = {"--", backup, NULL};
	struct ctl from = ctl_of_store(ctl, name);
	struct ctl to = ctl_of_store(ctl, target);
	int r = is_store ? ctl_open_store(&from, c, false) : 0;

	from.quiet = to.quiet = true;
	r = r < 0 || !is_store ? r : command_run(&from, c, commands_get(COMMAND_BACKUP), words);
	engine_close(from.engine);
	r = r < 0 ? r : command_run(&to, c, commands_get(COMMAND_RESTORE), words);
	if (is_store) {
		folder_remove(backup);
	}
	return r;
}

/* Copy each table of a server. */
static int
seed_copy(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	const char *const words[] = {OTHER_STORE_ALL, target, NULL};
	struct ctl from = ctl_of_store(ctl, name);
	struct ctl to = ctl_of_store(ctl, target);
	int r = ctl_open_store(&to, c, true); /* create it; the copies open it by its name */

	engine_close(to.engine);
	r = r < 0 ? r : ctl_open_store(&from, c, false);
	r = r < 0 ? r : command_run(&from, c, commands_get(COMMAND_COPY), words);
	engine_close(from.engine);
	return r;
}

int
seed_from(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	const char *store = NULL;
	int r = find_store(c, name, &store);

	if (r < 0) {
		return r;
	}
	if (store_is_remote(store)) {
		r = seed_copy(ctl, c, store, target);
	} else if (other_store_is(c, slice_from(store)) || find_store_has(store, "BACKUP")) {
		r = seed_restore(ctl, c, store, target);
	} else {
		return seed_no_store(c, name, store);
	}
	return r < 0 ? call_prefix(c, "--from %s: ", url_shown(&c->arena, name)) : 0;
}
