/* say - a line for whoever runs the program, about what nobody waits for */
#ifndef STORE_BASE_SAY_H
#define STORE_BASE_SAY_H

/** say - one line with the time on standard error */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
