//go:build sphinx && cgo

// The one C surface that Solo needs of pocketsphinx, the same over 0.8 (5prealpha) and 5.x.
#ifndef SOLO_SPHINX_H
#define SOLO_SPHINX_H

#include <stddef.h>
#include <stdint.h>
#include <pocketsphinx.h>

ps_decoder_t *solo_open(int argc, char **argv);
int solo_add_fsg(ps_decoder_t *d, const char *name, const char *path, float lw);
int solo_add_lm(ps_decoder_t *d, const char *name, const char *path);
int solo_use(ps_decoder_t *d, const char *name);
int solo_begin(ps_decoder_t *d, int whole);
int solo_feed(ps_decoder_t *d, const int16_t *pcm, size_t n, int whole);
int solo_end(ps_decoder_t *d);
const char *solo_text(ps_decoder_t *d, int32_t *score);
void solo_close(ps_decoder_t *d);
const char *solo_version(void);
int solo_shift(int grammar);
void solo_trim(void);

#endif
