/* check_damage - table of every kind of damage: how to make it, what check reports, what repair does */
#ifndef TESTS_LOCAL_CHECK_DAMAGE_H
#define TESTS_LOCAL_CHECK_DAMAGE_H

#include "store/model/schema.h"

struct check_damage {
	void (*make)(void); /* damages the store of check_open() */
	const char *problem;
	const char *done;
	bool of_item; /* the item b, 1 itself is damaged */
};

extern const struct check_damage check_damages[];
extern const size_t check_n_damages;

/** check_write_raw - write or, with @gone, delete one key directly in the kv, without the engine */
void check_write_raw(struct slice key, struct slice value, bool gone);

/** check_key_for - key of the item or entry that @place describes: P, S and, for an entry, the index keys */
struct slice check_key_for(const struct index *ix, const char *place);

#endif
