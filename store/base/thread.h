/* thread - start one that no signal is delivered to: signals are for the program's own threads */
#ifndef STORE_BASE_THREAD_H
#define STORE_BASE_THREAD_H

#include <pthread.h>

/** thread_start - Return: 0 or an errno */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
	__attribute__((warn_unused_result));

#endif
