/*
 * Stand-in for JBIG-KIT's library in what is bundled: libtiff needs its functions to be there, but JBIG-KIT is under the GPL,
 * which these copies could not be handed on with. Decoding fails, and libtiff reports the file as one that it cannot read.
 */

int jbg_dec_in(void) { return 1; }
int jbg_newlen(void) { return 1; }
const char *jbg_strerror(void) { return "JBIG is not supported"; }
void jbg_dec_init(void) {}
void jbg_dec_free(void) {}
void *jbg_dec_getimage(void) { return 0; }
unsigned long jbg_dec_getsize(void) { return 0; }
void jbg_enc_init(void) {}
void jbg_enc_out(void) {}
void jbg_enc_free(void) {}
