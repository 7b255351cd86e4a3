/* aws_keys - the table of providers, and one key that threads share */
#include "store/wire/client/aws_keys.h"

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/wire/client/aws_key.h"
#include "store/wire/client/aws_profile.h"

enum {
	EARLY_MS = 5 * 60 * 1000, /* a key is renewed at most this long before it expires */
	LATE_MS = 60 * 1000,      /* likewise; from then on, threads wait for the new key */
	AGAIN_MS = 30 * 1000,     /* between two tries, while the old key is valid */
	SKEW_MS = 4 * 60 * 1000,  /* a smaller difference of clocks is not why a signature fails */
	STEP_NS = 50 * 1000000,   /* between two checks whether the call was given up */
	BUDGET = 16 * 1024 * 1024,
};

/* In the order of the SDKs.  The first one that has a key or fails decides. */
static aws_provider_fn *const providers[] = {
	aws_key_environment,      /* AWS_ACCESS_KEY_ID ... */
	aws_key_role,             /* role_arn: the aws command line */
	aws_key_web_identity,     /* AWS_WEB_IDENTITY_TOKEN_FILE, web_identity_token_file */
	aws_key_sso,              /* sso_session ...: the aws command line */
	aws_key_credentials_file, /* ~/.aws/credentials */
	aws_key_process,          /* credential_process */
	aws_key_config_file,      /* ~/.aws/config */
	aws_key_container,        /* AWS_CONTAINER_CREDENTIALS_... */
	aws_key_instance,         /* instance metadata */
};

struct aws_keys {
	aws_env_fn *env;
	const char *region; /* heap */
	bool instance;
	_Atomic int64_t ahead_ms; /* the server's clock minus this machine's */
	pthread_mutex_t lock;     /* guards the next fields */
	pthread_cond_t changed;   /* a search has ended */
	struct call store;        /* memory of @key */
	struct aws_key key;
	bool has;             /* a search has succeeded, so @key is set */
	bool refused;         /* the server does not accept @key */
	bool renewing;        /* a thread is searching */
	uint64_t got_ms;      /* when @key was found */
	uint64_t next_ms;     /* no new try before this time, while @key is valid */
	unsigned rounds;      /* number of searches that have ended */
	struct error failure; /* of the last one, its message on the heap; ERR_NONE: success */
};

/* ------------------------------------------------------------ copies */

static struct aws_key
aws_keys_copy(struct call *c, const struct aws_key *key)
{
	return (struct aws_key){
		.credential = {.profile = slice_copy(&c->arena, key->credential.profile),
			       .id = slice_copy(&c->arena, key->credential.id),
			       .secret = slice_copy(&c->arena, key->credential.secret),
			       .token = slice_copy(&c->arena, key->credential.token)},
		.ends_ms = key->ends_ms,
		.who = slice_cstr(&c->arena, slice_from(key->who))};
}

static bool
aws_keys_same(const struct aws_key *a, const struct aws_key *b)
{
	return slice_eq(a->credential.id, b->credential.id) &&
	       slice_eq(a->credential.secret, b->credential.secret) &&
	       slice_eq(a->credential.token, b->credential.token);
}

/* ------------------------------------------------------------ search */

static const char *
aws_keys_none(const struct aws_profile *p)
{
	return arena_print(
		&p->c->arena,
		"not signed: AWS_ACCESS_KEY_ID is not set (it is ignored with --profile), "
		"and profile %.*s has no aws_access_key_id in %s or %s",
		SLICE_ARG(p->name),
		p->path[AWS_CREDENTIALS] == NULL ? "~/.aws/credentials" : p->path[AWS_CREDENTIALS],
		p->path[AWS_CONFIG] == NULL ? "~/.aws/config" : p->path[AWS_CONFIG]);
}

/* Search for a key.  Each search reads all files again. */
static int
aws_keys_look(const struct aws_keys *k, struct call *c, struct aws_key *out)
{
	struct aws_profile profile;
	struct aws_search s = {&profile, k->region, k->instance};
	int r = aws_profile_read(c, k->env, &profile);

	if (r < 0) {
		return r;
	}
	r = AWS_KEY_NONE;
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]) && r == AWS_KEY_NONE; i++) {
		r = providers[i](&s, out);
	}
	if (r == AWS_KEY_NONE) {
		*out = (struct aws_key){.who = aws_keys_none(&profile)};
		r = 0;
	}
	return r;
}

/* ------------------------------------------------------------ times */

/* Return a duration, to be subtracted from the key's expiration: its lifetime divided by @part, at most @most (ms). */
static uint64_t
aws_keys_margin(const struct aws_keys *k, uint64_t most, uint64_t part)
{
	uint64_t life = k->key.ends_ms > k->got_ms ? k->key.ends_ms - k->got_ms : 0;

	return life / part < most ? life / part : most;
}

static bool
aws_keys_usable(const struct aws_keys *k, uint64_t now_ms)
{
	return k->has && !k->refused && (k->key.ends_ms == 0 || now_ms < k->key.ends_ms);
}

/* Return whether it is time to renew the key. */
static bool
aws_keys_due(const struct aws_keys *k, uint64_t now_ms)
{
	return k->key.ends_ms != 0 && now_ms >= k->next_ms &&
	       now_ms + aws_keys_margin(k, EARLY_MS, 4) >= k->key.ends_ms;
}

/* Return whether the key may expire before a request reaches the server. */
static bool
aws_keys_pressing(const struct aws_keys *k, uint64_t now_ms)
{
	return k->key.ends_ms != 0 && now_ms + aws_keys_margin(k, LATE_MS, 10) >= k->key.ends_ms;
}

/* Return the server's time, as far as it is known. */
static uint64_t
aws_keys_now_ms(const struct aws_keys *k)
{
	return (uint64_t)((int64_t)clock_now_ms() + aws_keys_ahead_ms(k));
}

int64_t
aws_keys_ahead_ms(const struct aws_keys *k)
{
	return atomic_load(&k->ahead_ms);
}

bool
aws_keys_correct(struct aws_keys *k, uint64_t server_ms)
{
	int64_t wrong = (int64_t)server_ms - (int64_t)aws_keys_now_ms(k);

	if (wrong > -SKEW_MS && wrong < SKEW_MS) {
		return false;
	}
	atomic_store(&k->ahead_ms, (int64_t)server_ms - (int64_t)clock_now_ms());
	return true;
}

/* ------------------------------------------------------------ renewing */

static void
aws_keys_keep(struct aws_keys *k, const struct aws_key *found, uint64_t now_ms)
{
	call_clear(&k->store);
	k->key = aws_keys_copy(&k->store, found);
	k->has = true;
	k->refused = false;
	k->got_ms = now_ms;
	k->next_ms = 0;
}

static void
aws_keys_note_failure(struct aws_keys *k, const struct call *own, uint64_t now_ms)
{
	assert(lock_held(&k->lock));
	k->next_ms = now_ms + AGAIN_MS;
	k->failure =
		(struct error){.code = own->error.code, .message = mem_string(own->error.message)};
}

/* Search for a key and store it.  Releases the lock during the search. */
static void
aws_keys_renew(struct aws_keys *k, const struct call *c)
{
	struct call own;
	struct aws_key found;

	assert(lock_held(&k->lock) && k->renewing);
	call_open(&own, c->now_ms, BUDGET);
	call_for(&own, c);
	(void)pthread_mutex_unlock(&k->lock);
	int r = aws_keys_look(k, &own, &found);

	(void)pthread_mutex_lock(&k->lock);
	uint64_t now_ms = aws_keys_now_ms(k);

	free((char *)k->failure.message);
	k->failure = (struct error){0};
	if (r < 0 && !call_given_up(c)) {
		aws_keys_note_failure(k, &own, now_ms);
	} else if (r == 0) {
		aws_keys_keep(k, &found, now_ms);
	}
	k->renewing = false;
	if (r == 0 || k->failure.code != ERR_NONE) {
		k->rounds++;
	}
	(void)pthread_cond_broadcast(&k->changed);
	call_close(&own);
}

/* Wait until there is a key, or until a search that ends after this call began has failed. */
static int
aws_keys_await(struct aws_keys *k, struct call *c)
{
	unsigned first = k->rounds;

	assert(lock_held(&k->lock));
	for (;;) {
		uint64_t now_ms = aws_keys_now_ms(k);
		bool usable = aws_keys_usable(k, now_ms);

		if (usable &&
		    !(k->renewing ? aws_keys_pressing(k, now_ms) : aws_keys_due(k, now_ms))) {
			return 0;
		}
		if (!usable && k->rounds != first) {
			/* A key that was just found may have expired by the server's clock: let the server decide. */
			return k->failure.code == ERR_NONE
				       ? 0
				       : call_fail(c, k->failure.code, "%s", k->failure.message);
		}
		if (call_given_up(c)) {
			return call_fail(c, ERR_BUSY, "the caller no longer waits for the answer");
		}
		if (k->renewing) {
			(void)thread_cond_until(&k->changed, &k->lock, clock_steady_ns() + STEP_NS);
		} else {
			k->renewing = true;
			aws_keys_renew(k, c);
		}
	}
}

int
aws_keys_get(struct aws_keys *k, struct call *c, struct aws_key *out)
{
	lock_scope(&k->lock);
	int r = aws_keys_await(k, c);

	if (r == 0) {
		*out = aws_keys_copy(c, &k->key);
	}
	return r;
}

bool
aws_keys_after(struct aws_keys *k, struct call *c, const struct aws_key *refused,
	       struct aws_key *out)
{
	struct error e = c->error;

	{
		lock_scope(&k->lock);
		k->refused = k->refused || aws_keys_same(&k->key, refused);
	}
	c->error = (struct error){0};
	int r = aws_keys_get(k, c, out);

	/* Keep the error that the server reported. */
	c->error = e;
	return r == 0 && !aws_keys_same(out, refused) && out->credential.id.len > 0;
}

/* ------------------------------------------------------------ create and free */

struct aws_keys *
aws_keys_new(aws_env_fn *env, const char *region, bool instance)
{
	struct aws_keys *k = mem_new(struct aws_keys);

	k->env = env;
	k->region = mem_string(region);
	k->instance = instance;
	call_open(&k->store, 0, BUDGET);
	thread_cond_init(&k->changed);
	(void)pthread_mutex_init(&k->lock, NULL);
	return k;
}

void
aws_keys_free(struct aws_keys *k)
{
	if (k == NULL) {
		return;
	}
	call_close(&k->store);
	free((char *)k->failure.message);
	free((char *)k->region);
	(void)pthread_cond_destroy(&k->changed);
	(void)pthread_mutex_destroy(&k->lock);
	free(k);
}
