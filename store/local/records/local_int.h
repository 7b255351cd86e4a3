/* local_int - the engine's state, and one exec function for each operation; all rooms of store/local share it */
#ifndef STORE_LOCAL_RECORDS_LOCAL_INT_H
#define STORE_LOCAL_RECORDS_LOCAL_INT_H

#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/kv/kv.h"
#include "store/local/records/catalog.h"

struct txn_queue;
struct tasks;
struct jobs;
struct throttle;
struct key_usage;
struct table_scans;

struct local {
	struct engine engine;
	struct kv *kv;
	struct catalog *catalog;
	struct txn_queue *queue; /* group commit: txn.h */
	struct feed *feed;
	struct tasks *tasks; /* background tasks: tasks.h */
	unsigned room_ms;    /* delay before a task without disk space is tried again; 0: 1000 */
	struct jobs *jobs;   /* long-running jobs of requests: jobs.h */
	char *dir;           /* path of the store, for messages; NULL: there is none */
	int at;              /* descriptor of the store's directory, or -1 */
	struct throttle *throttle; /* budgets of tables: throttle.h */
	struct key_usage *key_usage;
	struct table_scans *table_scans; /* scans that are under way: table_scan.h */

	atomic_bool damaged;       /* a read has found damage: damage.h */
	atomic_bool damaged_files; /* a check has found damaged files: nothing is repaired */
};

/* The view that engine_view_open() returns. */
struct view {
	struct kv_snapshot *snapshot;
};

/* int local_exec_get_item(struct local *, struct call *, const struct get_item_in *, struct get_item_out *), ... */
#define OP(NAME, name, Name, kind, group, meter, check) \
	int local_exec_##name(struct local *l, struct call *c, const struct name##_in *in, \
			      struct name##_out *out) must_check;
#include "store/op/op.def"
#undef OP

/** local_submit_item - submit PutItem, UpdateItem or DeleteItem as engine_submit() does; @in has been validated */
void local_submit_item(struct local *l, struct call *c, const struct op_in *in, struct op_out *out,
		       engine_done_fn *done, void *arg);

/** local_row_stream_open - open a stream of rows (row_stream.h) on the embedded engine */
int local_row_stream_open(struct engine *e, struct call *c, const struct row_stream_in *in,
			  struct row_stream **out) must_check;

#endif
