/* build_internal.h - what the files of the build share: a call of a compiler, and the steps between
 * source and program. */
#ifndef THREELANE_BUILD_INTERNAL_H
#define THREELANE_BUILD_INTERNAL_H
#include "common/limits.h"
#include "grader/box/runner.h"
#include "grader/box/sandbox.h"
#include "grader/build/build.h"

enum { COMPILE_VARIABLES = 6 };

/* ---- build_compile.c: a compiler's command line, and running several ---- */
/* One call of a compiler, or of another tool: nothing is run when n is 0. */
typedef struct Compile {
    char **argv; /* n words and NULL; what is in it is freed with it */
    size_t n;
    Box *box;                     /* NULL: runs like all our commands */
    char *folder;                 /* box: where, inside */
    int output;                   /* box: its only way out, open for writing */
    char *env[COMPILE_VARIABLES]; /* box: besides the box's own */
} Compile;

/* Adds a word, which it takes. */
void compile_word(Compile *, char *word);
/* The same, before the word that is at `at` now. */
void compile_insert(Compile *, size_t at, char *word);
/* A file that is called like an option, or like a file of options, is none. Takes the name. */
char *compile_name(char *name);
void compile_nvcc_flags(Compile *, const Card *);
/* The options of the exercise and the parameters of the run. */
void compile_parameters(Compile *, const Build *);
/* The player's own addresses must not be known to who writes a log, and no address may look like a
 * small number. */
void compile_anywhere(Compile *);
/* A program that is run a few times needs no number of its own, which is a hash of all its bytes.
 */
void compile_unnumbered(Compile *, const Workspace *);
/* Where tlcc has its headers and library, as it looks for them itself; NULL: nowhere. The caller
 * frees. */
char *compile_tools(const Workspace *);
/* Leaves where a folder lies on this machine out of what is compiled: a program can read itself. */
void compile_hides(Compile *, const char *folder, const char *as);
/* The same for the course, the folder that one command works in, and our headers. */
void compile_hides_course(Compile *, const Workspace *);
/* Leaves out where the course lies of what a debugger is told: the object of a source is the same
 * in every copy of the course. */
void compile_forgets_course(Compile *, const Workspace *);
/* The compiler with the flags that are the same for every source of a build. */
void compile_start(Compile *, const Workspace *, const Build *);
void compile_release(Compile *);
/* Runs them; a job per build that is still waiting for one. failure: what it means that a compiler
 * says no. False when interrupted. */
bool compile_all(Workspace *, Build *, Compile *, Job *, size_t n, BuildState failure);

/* What lies beside a harness's object in the cache. The caller frees. */
char *build_beside(const char *object, const char *what);
/* What is made takes its place when it is whole; what others have put there since says the same and
 * stays. False: errno. */
bool build_take_place(const char *made, const char *place);
/* True for a header that a source may include, by its name. */
bool build_is_header(const char *name);

/* Adds what a source (its text; NULL: it cannot be read) is compiled with: the course's headers,
 * the exercise's options, and the parameters as far as it can see them (visible.h); of the others
 * only that they are there. */
void build_hash_visible(Hash *, const Workspace *, Build *, const char *source);
/* Is nothing else read when it is compiled? */
bool build_sees_all(Build *, const char *source);

/* ---- build_known.c: sources that somebody may have compiled before (store.h) ---- */
/* What a source's object is made from: nothing where that cannot be told. */
typedef struct Known {
    Text of;
    Hash stamp; /* the source's file */
} Known;
void known_read(Known *, const Workspace *, Build *);
/* Is its object there? It is written to `place` then. */
bool known_take(const Known *, const Workspace *, const char *place);
/* Keeps the object, unless the source has changed meanwhile, or something was said of it. */
void known_keep(const Known *, const Workspace *, Build *, const char *object);

/* ---- build_seam.c: programs that are not trusted: the seam between harness and student
 * (grader/TRUST.md) ---- */
/* The renamed harness, the box's half of the seam and the player, all in the cache. objects: the
 * harnesses'. */
bool build_seams(Workspace *, Build *, char **objects, size_t n);

/* The symbols of the kernels that a student writes, with blanks between; NULL: none. The caller
 * frees. */
char *build_own_kernels(const char *object);
/* A shell's script that makes a player with these kernels, and then does something more. The caller
 * frees. */
char *build_apart_script(const char *symbols, const char *then);

/* ---- build_box.c: compiling what nobody has looked at ---- */
/* What is made of a source: its object; the program, of that and of the harness's side; both in one
 * (nvcc). */
typedef enum BoxStep { BOX_OBJECT, BOX_LINK, BOX_WHOLE, BOX_PLAYER } BoxStep;

/* In the box there are the compiler, the exercise's headers and the source, or (to link) its object
 * `part` and what the program is linked from; what is made comes out through a descriptor. False:
 * errno. */
bool build_in_box(Compile *, const Workspace *, const Build *, BoxStep, const char *object,
                  const char *part, const char *made);
/* What was linked is started by the same dynamic linker as this command. A source may name another
 * program instead (a section .interp), which is not there where programs run: that would look like
 * a fault of the machine's. */
bool build_starts_as_ever(const char *program);
/* The same for the player that has the source's kernels (own: their symbols). */
bool build_player_in_box(Compile *, const Workspace *, const Build *, const char *object,
                         const char *part, const char *own, const char *made);
/* What a compiler said in its box, with the names that things have in a box with namespaces: not
 * where they lie here, nor the names of folders that are others each time. */
void build_box_words(const Compile *, const Workspace *, const Build *, Text *to, const Text *said);
#endif
