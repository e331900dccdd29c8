#define _POSIX_C_SOURCE 200112L

#include "CTesseract.h"

#include "CDynamicLibrary.h"

#include <stdlib.h>

bool glyphwire_tesseract_load(glyphwire_tesseract *functions)
{
    // OpenMP reads its limit once, when it is loaded with the library.
    setenv("OMP_THREAD_LIMIT", "1", 0);
    const glyphwire_symbol symbols[] = {
        {"TessBaseAPICreate", (void **)&functions->create},
        {"TessBaseAPIDelete", (void **)&functions->destroy},
        {"TessBaseAPIInit2", (void **)&functions->load},
        {"TessBaseAPISetVariable", (void **)&functions->set_variable},
        {"TessBaseAPIGetAvailableLanguagesAsVector", (void **)&functions->available_languages},
        {"TessDeleteTextArray", (void **)&functions->delete_texts},
        {"TessBaseAPISetPageSegMode", (void **)&functions->set_page_mode},
        {"TessBaseAPISetImage", (void **)&functions->set_image},
        {"TessBaseAPISetSourceResolution", (void **)&functions->set_resolution},
        {"TessBaseAPIRecognize", (void **)&functions->recognize},
        {"TessBaseAPIClear", (void **)&functions->clear},
        {"TessBaseAPIGetIterator", (void **)&functions->results},
        {"TessResultIteratorDelete", (void **)&functions->delete_results},
        {"TessResultIteratorNext", (void **)&functions->next},
        {"TessResultIteratorGetUTF8Text", (void **)&functions->text},
        {"TessDeleteText", (void **)&functions->delete_text},
        {"TessResultIteratorConfidence", (void **)&functions->confidence},
        {"TessResultIteratorGetPageIteratorConst", (void **)&functions->place},
        {"TessBaseAPIIsValidWord", (void **)&functions->is_word},
        {"TessPageIteratorBoundingBox", (void **)&functions->box},
    };
    return glyphwire_load_library("libtesseract.so.5", symbols, sizeof symbols / sizeof symbols[0]);
}
