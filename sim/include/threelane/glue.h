/* threelane/glue.h - the seam between a harness and a student's functions, where grading must not trust the student.
 *
 * The grader writes a small source file for each exercise (grader/build/seam.c) and compiles it twice with this header:
 *   the box      harness + glue + student's file: every call that crosses the seam is noted in the program log
 *   the player   harness + glue: each of the student's functions is a stub that plays the log (THREELANE_PLAYER)
 * In both, the harness's object calls the student's functions as threelane_in_NAME, and its own functions are
 * threelane_own_NAME. The C part is for the runtime (sim/replay/log.c, player.c). */
#ifndef THREELANE_GLUE_H
#define THREELANE_GLUE_H
#include <stddef.h>

enum { GLUE_NUMBER, GLUE_POINTER, GLUE_OBJECT_POINTER, GLUE_OBJECT, GLUE_NOTHING };
typedef struct GlueType {
    int kind;
    size_t bytes;                     /* of the value */
    size_t target;                    /* of what it points to: GLUE_OBJECT_POINTER */
} GlueType;
typedef struct GlueValue { GlueType type; const void *at; } GlueValue;

typedef struct GlueFunction {         /* of the harness: a function that the student calls, or a kernel */
    const char *name;                 /* the function's symbol; the kernel's name */
    void (*call)(void **arguments);   /* kernels: to be called between threelane_push and the end of a launch */
    const GlueType *types;
    size_t n;
    void (*apart)(void *closure);     /* a kernel of the student's own: calls its function (sim/replay/child_kernel.h); else NULL */
} GlueFunction;
typedef struct GlueKernel { const char *name; const void *function; } GlueKernel;    /* one of the harness's */
typedef struct Glue {
    const GlueFunction *functions, *kernels;
    size_t n_functions, n_kernels;
    const char *data, *data_end, *bss, *bss_end;      /* the harness's variables */
} Glue;

#ifdef __cplusplus
extern "C" {
#endif
extern const char threelane_seam;     /* in every program with a seam (sim/host/host.h) */
/* box */
extern const GlueKernel threelane_kernels[];          /* up to one without a name */
int threelane_log_main(int (*harness_main)(int, char **), int argc, char **argv);
int threelane_log_in(const char *name, const GlueValue *arguments, size_t n);     /* what _out is given */
void threelane_log_out(int mark, const GlueValue *result);
int threelane_log_own(const char *name, const GlueValue *arguments, size_t n);    /* what _back is given */
void threelane_log_back(int mark);
/* player */
int threelane_play_main(const Glue *, int (*harness_main)(int, char **), int argc, char **argv);
void threelane_play(const char *name, const GlueValue *arguments, size_t n, GlueType type, void *result);
/* Harnesses call it (harness_shows in harness.h) for memory of theirs that a student's function is given. */
void threelane_shown(const void *memory, size_t bytes);
/* And harness_needs: what a function of theirs is about to touch, through a pointer that a student's code gave it. */
void threelane_needs(const void *memory, size_t bytes);
#ifdef __cplusplus
}

#include <tuple>
#include <type_traits>
#include <utility>
struct CUstream_st;
struct CUevent_st;
struct CUmemPoolHandle_st;
namespace tl_glue {
template <class T> struct same { using type = T; };

/* Streams, events and pools are numbers in disguise, the same ones in the player: what CUDA call they are given to checks
 * them, as it does everybody's. */
template <class P> constexpr bool is_handle =
    std::is_same<P, CUstream_st>::value || std::is_same<P, CUevent_st>::value || std::is_same<P, CUmemPoolHandle_st>::value;

template <class T> constexpr GlueType type_of()
{
    using V = std::remove_cv_t<T>;
    static_assert(!std::is_reference<V>::value, "between the harness and the student's code, pass a pointer instead of "
                                                "a reference");
    if constexpr (std::is_void<V>::value) {
        return {GLUE_NOTHING, 0, 0};
    } else if constexpr (std::is_pointer<V>::value) {
        using P = std::remove_pointer_t<V>;
        if constexpr (is_handle<P>) return {GLUE_NUMBER, sizeof(V), 0};
        else if constexpr (std::is_class<P>::value) return {GLUE_OBJECT_POINTER, sizeof(V), sizeof(P)};
        else return {GLUE_POINTER, sizeof(V), 0};
    } else if constexpr (std::is_arithmetic<V>::value || std::is_enum<V>::value) {
        return {GLUE_NUMBER, sizeof(V), 0};
    } else {
        static_assert(std::is_trivially_copyable<V>::value, "between the harness and the student's code, pass numbers, "
                                                            "pointers or plain structs");
        return {GLUE_OBJECT, sizeof(V), 0};
    }
}

template <class... A> struct Types { static constexpr GlueType list[sizeof...(A) + 1] = {type_of<A>()..., {}}; };
template <class... A> constexpr GlueType Types<A...>::list[sizeof...(A) + 1];

template <class A> GlueValue value(const A &a) { return {type_of<A>(), &a}; }

/* ---- the box ---- */
template <class F, class... A> auto in(const char *name, F call, const A &...a) -> decltype(call())
{
    const GlueValue values[] = {value(a)..., GlueValue{}};
    int mark = threelane_log_in(name, values, sizeof...(A));
    if constexpr (std::is_void<decltype(call())>::value) {
        call();
        GlueValue nothing = {type_of<void>(), nullptr};
        threelane_log_out(mark, &nothing);
    } else {
        auto result = call();
        GlueValue told = value(result);
        threelane_log_out(mark, &told);
        return result;
    }
}
template <class F, class... A> auto own(const char *name, F call, const A &...a) -> decltype(call())
{
    const GlueValue values[] = {value(a)..., GlueValue{}};
    struct Back {
        int mark;
        ~Back() { threelane_log_back(mark); }
    } back = {threelane_log_own(name, values, sizeof...(A))};
    return call();
}

/* ---- the player ---- */
template <class R, class... A> R play(const char *name, const A &...a)
{
    const GlueValue values[] = {value(a)..., GlueValue{}};
    if constexpr (std::is_void<R>::value) {
        threelane_play(name, values, sizeof...(A), type_of<void>(), nullptr);
    } else {
        std::remove_cv_t<R> result{};
        threelane_play(name, values, sizeof...(A), type_of<R>(), &result);
        return result;
    }
}
/* A kernel of the student's: its launch has this in place of a body. It is called where the body may run. */
template <class... A> struct Apart {
    using Values = std::tuple<std::remove_cv_t<A>...>;
    template <size_t... I> static void keep(Values &to, void **arguments, std::index_sequence<I...>)
    {
        (void)arguments;
        ((std::get<I>(to) = *static_cast<std::remove_cv_t<A> *>(arguments[I])), ...);
    }
    static void destroy(void *closure) { threelane_closure_free(closure); }
    static void queue(const char *name, void (*apart)(void *), void **arguments)
    {
        Values *values = ::new (::tl::At{threelane_closure_new(sizeof(Values))}) Values();
        keep(*values, arguments, std::index_sequence_for<A...>());
        threelane_queue(name, apart, values, destroy);
    }
    template <class F> static void call(F f, void *closure) { std::apply(f, *static_cast<Values *>(closure)); }
};
template <class... A> struct Call {
    template <class F, size_t... I> static void make(F f, void **arguments, std::index_sequence<I...>)
    {
        (void)arguments;
        f(*static_cast<std::remove_cv_t<A> *>(arguments[I])...);
    }
    template <class F> static void with(F f, void **arguments) { make(f, arguments, std::index_sequence_for<A...>()); }
};
}
#endif
#endif
