//go:build sphinx && cgo

#include "decoder.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>

#if !__has_include(<pocketsphinx/model.h>) /* which came with 5 */
#define SOLO_PS_08 1
#include <sphinxbase/cmd_ln.h>
#include <sphinxbase/err.h>
#include <sphinxbase/feat.h>
#include <sphinxbase/fsg_model.h>
#else
#include <pocketsphinx/err.h>
#include <pocketsphinx/model.h>
#endif

#ifdef SOLO_PS_08

const char *solo_version(void) { return "0.8"; }

/* By how many bits the scores of a word are scaled up: 0.8 scales those of its language model searches only. */
int solo_shift(int grammar) { return grammar ? 0 : 10; }

static cmd_ln_t *config(int argc, char **argv) {
    return cmd_ln_parse_r(NULL, ps_args(), argc, argv, TRUE);
}
static void drop(cmd_ln_t *c) { cmd_ln_free_r(c); }

static int fresh(ps_decoder_t *d, int whole) {
    ps_get_feat(d)->cmn = whole ? CMN_BATCH : CMN_LIVE;
    return 0;
}

#define FRESH fresh
#define ADD_FSG ps_set_fsg
#define ADD_LM ps_set_lm_file
#define ACTIVATE ps_set_search

#else

const char *solo_version(void) { return "5"; }

int solo_shift(int grammar) { return 10; }

static ps_config_t *config(int argc, char **argv) {
    ps_config_t *c = ps_config_init(NULL);
    for (int i = 0; c != NULL && i + 1 < argc; i += 2) {
        const char *name = argv[i] + 1, *value = argv[i + 1];
        ps_type_t t = ps_config_typeof(c, name);
        if (t == 0)
            continue; /* 5.x dropped the options of its old voice detector */
        if (t & ARG_BOOLEAN)
            ps_config_set_bool(c, name, strcmp(value, "yes") == 0);
        else if (t & ARG_INTEGER)
            ps_config_set_int(c, name, atol(value));
        else if (t & ARG_FLOATING)
            ps_config_set_float(c, name, atof(value));
        else
            ps_config_set_str(c, name, value);
    }
    return c;
}
static void drop(ps_config_t *c) { ps_config_free(c); }

#define FRESH(d, whole) ps_reinit_feat(d, NULL)
#define ADD_FSG ps_add_fsg
#define ADD_LM ps_add_lm_file
#define ACTIVATE ps_activate_search

#endif

ps_decoder_t *solo_open(int argc, char **argv) {
    err_set_logfp(NULL);
    void *c = config(argc, argv);
    if (c == NULL)
        return NULL;
    ps_decoder_t *d = ps_init(c);
    drop(c);
    return d;
}

/* glibc keeps what was freed in small pieces, of a model or of an utterance: it is given back. */
void solo_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void solo_close(ps_decoder_t *d) {
    ps_free(d);
    solo_trim();
}

int solo_add_fsg(ps_decoder_t *d, const char *name, const char *path, float lw) {
    fsg_model_t *g = fsg_model_readfile(path, ps_get_logmath(d), lw);
    if (g == NULL)
        return -1;
    int rc = ADD_FSG(d, name, g);
    fsg_model_free(g);
    return rc;
}

int solo_add_lm(ps_decoder_t *d, const char *name, const char *path) { return ADD_LM(d, name, path); }
int solo_use(ps_decoder_t *d, const char *name) { return ACTIVATE(d, name); }

/* Once sound was fed piece by piece, pocketsphinx forgets that it was told to take the mean of a whole utterance:
   it must be told again. Without a new stream 0.8 counts the frames of a word from the utterances before. */
int solo_begin(ps_decoder_t *d, int whole) {
    if (FRESH(d, whole) != 0)
        return -1;
    ps_start_stream(d); /* fails in 5 where noise is not removed; then there is nothing to reset */
    return ps_start_utt(d);
}
int solo_end(ps_decoder_t *d) { return ps_end_utt(d); }

int solo_feed(ps_decoder_t *d, const int16_t *pcm, size_t n, int whole) {
    return ps_process_raw(d, pcm, n, FALSE, whole);
}

const char *solo_text(ps_decoder_t *d, int32_t *score) {
    int32 s = 0;
    const char *t = ps_get_hyp(d, &s);
    *score = s;
    return t;
}
