/* notify - telling the service manager how far the start has come (sd_notify(3)) */
#ifndef FS_DAEMON_NOTIFY_H
#define FS_DAEMON_NOTIFY_H

/**
 * notify - one message to who started this process, if he wants to hear any
 * @state: "READY=1", "STOPPING=1"
 *
 * The environment's NOTIFY_SOCKET says where to; an absolute path, or '@' and an abstract name.
 * Nobody waits for an answer, so nothing fails.
 */
void notify(const char *state);

#endif
