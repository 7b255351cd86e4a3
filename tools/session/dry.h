/*
 * dry - engine wrapper of --dry-run: answers writes without executing them, and counts them
 *
 * It checks the request, and keys and types by the table's definition; the store checks conditions and updates
 * (attempt.h).  Later requests through the wrapper see tables as if they had been created or dropped.
 * The wrapper refuses requests that it cannot answer correctly.
 */
#ifndef TOOLS_SESSION_DRY_H
#define TOOLS_SESSION_DRY_H

#include "store/engine/engine.h"

struct dry;

/**
 * dry_open - wrap an engine; Thread: any may use the engine
 * @below: owned from here on; engine_close() closes both
 * @d:     collects the changes; must outlive the engine
 */
struct engine *dry_open(struct engine *below, struct dry *d);

#endif
