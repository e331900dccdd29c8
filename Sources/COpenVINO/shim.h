#include <openvino/c/openvino.h>
// For malloc_trim, which Swift's own module of the C library leaves out.
#include <malloc.h>
