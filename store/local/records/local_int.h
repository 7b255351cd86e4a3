/* local_int - what all rooms of store/local share: the engine's state and one exec function an operation */
#ifndef STORE_LOCAL_RECORDS_LOCAL_INT_H
#define STORE_LOCAL_RECORDS_LOCAL_INT_H

#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/kv/kv.h"
#include "store/local/records/catalog.h"

struct txn_queue;
struct chores;
struct jobs;
struct throttle;
struct heat;
struct surveys;

struct local {
	struct engine engine;
	struct kv *kv;
	struct catalog *catalog;
	struct txn_queue *queue; /* group commit: txn.h */
	struct feed *feed;
	struct chores *chores; /* work in the background: chores.h */
	unsigned room_ms;  /* until a job of theirs that found no room is tried again; 0: 1000 */
	struct jobs *jobs; /* work that takes long: jobs.h */
	char *dir;         /* the store's, for messages; NULL: there is none */
	int at;            /* its descriptor, for files; or -1 */
	struct throttle *throttle; /* budgets of tables: throttle.h */
	struct heat *heat;         /* what partitions consume: heat.h */
	struct surveys *surveys;   /* checks that go on: survey.h */
	void (*tidy)(struct local *l,
		     uint64_t now_ms); /* each sweep: frees what later rooms keep for a while */
	atomic_bool damaged;           /* a read has said so: damage.h */
	atomic_bool damaged_files;     /* a check has found some: nothing is repaired */
};

/* A view handed out by engine_view_open(). */
struct view {
	struct kv_snapshot *snapshot;
};

/* int local_exec_get_item(struct local *, struct call *, const struct get_item_in *, struct
 * get_item_out *), ... */
#define OP(NAME, name, Name, kind, group, meter) \
	int local_exec_##name(struct local *l, struct call *c, const struct name##_in *in, \
			      struct name##_out *out) __attribute__((warn_unused_result));
#include "store/op/op.def"
#undef OP

/** local_submit_item - PutItem, UpdateItem or DeleteItem as engine_submit() does them; validated before */
void local_submit_item(struct local *l, struct call *c, const struct op_in *in, struct op_out *out,
		       engine_done_fn *done, void *arg);

/** local_flow_open - flow.h over the embedded engine */
int local_flow_open(struct engine *e, struct call *c, const struct flow_in *in, struct flow **out)
	__attribute__((warn_unused_result));

#endif
