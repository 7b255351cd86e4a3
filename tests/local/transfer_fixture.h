/* transfer_fixture - a store on LevelDB with the bucket "acme", for exports and imports */
#ifndef TESTS_LOCAL_TRANSFER_FIXTURE_H
#define TESTS_LOCAL_TRANSFER_FIXTURE_H

#include "store/engine/engine.h"
#include "store/op/op.h"

struct transfer_fixture {
	struct call c;
	char base[40]; /* a directory of the test */
	char dir[64];  /* the store: base/store */
	struct engine *e;
};

extern struct transfer_fixture ts;

/* Setup and teardown of a suite. */
void transfer_fixture_open(void);
void transfer_fixture_close(void);

/** transfer_restart - close the engine and open it again */
void transfer_restart(void);

/** transfer_ended - wait until an export or import no longer runs, and return its description */
struct transfer transfer_ended(struct transfer (*described)(struct slice id), struct slice id);

/** transfer_path - the path base/@name, in the call's memory */
const char *transfer_path(const char *name);

#endif
