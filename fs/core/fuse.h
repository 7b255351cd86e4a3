/* fuse - libfuse in the one version of its interface that the mount uses */
#ifndef FS_CORE_FUSE_H
#define FS_CORE_FUSE_H

#define FUSE_USE_VERSION 314

#include <fuse_lowlevel.h>

#endif
