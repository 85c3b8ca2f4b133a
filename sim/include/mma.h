/* mma.h - nvcuda::wmma: a warp multiplies small matrices together. Which element of a matrix a lane holds is nobody's
 * business, in CUDA either. Sums are made in double and rounded once (integers: exact); a tensor core's last bits are
 * its own. */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "threelane/device.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

namespace tl_wmma {
template <class T> struct Stored { typedef T type; };
template <> struct Stored<precision::tf32> { typedef float type; };

THREELANE_INLINE double number(float x) { return (double)x; }
THREELANE_INLINE double number(double x) { return x; }
THREELANE_INLINE double number(__half x) { return (double)__half2float(x); }
THREELANE_INLINE double number(__nv_bfloat16 x) { return (double)__bfloat162float(x); }
THREELANE_INLINE long long number(int x) { return x; }
THREELANE_INLINE long long number(signed char x) { return x; }
THREELANE_INLINE long long number(unsigned char x) { return x; }
THREELANE_INLINE void round_to(float &to, double x, bool) { to = (float)x; }
THREELANE_INLINE void round_to(double &to, double x, bool) { to = x; }
THREELANE_INLINE void round_to(__half &to, double x, bool finite)
{
    to = __float2half(::tl::small::to_odd(x));
    if (finite && __hisinf(to)) to = __half_raw{(unsigned short)(x > 0 ? 0x7bff : 0xfbff)};
}
THREELANE_INLINE void round_to(int &to, long long x, bool clamps)
{
    to = clamps ? (int)::tl::clamped(x, -2147483648ll, 2147483647ll) : (int)x;
}

/* What each use of a fragment is a matrix of. */
template <class Use, int M_, int N_, int K_> struct Shape;
template <int M_, int N_, int K_> struct Shape<matrix_a, M_, N_, K_> { enum { rows = M_, columns = K_ }; };
template <int M_, int N_, int K_> struct Shape<matrix_b, M_, N_, K_> { enum { rows = K_, columns = N_ }; };
template <int M_, int N_, int K_> struct Shape<accumulator, M_, N_, K_> { enum { rows = M_, columns = N_ }; };

THREELANE_INLINE unsigned lane() { return threelane_special(THREELANE_LANE_ID); }

/* the shapes and types that there are: bytes of an element and k; anything else does not compile */
template <int M_, int N_, int K_, class T> struct Allowed {
    enum {
        shape16 = (M_ == 16 && N_ == 16) || (M_ == 32 && N_ == 8) || (M_ == 8 && N_ == 32),
        is_tf32 = __is_same(T, precision::tf32),
        value = is_tf32                 ? M_ == 16 && N_ == 16 && K_ == 8
                : __is_same(T, double)  ? M_ == 8 && N_ == 8 && K_ == 4
                : __is_same(T, float)   ? (shape16 && K_ == 16) || (M_ == 16 && N_ == 16 && K_ == 8)
                                        : shape16 && K_ == 16
    };
};
}

/* Each lane has as many elements, in the order of rows. */
template <class Use, int M_, int N_, int K_, class T, class Layout = void> class fragment {
public:
    static_assert(tl_wmma::Allowed<M_, N_, K_, T>::value, "there is no wmma fragment of this shape and type");
    typedef tl_wmma::Shape<Use, M_, N_, K_> tl_shape;
    enum { num_elements = tl_shape::rows * tl_shape::columns / 32, num_storage_elements = num_elements };
    typedef T element_type;
    typedef typename tl_wmma::Stored<T>::type storage_element_type;
    storage_element_type x[num_elements];

    THREELANE_INLINE static size_t place(int e, size_t ldm, bool by_rows)
    {
        const unsigned i = tl_wmma::lane() * num_elements + (unsigned)e;
        const size_t row = i / tl_shape::columns, column = i % tl_shape::columns;
        return by_rows ? row * ldm + column : column * ldm + row;
    }
};

template <class Use, int M_, int N_, int K_, class T, class Layout, class V>
THREELANE_INLINE void fill_fragment(fragment<Use, M_, N_, K_, T, Layout> &f, const V &value)
{
    for (int e = 0; e < f.num_elements; e++) f.x[e] = (typename tl_wmma::Stored<T>::type)value;
}

template <class Use, int M_, int N_, int K_, class T, class Layout>
THREELANE_INLINE void load_matrix_sync(fragment<Use, M_, N_, K_, T, Layout> &f, const typename tl_wmma::Stored<T>::type *p,
                                       unsigned ldm)
{
    for (int e = 0; e < f.num_elements; e++) f.x[e] = p[f.place(e, ldm, __is_same(Layout, row_major))];
}
template <int M_, int N_, int K_, class T>
THREELANE_INLINE void load_matrix_sync(fragment<accumulator, M_, N_, K_, T> &f, const T *p, unsigned ldm, layout_t layout)
{
    for (int e = 0; e < f.num_elements; e++) f.x[e] = p[f.place(e, ldm, layout == mem_row_major)];
}
template <int M_, int N_, int K_, class T>
THREELANE_INLINE void store_matrix_sync(T *p, const fragment<accumulator, M_, N_, K_, T> &f, unsigned ldm, layout_t layout)
{
    for (int e = 0; e < f.num_elements; e++) p[f.place(e, ldm, layout == mem_row_major)] = f.x[e];
}

/* d = a * b + c. The lanes tell each other where their fragments are, and nobody goes on before all have looked. */
template <int M_, int N_, int K_, class T, class LayoutA, class LayoutB, class D, class C>
THREELANE_INLINE void mma_sync(fragment<accumulator, M_, N_, K_, D> &d, const fragment<matrix_a, M_, N_, K_, T, LayoutA> &a,
                               const fragment<matrix_b, M_, N_, K_, T, LayoutB> &b,
                               const fragment<accumulator, M_, N_, K_, C> &c, bool satf = false, THREELANE_AT)
{
    typedef fragment<matrix_a, M_, N_, K_, T, LayoutA> A;
    typedef fragment<matrix_b, M_, N_, K_, T, LayoutB> B;
    typedef decltype(tl_wmma::number(d.x[0])) Sum;
    const struct Both {
        const A *a;
        const B *b;
    } own = {&a, &b};
    const Both *of[32];
    D result[fragment<accumulator, M_, N_, K_, D>::num_elements];
    const unsigned full = 0xffffffffu, lane = tl_wmma::lane();

    for (int i = 0; i < 32; i++) of[i] = (const Both *)__shfl_sync(full, (unsigned long long)&own, i, 32, file, line);
    for (int e = 0; e < d.num_elements; e++) {
        const unsigned i = lane * (unsigned)d.num_elements + (unsigned)e, row = i / N_, column = i % N_;
        Sum sum = tl_wmma::number(c.x[e]);
        for (unsigned k = 0; k < K_; k++) {
            const unsigned at_a = row * K_ + k, at_b = k * N_ + column;
            sum += (Sum)tl_wmma::number(of[at_a / A::num_elements]->a->x[at_a % A::num_elements]) *
                   (Sum)tl_wmma::number(of[at_b / B::num_elements]->b->x[at_b % B::num_elements]);
        }
        tl_wmma::round_to(result[e], sum, satf);
    }
    __syncwarp(full, file, line);
    for (int e = 0; e < d.num_elements; e++) d.x[e] = result[e];
}

/* a float as a tensor core takes it: 10 bits of mantissa, halves away from zero */
THREELANE_INLINE float __float_to_tf32(float x)
{
    return x - x != 0 ? x : __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

}
}
#endif
