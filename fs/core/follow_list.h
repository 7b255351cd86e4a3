/* follow_list - a mount's open handles of .stream files; fs/made/follow.h has the functions */
#ifndef FS_CORE_FOLLOW_LIST_H
#define FS_CORE_FOLLOW_LIST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct follower;

struct follow_list {
	pthread_mutex_t lock; /* guards first, the followers, over and tailing */
	struct follower *first;
	atomic_size_t n;
	bool over; /* the mount ends */
	pthread_cond_t due;
	pthread_t tail; /* the thread of tail.c: for an endpoint, from the first follower on */
	bool tailing;
};

#endif
