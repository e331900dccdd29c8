#include <openvino/c/openvino.h>
// For malloc_trim, which Swift's own module of the C library leaves out.
#include <malloc.h>
// For MFD_CLOEXEC.
#include <linux/memfd.h>

// Left out as well: its header, sys/mman.h, shows it to GNU sources alone.
int memfd_create(const char *name, unsigned int flags);
