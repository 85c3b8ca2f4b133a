/* lexer.h - the tokens of a C++ text that a compiler has seen once (-E -fdirectives-only,
 * -frewrite-includes) or not at all. Nothing here can fail on odd input: what is no token is
 * TOKEN_OTHER, what is unterminated ends at the end of its line (a raw string or comment: of the
 * text).
 *
 * White space, comments and directives are not tokens; they are what lies between tokens. A
 * directive that matters is reported: #define through a callback, conditionals as tokens of their
 * own, so that brackets can be matched when both branches of an #ifdef are there. What "#if 0" or
 * the #else of "#if 1" hide is skipped. Text of system headers (the marker's flag 3, or a file
 * below skip_directory) is skipped, too: it holds nothing to rewrite. So is not what lies below
 * read_directory. */
#ifndef THREELANE_LEXER_H
#define THREELANE_LEXER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TokenKind {
    TOKEN_NAME, /* identifier or keyword */
    TOKEN_NUMBER,
    TOKEN_STRING, /* with its prefix and suffix; raw ones, too */
    TOKEN_CHARACTER,
    TOKEN_LAUNCH,     /* <<<, also with blanks: << < */
    TOKEN_PUNCTUATOR, /* :: -> << ... ## as one; > is always alone */
    TOKEN_OTHER,
    TOKEN_IF,
    TOKEN_ELSE,
    TOKEN_ENDIF /* conditional directives (#elif is TOKEN_ELSE); start is the # */
} TokenKind;

#define TOKEN_NONE UINT32_MAX

typedef struct Token {
    uint32_t start, size; /* bytes of the text */
    uint32_t line;        /* as the line markers say */
    uint32_t line_start;  /* offset of the first byte of its physical line */
    uint32_t file;        /* index into Tokens.file */
    uint32_t match;       /* of ( ) [ ] { }: the other one's index, or TOKEN_NONE */
    uint8_t kind;
    char first; /* its first byte */
} Token;

typedef struct SourceFile {
    char *quoted; /* as in the marker, with quotes and escapes; owned */
    bool system;  /* flag 3 */
} SourceFile;

typedef struct Tokens {
    const char *text; /* not owned */
    Token *item;
    uint32_t count, room;
    SourceFile *file;
    uint32_t files, files_room;
    bool too_many; /* gave up: more than TOKENS_MOST */
} Tokens;

enum { TOKENS_MOST = 20 * 1000 * 1000 };

/* Called for each #define outside of skipped text: its bytes from the # to before the newline, and
 * where it stands. */
typedef void LexDefine(void *arg, uint32_t start, uint32_t end, uint32_t line, uint32_t file);

typedef struct LexOptions {
    const char *file_name;      /* of the text until a marker says otherwise; NULL: no name */
    const char *skip_directory; /* NULL: none */
    const char *read_directory; /* text of files below it is read although they are system headers;
                                 * NULL: none */
    LexDefine *define;          /* NULL: ignore */
    void *arg;
} LexOptions;

/* Fills tokens (zeroed before) with those of text[0..size), size < 2^32 - 1, and matches
 * brackets. */
void lex(Tokens *, const char *text, size_t size, const LexOptions *);
/* The tokens of a part of the same text, without directives: the replacement of a macro. */
void lex_part(Tokens *, const char *text, uint32_t start, uint32_t end, uint32_t line,
              const SourceFile *file);
void tokens_release(Tokens *);

bool token_is(const Tokens *, uint32_t index, const char *spelling);
static inline bool token_is_char(const Tokens *tokens, uint32_t index, char c)
{
    return index < tokens->count && tokens->item[index].size == 1 && tokens->item[index].first == c;
}
static inline uint32_t token_end(const Tokens *tokens, uint32_t index)
{
    return tokens->item[index].start + tokens->item[index].size;
}
#endif
