/* table_scan - a list of the scans that are kept, newest first */
#include "store/local/check/table_scan.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/local/check/table_scan_int.h"

enum { KEPT_MS = 60000, KEPT_MAX = 64 };

struct table_scans {
	pthread_mutex_t lock;    /* guards all members */
	struct table_scan *head; /* newest first */
	uint64_t ids;            /* the last id that was assigned */
};

struct table_scans *
table_scans_new(void)
{
	struct table_scans *all = mem_new(struct table_scans);

	(void)pthread_mutex_init(&all->lock, NULL);
	return all;
}

static void
free_list(struct table_scan *s)
{
	while (s != NULL) {
		struct table_scan *next = s->next;

		table_scan_free(s);
		s = next;
	}
}

void
table_scans_free(struct table_scans *all)
{
	if (all == NULL) {
		return;
	}
	free_list(all->head);
	(void)pthread_mutex_destroy(&all->lock);
	free(all);
}

/* Remove the scans after the first @most, and those that have waited for a minute.  Return: a list of them. */
static struct table_scan *
cut_behind(struct table_scans *all, unsigned most, uint64_t now_ms)
{
	struct table_scan **at = &all->head;

	assert(lock_held(&all->lock));
	while (*at != NULL && most > 0 && now_ms < (*at)->since_ms + KEPT_MS) {
		at = &(*at)->next;
		most--;
	}
	struct table_scan *rest = *at;

	*at = NULL;
	return rest;
}

uint64_t
table_scans_keep(struct table_scans *all, struct table_scan *s, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	if (s->id == 0) {
		s->id = ++all->ids;
	}
	uint64_t id = s->id;
	struct table_scan *rest = cut_behind(all, KEPT_MAX - 1, now_ms);

	s->since_ms = now_ms;
	s->next = all->head;
	all->head = s;
	(void)pthread_mutex_unlock(&all->lock);
	free_list(rest);
	return id;
}

struct table_scan *
table_scans_take(struct table_scans *all, uint64_t id)
{
	lock_scope(&all->lock);
	struct table_scan **at = &all->head;

	while (*at != NULL && (*at)->id != id) {
		at = &(*at)->next;
	}
	struct table_scan *s = *at;

	if (s != NULL) {
		*at = s->next;
	}
	return s;
}

void
table_scans_forget(struct table_scans *all, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	struct table_scan *old = cut_behind(all, KEPT_MAX, now_ms);

	(void)pthread_mutex_unlock(&all->lock);
	free_list(old);
}
