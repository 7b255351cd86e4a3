/*
 * dry - an engine that answers what writes without carrying it out, and counts it: --dry-run
 *
 * What can be judged is judged: the request, keys and types by the table's definition; conditions and updates by the store
 * itself (attempt.h).  A table that would be created or dropped is so for whoever asks through this engine.  What cannot be answered
 * honestly is refused with a sentence.
 */
#ifndef TOOLS_SESSION_DRY_H
#define TOOLS_SESSION_DRY_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"

struct dry;

/** dry_new - nothing counted yet; Thread: everything here may be called from any */
struct dry *dry_new(void);
void dry_free(struct dry *d);

/**
 * dry_open - @below is closed with it
 * @d: counts; must live longer
 */
struct engine *dry_open(struct engine *below, struct dry *d);

/** dry_print - append a line for each kind of change: "would put 3 items into orders\n" */
void dry_print(struct dry *d, struct buf *out);

#endif
