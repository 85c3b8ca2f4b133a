/* card.h - a real GPU to judge on: the card, nvcc to build for it, and the gpu room's command that
 * records runs. The grader knows the gpu room by that command alone: `threelane-gpu card N`
 * describes a card, `threelane-gpu trace` runs a program and leaves a trace. */
#ifndef THREELANE_CARD_H
#define THREELANE_CARD_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Card {
    char *command; /* path of threelane-gpu */
    char *nvcc;
    char *name;     /* "NVIDIA H200" */
    char *arch;     /* what nvcc's -arch takes: "sm_90" */
    char *identity; /* tells this card and its driver from others */
    char **more; /* identities of the further cards that card_take_more took, ended by NULL; or NULL
                  */
    char *driver, *cupti; /* the folders of the driver's and CUPTI's libraries; NULL: not told */
    char *visible; /* what CUDA_VISIBLE_DEVICES has to be for this card (card_take_more: these) to
                      be the only one */
} Card;

/* Finds card `number` (from 0, among those that CUDA_VISIBLE_DEVICES leaves). False and one line
 * that says what is missing. card_close either way. */
bool card_open(Card *, unsigned number, char *error, size_t error_size);
/* So many cards from this one on, instead of one; what is missing is said for exercise `id`, which
 * a machine of fewer can only run on virtual ones. */
bool card_take_more(Card *, unsigned number, int gpus, const char *id, char *error,
                    size_t error_size);
void card_close(Card *);

/* threelane-gpu: in THREELANE_HOME, or where the tools were built or installed. The caller frees;
 * NULL when it is nowhere. */
char *card_command(void);

/* Waits until no other exercise is measured on any of the cards, and keeps others waiting, until
 * card_unlock. Cards are locked in one order, whichever of them is a run's first, so that runs on
 * several cannot wait for each other. What cannot be locked is no reason not to go on.
 * folder: the course's state. */
int *card_lock(const Card *, const char *folder);
void card_unlock(int *locks);
#endif
