/*
 * sanitized - SANITIZED: 1 in a build with AddressSanitizer or ThreadSanitizer, else 0
 *
 * Their malloc() does not fail.  GCC defines a macro for them, clang a feature.
 */
#ifndef STORE_BASE_CORE_SANITIZED_H
#define STORE_BASE_CORE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
