/* survey - a list of the surveys that are kept, newest first */
#include "store/local/check/survey.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/local/check/survey_int.h"

enum { KEPT_MS = 60000, KEPT_MAX = 64 };

struct surveys {
	pthread_mutex_t lock; /* guards all members */
	struct survey *head;  /* newest first */
	uint64_t ids;         /* the last id that was assigned */
};

struct surveys *
surveys_new(void)
{
	struct surveys *all = mem_new(struct surveys);

	(void)pthread_mutex_init(&all->lock, NULL);
	return all;
}

static void
free_list(struct survey *s)
{
	while (s != NULL) {
		struct survey *next = s->next;

		survey_free(s);
		s = next;
	}
}

void
surveys_free(struct surveys *all)
{
	if (all == NULL) {
		return;
	}
	free_list(all->head);
	(void)pthread_mutex_destroy(&all->lock);
	free(all);
}

/* Remove the surveys after the first @most, and those that have waited for a minute.  Return: a list of them. */
static struct survey *
cut_behind(struct surveys *all, unsigned most, uint64_t now_ms)
{
	struct survey **at = &all->head;

	assert(lock_held(&all->lock));
	while (*at != NULL && most > 0 && now_ms < (*at)->since_ms + KEPT_MS) {
		at = &(*at)->next;
		most--;
	}
	struct survey *rest = *at;

	*at = NULL;
	return rest;
}

uint64_t
surveys_keep(struct surveys *all, struct survey *s, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	if (s->id == 0) {
		s->id = ++all->ids;
	}
	uint64_t id = s->id;
	struct survey *rest = cut_behind(all, KEPT_MAX - 1, now_ms);

	s->since_ms = now_ms;
	s->next = all->head;
	all->head = s;
	(void)pthread_mutex_unlock(&all->lock);
	free_list(rest);
	return id;
}

struct survey *
surveys_take(struct surveys *all, uint64_t id)
{
	lock_scope(&all->lock);
	struct survey **at = &all->head;

	while (*at != NULL && (*at)->id != id) {
		at = &(*at)->next;
	}
	struct survey *s = *at;

	if (s != NULL) {
		*at = s->next;
	}
	return s;
}

void
surveys_forget(struct surveys *all, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	struct survey *old = cut_behind(all, KEPT_MAX, now_ms);

	(void)pthread_mutex_unlock(&all->lock);
	free_list(old);
}
