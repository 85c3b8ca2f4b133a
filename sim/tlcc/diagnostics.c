#include "sim/tlcc/diagnostics.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line without its terminal escapes. */
static void plain_line(const char *line, size_t size, Bytes *out)
{
    out->size = 0;
    bytes_add_string(out, "");
    for (size_t i = 0; i < size; i++) {
        if (line[i] == '\033' && i + 1 < size && line[i + 1] == '[') {
            for (i += 2; i < size && !isalpha((unsigned char)line[i]); i++) {}
        } else if (line[i]) {
            bytes_add_char(out, line[i]);
        }
    }
}

/* "file:12:5: error: ..." into its parts. */
static bool parse(const char *line, Bytes *file, long *number)
{
    static const char *const kinds[] = {": error: ", ": warning: ", ": note: ", ": fatal error: "};
    const char *end = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *found = strstr(line, kinds[i]);
        if (found && (!end || found < end)) end = found;
    }
    if (!end) return false;
    const char *colon = end;
    while (colon > line && isdigit((unsigned char)colon[-1])) colon--;
    if (colon == end || colon == line || colon[-1] != ':') return false;
    const char *second = colon - 1;
    while (second > line && isdigit((unsigned char)second[-1])) second--;
    if (second == colon - 1 || second == line || second[-1] != ':') return false;
    *number = strtol(second, NULL, 10);
    file->size = 0;
    bytes_add(file, line, (size_t)(second - 1 - line));
    return true;
}

/* Line number of a file, without its newline. */
static bool read_line(const char *path, long number, Bytes *line)
{
    FILE *file = fopen(path, "rb");
    char *buffer = NULL;
    size_t room = 0;
    ssize_t got = -1;
    if (!file) return false;
    for (long i = 0; i < number && (got = getline(&buffer, &room, file)) >= 0; i++) {}
    fclose(file);
    if (got > 0) {
        while (got > 0 && (buffer[got - 1] == '\n' || buffer[got - 1] == '\r')) got--;
        line->size = 0;
        bytes_add_string(line, "");
        for (ssize_t i = 0; i < got; i++) bytes_add_char(line, buffer[i] == '\t' ? ' ' : buffer[i]);
    }
    free(buffer);
    return got > 0;
}

/* A kernel's body is a closure to the compiler, and a call has a name and an argument more than its
 * author gave it. */
static void add_as_written(const char *line, size_t size, Bytes *out)
{
    static const struct {
        const char *seen, *written;
    } ours[] = {{"::<lambda()> mutable", ""},
                {"::<lambda()>", ""},
                {"threelane_cuda", "cuda"},
                {", ThreelaneSite)", ")"},
                {"(ThreelaneSite)", "()"}};
    for (size_t i = 0; i < size;) {
        size_t k = 0, length = 0;
        for (; k < sizeof ours / sizeof *ours; k++) {
            length = strlen(ours[k].seen);
            if (size - i >= length && !memcmp(line + i, ours[k].seen, length)) break;
        }
        if (k < sizeof ours / sizeof *ours) {
            bytes_add_string(out, ours[k].written);
            i += length;
        } else {
            bytes_add_char(out, line[i++]);
        }
    }
}

/* "In file included from", of our own headers: where they include each other helps nobody. */
static bool is_our_inclusion(const char *line, bool *within)
{
    if (!strncmp(line, "In file included from ", 22))
        *within = strstr(line, "/cuda_runtime_api.h:") || strstr(line, "/cuda_runtime.h:");
    else if (strncmp(line, "                 from ", 22) != 0) *within = false;
    return *within;
}

/* clang's notes on the macros that an error's place comes from, of our own headers, with the lines
 * that they quote. */
static bool is_our_expansion(const char *line, bool message, bool *within)
{
    if (message)
        *within = strstr(line, ": note: expanded from ") &&
                  (strstr(line, "include/threelane/") || strstr(line, "/cuda_runtime_api.h:") ||
                   !strncmp(line, "<scratch space>:", 16));
    return *within;
}

/* A program may have a macro of a call's name, around the call; that ours gives way to it is
 * nobody's business. */
static bool is_our_redefinition(const char *line, bool *within)
{
    const char *gnu = strstr(line, "warning: \"cuda"), *clang = strstr(line, "warning: 'cuda");
    if ((gnu && strstr(gnu, "\" redefined")) || (clang && strstr(clang, "' macro redefined")))
        *within = true;
    else if (line[0] != ' ' && line[0] != '#' && strncmp(line, "In file included from ", 22) != 0 &&
             !strstr(line, "note: this is the location of the previous definition") &&
             !strstr(line, "note: previous definition is here"))
        *within = false;
    return *within;
}

/* ---- what to do about errors that have a name in CUDA ---- */

typedef struct Hint {
    const char *where; /* in the error's line, as a word */
    const char *also;  /* in that line or the line that it quotes; NULL: nothing more */
    const char *text;
    const char *quoted; /* in the line that it quotes, as well; NULL: nothing more */
} Hint;

static const char stream_third[] = "the third launch argument is the bytes of shared memory; the "
                                   "stream is the fourth: kernel<<<grid, block, 0, stream>>>";

static const char toolkit_is_missing[] =
    "Thrust, CUB and most of libcu++ are headers of NVIDIA's CUDA toolkit: install one (no GPU is "
    "needed; 13.0 is known to work), or name the folder that has thrust/, cub/ and cuda/ with -I";

/* NAME, and that of its headers. */
#define CLOSED(NAME)                                                                             \
    NAME " is a library of NVIDIA's without source, for their GPUs alone: the virtual GPU runs " \
         "what is written as kernels, so write one in its place, or run this on a card "         \
         "(docs/gpu.md)"

static const Hint hints[] = {
    {"cudaStream_t", "size_t", stream_third, "<<<"},
    {"cudaStream_t", "size_t", stream_third, ">>>"},
    {"cuda_fp4.h", NULL, "numbers of 4 and 6 bits are not simulated: cuda_fp8.h has those of 8",
     NULL},
    {"cuda_fp6.h", NULL, "numbers of 4 and 6 bits are not simulated: cuda_fp8.h has those of 8",
     NULL},
    {"mma.sync", NULL, "of the tensor cores there is nvcuda::wmma (mma.h)", NULL},
    {"curand.h", NULL, CLOSED("cuRAND's host side") "; kernels have curand_kernel.h", NULL},
    {"curandStateMRG32k3a_t", NULL,
     "of cuRAND's generators there are curandState (xorwow) and curandStatePhilox4_32_10_t", NULL},
    {"curandStateSobol32_t", NULL,
     "of cuRAND's generators there are curandState (xorwow) and curandStatePhilox4_32_10_t", NULL},
    {"curandStateMtgp32", NULL,
     "of cuRAND's generators there are curandState (xorwow) and curandStatePhilox4_32_10_t", NULL},
    {"curand_poisson", NULL,
     "of cuRAND's distributions there are the uniform, normal and log-normal ones", NULL},
    {"cublas_v2.h", NULL, CLOSED("cuBLAS"), NULL},
    {"cublas.h", NULL, CLOSED("cuBLAS"), NULL},
    {"cufft.h", NULL, CLOSED("cuFFT"), NULL},
    {"cusparse.h", NULL, CLOSED("cuSPARSE"), NULL},
    {"cusolverDn.h", NULL, CLOSED("cuSOLVER"), NULL},
    {"cublasLt.h", NULL, CLOSED("cuBLAS"), NULL},
    {"cublas_api.h", NULL, CLOSED("cuBLAS"), NULL},
    {"cufftXt.h", NULL, CLOSED("cuFFT"), NULL},
    {"cusolver_common.h", NULL, CLOSED("cuSOLVER"), NULL},
    {"cusolverSp.h", NULL, CLOSED("cuSOLVER"), NULL},
    {"cudnn.h", NULL, CLOSED("cuDNN"), NULL},
    {"npp.h", NULL, CLOSED("NPP"), NULL},
    {"nvrtc.h", NULL, "compiling at run time (NVRTC) is not simulated", NULL},
    {"nccl.h", NULL, CLOSED("NCCL"), NULL},
    {"thrust/", NULL, toolkit_is_missing, NULL},
    {"cub/", NULL, toolkit_is_missing, NULL},
    {"cuda_occupancy.h", NULL, toolkit_is_missing, NULL},
    {"cuda/", "No such file", toolkit_is_missing, NULL},
    {"cuda/", "file not found", toolkit_is_missing, NULL},
    {"helper_cuda.h", NULL,
     "this header comes with NVIDIA's samples: copy it beside the program, or name its folder "
     "with -I",
     NULL},
    {"cudaThreadSynchronize", NULL,
     "cudaThreadSynchronize is not in CUDA 13: use cudaDeviceSynchronize", NULL},
    {"cudaThreadExit", NULL, "cudaThreadExit is not in CUDA 13: use cudaDeviceReset", NULL},
    {"cudaTextureObject_t", NULL, "textures and surfaces are not simulated", NULL},
    {"cudaSurfaceObject_t", NULL, "textures and surfaces are not simulated", NULL},
    {"cudaChannelFormatDesc", NULL, "textures and surfaces are not simulated", NULL},
    {"cudaCreateChannelDesc", NULL, "textures and surfaces are not simulated", NULL},
    {"cudaKernelNodeParams", NULL, "graphs are not simulated", NULL},
    {"cudaMemsetParams", NULL, "graphs are not simulated", NULL},
    {"cudaHostNodeParams", NULL, "graphs are not simulated", NULL},
    {"cudaGraphNodeParams", NULL, "graphs are not simulated", NULL},
    {"cudaGraphNodeType", NULL, "graphs are not simulated", NULL},
    {"cudaIpcMemHandle_t", NULL, "memory and events of other processes (IPC) are not simulated",
     NULL},
    {"cudaIpcEventHandle_t", NULL, "memory and events of other processes (IPC) are not simulated",
     NULL},
    {"cudaExternalMemory_t", NULL, "memory of other libraries (external memory) is not simulated",
     NULL},
    {"cudaExternalSemaphore_t", NULL, "semaphores of other libraries are not simulated", NULL},
    {"cudaMemPoolProps", NULL,
     "pools of a program's own are not simulated: cudaMallocAsync takes from the device's", NULL},
    {"this_cluster", NULL, "clusters of blocks are not simulated", NULL},
    {"cluster_group", NULL, "clusters of blocks are not simulated", NULL},
    {"memcpy_async.h", NULL,
     "asynchronous copies into shared memory are not simulated: copy in a loop, then sync()", NULL},
    {"texture", "texture<", "texture references are not in CUDA 13, and textures are not simulated",
     NULL},
    {"__shfl", NULL, "__shfl is not in CUDA 13: use __shfl_sync(0xffffffff, ...)", NULL},
    {"__shfl_down", NULL, "__shfl_down is not in CUDA 13: use __shfl_down_sync(0xffffffff, ...)",
     NULL},
    {"__shfl_up", NULL, "__shfl_up is not in CUDA 13: use __shfl_up_sync(0xffffffff, ...)", NULL},
    {"__shfl_xor", NULL, "__shfl_xor is not in CUDA 13: use __shfl_xor_sync(0xffffffff, ...)",
     NULL},
    {"__ballot", NULL, "__ballot is not in CUDA 13: use __ballot_sync(0xffffffff, ...)", NULL},
    {"__any", NULL, "__any is not in CUDA 13: use __any_sync(0xffffffff, ...)", NULL},
    {"__all", NULL, "__all is not in CUDA 13: use __all_sync(0xffffffff, ...)", NULL},
    {"neither a throw-expression", "<<<",
     "a __global__ function returns nothing: write __global__ void", NULL},
    {"left operand to ? is void", "<<<",
     "a __global__ function returns nothing: write __global__ void", NULL},
    {"static_cast", "expected", "a ; is missing before the launch", NULL},
    {"expected primary-expression before", "<<<",
     "a launch is written kernel<<<grid, block>>>(arguments);", NULL},
    {"expected expression", "<<<", "a launch is written kernel<<<grid, block>>>(arguments);", NULL},
    {"ThreelaneSite", "convert", "the call has more arguments than the function takes", NULL},
    {"push", "<<<",
     "between <<< and >>> stand grid, block and, if need be, bytes of shared memory and stream",
     NULL},
    {"too few arguments to function call, expected at least 2", "<<<",
     "between <<< and >>> stand grid, block and, if need be, bytes of shared memory and stream",
     NULL},
};
enum { HINTS = sizeof hints / sizeof *hints };

/* Names only: "mma.h" is not in "gamma.h", "__shfl" not in "__shfl_sync". */
static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)) != NULL; at++) {
        bool starts = at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool ends = !isalnum((unsigned char)word[length - 1]) ||
                    !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (starts && ends) return true;
    }
    return false;
}

static void find_hints(const char *error, const char *quoted, bool *wanted)
{
    for (int i = 0; i < HINTS; i++) {
        const char *also = hints[i].also;
        if (has_word(error, hints[i].where) &&
            (!also || strstr(error, also) || strstr(quoted, also)) &&
            (!hints[i].quoted || strstr(quoted, hints[i].quoted)))
            wanted[i] = true;
    }
}

static void add_hints(bool *wanted, bool rewritten, Bytes *out)
{
    bool plain_launch = false; /* <<<...>>> in a file that is C++ to tlcc, as it is to nvcc */
    for (int i = 0; i < HINTS && !rewritten; i++) {
        if (!wanted[i] || !hints[i].also || strcmp(hints[i].also, "<<<") != 0) continue;
        plain_launch = true;
        wanted[i] = false;
    }
    if (plain_launch)
        bytes_format(
            out, "tlcc: launches are compiled in files that end in .cu: rename this one, or put "
                 "-x cu before it\n");
    for (int i = 0; i < HINTS; i++) {
        bool said = !wanted[i];
        for (int k = 0; k < i && !said; k++)
            said = wanted[k] && !strcmp(hints[k].text, hints[i].text);
        if (!said) bytes_format(out, "tlcc: %s\n", hints[i].text);
    }
}

static bool ends_with(const char *line, const char *end)
{
    size_t size = strlen(line), length = strlen(end);
    return size >= length && !strcmp(line + size - length, end);
}

/* ---- messages that are said once ---- */

/* What follows a message belongs to it: the lines that it quotes, and notes, each with the files
 * that include it. */
typedef struct Once {
    Bytes said; /* the warnings so far, a line each */
    Bytes held; /* "In file included from": of a note that is left out, or of a new message */
    enum { ONCE_KEEP, ONCE_NO_NOTES, ONCE_NOTHING } rest;
    bool note;        /* at such a note */
    bool quotes_next; /* the next line is what it quotes, whatever that looks like */
} Once;

/* Is the line to be left out? Warnings about one place are repeated by the compiler (it looks at a
 * member's attributes more than once), and where our headers declare what they warn of is nobody's
 * business. */
static bool once_drops(Once *once, const char *line, const char *start, size_t size, bool message,
                       bool quotes_input, Bytes *out)
{
    if (once->quotes_next) {
        once->quotes_next = false;
        return true;
    }
    if (once->rest != ONCE_KEEP && (!strncmp(line, "In file included from", 21) ||
                                    (once->held.size && !strncmp(line, "      ", 6)))) {
        bytes_add(&once->held, start, size);
        return true;
    }
    if (message && strstr(line, ": note: ")) {
        once->note = once->rest != ONCE_KEEP;
        once->quotes_next = once->note && quotes_input;
        once->held.size = 0;
        return once->note;
    }
    if (line[0] == ' ' && !once->held.size) return once->note || once->rest == ONCE_NOTHING;
    bytes_add(out, once->held.data, once->held.size);
    once->held.size = 0;
    once->note = false;
    /* what tlcc has a hint for, and our own functions that a launch becomes */
    bool ours = strstr(line, "not in CUDA 13: use ") ||
                (has_word(line, "cudaStream_t") && has_word(line, "size_t"));
    once->rest = ours ? ONCE_NO_NOTES : ONCE_KEEP;
    if (message && strstr(line, ": warning: ")) {
        size_t length = strlen(line);
        bytes_add_string(&once->said, "");
        for (const char *at = once->said.data; (at = strstr(at, line)) != NULL; at++)
            if ((at == once->said.data || at[-1] == '\n') && at[length] == '\n')
                once->rest = ONCE_NOTHING;
        if (once->rest != ONCE_NOTHING) bytes_format(&once->said, "%s\n", line);
    }
    return once->rest == ONCE_NOTHING;
}

void diagnostics_clean(const Bytes *messages, bool rewritten, bool quotes_input, Bytes *out)
{
    Once once = {.rest = ONCE_KEEP};
    Bytes line = {0}, file = {0}, original = {0};
    bool quote_next = false, in_ours = false, in_macro = false, in_redefinition = false,
         wanted[HINTS] = {false};
    int drop = 0;
    long number = 0;
    for (size_t at = 0; at < messages->size;) {
        const char *start = messages->data + at;
        const char *newline = memchr(start, '\n', messages->size - at);
        size_t size = newline ? (size_t)(newline - start) + 1 : messages->size - at;
        at += size;
        plain_line(start, newline ? size - 1 : size, &line);
        if (drop > 0 && (line.data[0] == ' ' || !line.data[0])) {
            drop--; /* the quoted line and caret of a dropped message */
            continue;
        }
        drop = 0;
        if (ends_with(line.data, ": In lambda function:") ||
            is_our_inclusion(line.data, &in_ours) ||
            is_our_redefinition(line.data, &in_redefinition))
            continue;
        if (strstr(line.data, "embedding a directive within macro arguments")) {
            drop = 2;
            continue;
        }
        bool message = !quote_next && parse(line.data, &file, &number);
        if (quotes_input && is_our_expansion(line.data, message, &in_macro)) continue;
        if (!quote_next && once_drops(&once, line.data, start, size, message, quotes_input, out))
            continue;
        if (quote_next && read_line(file.data, number, &original)) {
            bytes_add(out, original.data, original.size);
            bytes_add_char(out, '\n');
            quote_next = false;
            continue;
        }
        quote_next = quotes_input && message;
        if (message && strstr(line.data, "error: ")) {
            bool quoted = read_line(file.data, number, &original);
            find_hints(strstr(line.data, "error: ") + 7, quoted ? original.data : "", wanted);
        }
        add_as_written(start, size, out);
    }
    bytes_add(out, once.held.data, once.held.size);
    add_hints(wanted, rewritten, out);
    bytes_release(&once.said);
    bytes_release(&once.held);
    bytes_release(&line);
    bytes_release(&file);
    bytes_release(&original);
}
