#ifndef GLYPHWIRE_CTESSERACT_H
#define GLYPHWIRE_CTESSERACT_H

#include <stdbool.h>

/// Functions of libtesseract, which is loaded at run time: only who reads further scripts installs it.
///
/// The declarations are those of capi.h of version 5.
struct TessBaseAPI;
struct TessResultIterator;
struct TessPageIterator;

/// Engine that recognizes with its LSTM network alone: `OEM_LSTM_ONLY`.
static const int glyphwire_tesseract_lstm = 1;
/// Mode for a picture that is one line, in which no line is searched: `PSM_RAW_LINE`.
static const int glyphwire_tesseract_raw_line = 13;
/// Level of the line: `RIL_TEXTLINE`.
static const int glyphwire_tesseract_line = 2;
/// Level of words: `RIL_WORD`.
static const int glyphwire_tesseract_word = 3;
/// Level of single signs: `RIL_SYMBOL`.
static const int glyphwire_tesseract_symbol = 4;

typedef struct {
    struct TessBaseAPI *(*create)(void);
    void (*destroy)(struct TessBaseAPI *recognizer);
    int (*load)(struct TessBaseAPI *recognizer, const char *folder, const char *language, int engine);
    int (*set_variable)(struct TessBaseAPI *recognizer, const char *name, const char *value);
    char **(*available_languages)(const struct TessBaseAPI *recognizer);
    void (*delete_texts)(char **texts);
    void (*set_page_mode)(struct TessBaseAPI *recognizer, int mode);
    void (*set_image)(struct TessBaseAPI *recognizer, const unsigned char *pixels, int width, int height,
        int bytes_per_pixel, int bytes_per_line);
    void (*set_resolution)(struct TessBaseAPI *recognizer, int dots_per_inch);
    int (*recognize)(struct TessBaseAPI *recognizer, void *monitor);
    void (*clear)(struct TessBaseAPI *recognizer);
    struct TessResultIterator *(*results)(struct TessBaseAPI *recognizer);
    void (*delete_results)(struct TessResultIterator *results);
    int (*next)(struct TessResultIterator *results, int level);
    char *(*text)(const struct TessResultIterator *results, int level);
    void (*delete_text)(const char *text);
    float (*confidence)(const struct TessResultIterator *results, int level);
    const struct TessPageIterator *(*place)(const struct TessResultIterator *results);
    int (*is_word)(struct TessBaseAPI *recognizer, const char *word);
    int (*box)(const struct TessPageIterator *place, int level, int *left, int *top, int *right, int *bottom);
} glyphwire_tesseract;

/// Loads the library into `functions`; false if it is not installed, or lacks a function.
///
/// It then works on the calling thread alone: its own threads wait for one another longer than they work on a line.
bool glyphwire_tesseract_load(glyphwire_tesseract *functions);

#endif
