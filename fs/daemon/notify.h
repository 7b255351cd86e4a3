/* notify - status notifications to the service manager, as sd_notify(3) */
#ifndef FS_DAEMON_NOTIFY_H
#define FS_DAEMON_NOTIFY_H

/**
 * notify - send a message to the service manager, if NOTIFY_SOCKET is set
 * @state: "READY=1", "STOPPING=1"
 *
 * NOTIFY_SOCKET is an absolute path, or '@' and an abstract name.  Failures are ignored.
 */
void notify(const char *state);

#endif
