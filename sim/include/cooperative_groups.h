/* cooperative_groups.h - groups of threads over the barriers and warp primitives of threelane/device.h.
 *
 * Collectives combine in the order in which CUDA's own headers do, so that sums of floats have the same bits. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#include "threelane/device.h"
#include "cooperative_groups/cluster.h"

namespace cooperative_groups {

#define THREELANE_MEMBER inline __attribute__((always_inline))

namespace details {
THREELANE_MEMBER unsigned rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
THREELANE_MEMBER unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
THREELANE_MEMBER unsigned lane() { return rank_in_block() % 32; }
THREELANE_MEMBER unsigned first_ranks(unsigned count) { return count >= 32 ? ~0u : (1u << count) - 1; }

/* What a reference or a constant is of. */
template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<T &> { typedef typename Plain<T>::type type; };
template <class T> struct Plain<T &&> { typedef typename Plain<T>::type type; };
template <class T> struct Plain<const T> { typedef T type; };
template <class T> struct Plain<volatile T> { typedef T type; };
template <class T> struct Plain<const volatile T> { typedef T type; };
template <class T> using plain = typename Plain<T>::type;
template <class T> T make();

/* Values of any size, eight bytes at a time. */
template <class T> struct Pieces {
    static_assert(__is_trivially_copyable(T), "what threads of a group exchange must be trivially copyable");
    enum { COUNT = (sizeof(T) + 7) / 8 };
    uint64_t piece[COUNT];
    THREELANE_MEMBER Pieces() {}
    THREELANE_MEMBER explicit Pieces(const T &value)
    {
        piece[COUNT - 1] = 0;
        __builtin_memcpy(piece, &value, sizeof value);
    }
    THREELANE_MEMBER T value() const
    {
        alignas(T) unsigned char bytes[sizeof(T)];
        __builtin_memcpy(bytes, piece, sizeof bytes);
        return *reinterpret_cast<T *>(bytes);
    }
};
template <class T>
THREELANE_MEMBER T shuffle(ThreelaneWarpOp op, unsigned mask, const T &value, unsigned lane, unsigned width,
                           const char *file, int line)
{
    Pieces<T> pieces(value);
    for (int i = 0; i < Pieces<T>::COUNT; i++)
        pieces.piece[i] = threelane_warp(op, mask, pieces.piece[i], lane, width, 0, file, line);
    return pieces.value();
}
}

/* ---- the block ---- */

/* Scratch for tiles of more than a warp. Cards since 8.0 have some of their own, and so has the virtual one. */
template <unsigned MAX_BLOCK_SIZE = 1024> struct alignas(8) block_tile_memory {};

/* All threads of a block. */
class thread_block {
public:
    static THREELANE_MEMBER void sync(THREELANE_AT) { threelane_sync(file, line); }
    static THREELANE_MEMBER unsigned size() { return details::block_size(); }
    static THREELANE_MEMBER unsigned num_threads() { return details::block_size(); }
    static THREELANE_MEMBER unsigned thread_rank() { return details::rank_in_block(); }
    static THREELANE_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static THREELANE_MEMBER dim3 thread_index() { return dim3(threadIdx); }
    static THREELANE_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static THREELANE_MEMBER dim3 dim_threads() { return group_dim(); }
    struct arrival_token {};
    static THREELANE_MEMBER arrival_token barrier_arrive() { return arrival_token(); }
    static THREELANE_MEMBER void barrier_wait(arrival_token &&, THREELANE_AT) { threelane_sync(file, line); }
};
THREELANE_MEMBER thread_block this_thread_block() { return thread_block(); }
template <unsigned MAX_BLOCK_SIZE> THREELANE_MEMBER thread_block this_thread_block(block_tile_memory<MAX_BLOCK_SIZE> &)
{
    return thread_block();
}

/* ---- the grid ---- */

/* All threads of a grid. It can wait for all of itself only in a kernel that was launched cooperatively. */
class grid_group {
public:
    typedef unsigned arrival_token;
    THREELANE_MEMBER bool is_valid() const { return threelane_is_cooperative(); }
    THREELANE_MEMBER void sync(THREELANE_AT) const { threelane_sync_grid(file, line); }
    THREELANE_MEMBER arrival_token barrier_arrive(THREELANE_AT) const
    {
        if (!is_valid()) threelane_sync_grid(file, line);
        return 0;
    }
    THREELANE_MEMBER void barrier_wait(arrival_token &&, THREELANE_AT) const { threelane_sync_grid(file, line); }
    static THREELANE_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static THREELANE_MEMBER unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static THREELANE_MEMBER unsigned long long size() { return num_blocks() * details::block_size(); }
    static THREELANE_MEMBER unsigned long long num_threads() { return size(); }
    static THREELANE_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * details::block_size() + details::rank_in_block();
    }
    static THREELANE_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static THREELANE_MEMBER dim3 dim_blocks() { return group_dim(); }
    static THREELANE_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static THREELANE_MEMBER dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static THREELANE_MEMBER dim3 thread_index()
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
};
THREELANE_MEMBER grid_group this_grid() { return grid_group(); }

/* ---- lanes of a warp ---- */

/* Some of them. Ranks follow the lanes' order. */
class coalesced_group {
protected:
    unsigned mask_, rank_, size_, meta_rank_, meta_size_;
    bool tiled_;
    /* the lane of a rank */
    THREELANE_MEMBER unsigned lane_of(unsigned rank) const
    {
        unsigned rest = mask_;
        for (unsigned i = 0; i < rank; i++) rest &= rest - 1;
        return rest ? (unsigned)__builtin_ctz(rest) : 0;
    }
    /* a mask of lanes as a mask of ranks */
    THREELANE_MEMBER unsigned ranks_of(unsigned lanes) const
    {
        unsigned ranks = 0, rank = 0;
        for (unsigned rest = mask_; rest; rest &= rest - 1, rank++)
            if (lanes & rest & -rest) ranks |= 1u << rank;
        return ranks;
    }
    template <class T> THREELANE_MEMBER details::plain<T> from_rank(T &&value, unsigned rank, const char *file, int line) const
    {
        return details::shuffle<details::plain<T>>(THREELANE_SHFL_IDX, mask_, value, lane_of(rank), 32, file, line);
    }

public:
    THREELANE_MEMBER explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1,
                                              bool tiled = false)
        : mask_(mask), rank_((unsigned)__builtin_popcount(mask & ((1u << details::lane()) - 1))),
          size_((unsigned)__builtin_popcount(mask)), meta_rank_(meta_rank), meta_size_(meta_size), tiled_(tiled)
    {
    }
    THREELANE_MEMBER void sync(THREELANE_AT) const { __syncwarp(mask_, file, line); }
    THREELANE_MEMBER unsigned size() const { return size_; }
    THREELANE_MEMBER unsigned num_threads() const { return size_; }
    THREELANE_MEMBER unsigned thread_rank() const { return rank_; }
    THREELANE_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    THREELANE_MEMBER unsigned meta_group_size() const { return meta_size_; }
    template <class T> THREELANE_MEMBER details::plain<T> shfl(T &&value, unsigned rank, THREELANE_AT) const
    {
        return from_rank(value, rank % size_, file, line);
    }
    template <class T> THREELANE_MEMBER details::plain<T> shfl_up(T &&value, unsigned by, THREELANE_AT) const
    {
        return from_rank(value, by > rank_ ? rank_ : rank_ - by, file, line);
    }
    template <class T> THREELANE_MEMBER details::plain<T> shfl_down(T &&value, unsigned by, THREELANE_AT) const
    {
        return from_rank(value, rank_ + by < size_ ? rank_ + by : rank_, file, line);
    }
    THREELANE_MEMBER unsigned ballot(int predicate, THREELANE_AT) const
    {
        return ranks_of(__ballot_sync(mask_, predicate, file, line));
    }
    THREELANE_MEMBER int any(int predicate, THREELANE_AT) const { return __any_sync(mask_, predicate, file, line); }
    THREELANE_MEMBER int all(int predicate, THREELANE_AT) const { return __all_sync(mask_, predicate, file, line); }
    template <class T> THREELANE_MEMBER unsigned match_any(T value, THREELANE_AT) const
    {
        return ranks_of(__match_any_sync(mask_, value, file, line));
    }
    template <class T> THREELANE_MEMBER unsigned match_all(T value, int &same, THREELANE_AT) const
    {
        return ranks_of(__match_all_sync(mask_, value, &same, file, line));
    }

    /* for the functions below */
    THREELANE_MEMBER unsigned threelane_mask() const { return mask_; }
    THREELANE_MEMBER coalesced_group threelane_tile(unsigned tile) const
    {
        if (tile == 0 || tile > 32 || tile & (tile - 1)) __trap();
        if (size_ <= tile) return *this;
        unsigned first = rank_ / tile * tile, mask = 0;
        for (unsigned i = first; i < first + tile && i < size_; i++) mask |= 1u << lane_of(i);
        return coalesced_group(mask, rank_ / tile, (size_ + tile - 1) / tile, tiled_);
    }
    /* those that give the same label */
    template <class Label> THREELANE_MEMBER coalesced_group threelane_like(Label label, const char *file, int line) const
    {
        unsigned lanes = __match_any_sync(mask_, label, file, line), leader = (unsigned)__builtin_ctz(lanes);
        unsigned leaders = __ballot_sync(mask_, leader == details::lane(), file, line);
        return coalesced_group(lanes, (unsigned)__builtin_popcount(leaders & ((1u << leader) - 1)),
                               (unsigned)__builtin_popcount(leaders));
    }
    THREELANE_MEMBER coalesced_group threelane_half(bool answer, const char *file, int line) const
    {
        unsigned yes = __ballot_sync(mask_, answer, file, line), lanes = answer ? yes : mask_ & ~yes;
        if (lanes == mask_) return coalesced_group(mask_);
        return coalesced_group(lanes, answer, 2);
    }
};
THREELANE_MEMBER coalesced_group coalesced_threads(THREELANE_AT) { return coalesced_group(__activemask(file, line)); }

namespace details {
THREELANE_MEMBER unsigned tile_mask(unsigned size)
{
    unsigned first = rank_in_block() / size * size, left = block_size() - first;
    return first_ranks(left < size ? left : size) << first % 32;
}
}

template <unsigned SIZE, class Parent = void> class thread_block_tile;

namespace details {

/* SIZE consecutive threads of a block, SIZE a power of two up to 32. */
template <unsigned SIZE, bool WITHIN_A_WARP = (SIZE <= 32)> class Tile : public coalesced_group {
    THREELANE_MEMBER unsigned mask() const { return this->mask_; }

public:
    THREELANE_MEMBER Tile(unsigned meta_rank, unsigned meta_size)
        : coalesced_group(SIZE == 32 ? ~0u : first_ranks(SIZE) << (lane() & ~(SIZE - 1)), meta_rank, meta_size, true)
    {
        this->size_ = SIZE;
        this->rank_ = lane() % SIZE;
    }
    static constexpr THREELANE_MEMBER unsigned size() { return SIZE; }
    static constexpr THREELANE_MEMBER unsigned num_threads() { return SIZE; }
    static THREELANE_MEMBER unsigned thread_rank() { return rank_in_block() % SIZE; }
    template <class T> THREELANE_MEMBER plain<T> shfl(T &&value, int rank, THREELANE_AT) const
    {
        return shuffle<plain<T>>(THREELANE_SHFL_IDX, mask(), value, (unsigned)rank, SIZE, file, line);
    }
    template <class T> THREELANE_MEMBER plain<T> shfl_up(T &&value, unsigned by, THREELANE_AT) const
    {
        return shuffle<plain<T>>(THREELANE_SHFL_UP, mask(), value, by, SIZE, file, line);
    }
    template <class T> THREELANE_MEMBER plain<T> shfl_down(T &&value, unsigned by, THREELANE_AT) const
    {
        return shuffle<plain<T>>(THREELANE_SHFL_DOWN, mask(), value, by, SIZE, file, line);
    }
    template <class T> THREELANE_MEMBER plain<T> shfl_xor(T &&value, unsigned ranks, THREELANE_AT) const
    {
        return shuffle<plain<T>>(THREELANE_SHFL_XOR, mask(), value, ranks, SIZE, file, line);
    }
    template <class Op, class T> THREELANE_MEMBER T threelane_reduce(T value, Op &&op, const char *file, int line) const
    {
        for (unsigned by = SIZE / 2; by; by /= 2) value = op(value, shfl_xor(value, by, file, line));
        return value;
    }
};

/* The same of more than one warp: they exchange by way of memory, and wait for each other there. */
template <unsigned SIZE> class Tile<SIZE, false> {
    static constexpr unsigned WARPS = SIZE / 32;
    unsigned meta_rank_, meta_size_;
    static THREELANE_MEMBER unsigned first() { return rank_in_block() / SIZE * SIZE; }
    template <class T> static THREELANE_MEMBER void put(unsigned slot, const T &value)
    {
        static_assert(sizeof(T) <= 32, "threads of several warps exchange at most 32 bytes");
        Pieces<T> pieces(value);
        for (unsigned i = 0; i < Pieces<T>::COUNT; i++) threelane_tile_put(slot, i, pieces.piece[i]);
    }
    template <class T> static THREELANE_MEMBER T get(unsigned slot)
    {
        Pieces<T> pieces;
        for (unsigned i = 0; i < Pieces<T>::COUNT; i++) pieces.piece[i] = threelane_tile_get(slot, i);
        return pieces.value();
    }

public:
    THREELANE_MEMBER Tile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}
    static constexpr THREELANE_MEMBER unsigned size() { return SIZE; }
    static constexpr THREELANE_MEMBER unsigned num_threads() { return SIZE; }
    static THREELANE_MEMBER unsigned thread_rank() { return rank_in_block() % SIZE; }
    THREELANE_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    THREELANE_MEMBER unsigned meta_group_size() const { return meta_size_; }
    static THREELANE_MEMBER void sync(THREELANE_AT) { threelane_sync_tile(first(), SIZE, file, line); }
    template <class T> THREELANE_MEMBER plain<T> shfl(T &&value, unsigned rank, THREELANE_AT) const
    {
        put<plain<T>>(rank_in_block(), value);
        sync(file, line);
        plain<T> result = get<plain<T>>(first() + rank % SIZE);
        sync(file, line);
        return result;
    }
    THREELANE_MEMBER int any(int predicate, THREELANE_AT) const
    {
        return reduce_of(predicate != 0, [](bool a, bool b) { return a || b; }, file, line);
    }
    THREELANE_MEMBER int all(int predicate, THREELANE_AT) const
    {
        return reduce_of(predicate != 0, [](bool a, bool b) { return a && b; }, file, line);
    }
    template <class Op, class T> THREELANE_MEMBER T threelane_reduce(T value, Op &&op, const char *file, int line) const
    {
        return reduce_of(value, op, file, line);
    }
    /* before: what comes of the warps before this one */
    template <class Op, class T>
    THREELANE_MEMBER T threelane_scan(T value, Op &&op, bool exclusive, const char *file, int line) const;

private:
    template <class Op, class T> THREELANE_MEMBER T reduce_of(T value, Op &&op, const char *file, int line) const
    {
        T of[WARPS];
        Tile<32> warp(0, 1);
        value = warp.threelane_reduce(value, op, file, line);
        if (warp.thread_rank() == 0) put<T>(first() + thread_rank() / 32, value);
        sync(file, line);
        for (unsigned i = 0; i < WARPS; i++) of[i] = get<T>(first() + i);
        sync(file, line);
        for (unsigned by = WARPS / 2; by; by /= 2) {
            T next[WARPS];
            for (unsigned i = 0; i < WARPS; i++) next[i] = op(of[i], of[i ^ by]);
            for (unsigned i = 0; i < WARPS; i++) of[i] = next[i];
        }
        return of[thread_rank() / 32];
    }
};
}

template <unsigned SIZE, class Parent> class thread_block_tile : public details::Tile<SIZE> {
    static_assert(SIZE >= 1 && SIZE <= 1024 && (SIZE & (SIZE - 1)) == 0, "a tile has 1, 2, 4 ... 1024 threads");

public:
    /* thread_block_tile<32> names a tile of any parent */
    template <class Other>
    THREELANE_MEMBER thread_block_tile(const thread_block_tile<SIZE, Other> &other) : details::Tile<SIZE>(other)
    {
    }
    template <class Of = Parent>
    THREELANE_MEMBER explicit thread_block_tile(const Of &parent)
        : thread_block_tile((unsigned)parent.thread_rank(), (unsigned)parent.size())
    {
    }
    THREELANE_MEMBER explicit thread_block_tile(unsigned parent_rank, unsigned parent_size)
        : details::Tile<SIZE>(parent_rank / SIZE, (parent_size + SIZE - 1) / SIZE)
    {
    }
};
template <unsigned SIZE, class Parent>
THREELANE_MEMBER thread_block_tile<SIZE, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<SIZE, Parent>((unsigned)parent.thread_rank(), (unsigned)parent.size());
}
THREELANE_MEMBER thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(0u, 1u); }

/* ---- groups whose kind is known only at run time ---- */

class thread_group {
    unsigned mask_, size_, rank_; /* mask_ 0: the whole block */
    bool grid_ = false;

public:
    THREELANE_MEMBER thread_group(const thread_block &)
        : mask_(0), size_(details::block_size()), rank_(details::rank_in_block())
    {
    }
    THREELANE_MEMBER thread_group(const coalesced_group &group)
        : mask_(group.threelane_mask()), size_(group.size()), rank_(group.thread_rank())
    {
    }
    THREELANE_MEMBER thread_group(const grid_group &) : mask_(0), size_(0), rank_(0), grid_(true) {}
    THREELANE_MEMBER void sync(THREELANE_AT) const
    {
        if (grid_) threelane_sync_grid(file, line);
        else if (mask_) __syncwarp(mask_, file, line);
        else threelane_sync(file, line);
    }
    THREELANE_MEMBER unsigned long long size() const { return grid_ ? grid_group::size() : size_; }
    THREELANE_MEMBER unsigned long long num_threads() const { return size(); }
    THREELANE_MEMBER unsigned long long thread_rank() const { return grid_ ? grid_group::thread_rank() : rank_; }
    THREELANE_MEMBER unsigned threelane_mask() const { return mask_; }
};
THREELANE_MEMBER coalesced_group tiled_partition(const thread_block &, unsigned size)
{
    if (size == 0 || size > 32 || size & (size - 1)) __trap();
    return coalesced_group(details::tile_mask(size), details::rank_in_block() / size,
                           (details::block_size() + size - 1) / size, true);
}
THREELANE_MEMBER coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    return parent.threelane_tile(size);
}
THREELANE_MEMBER thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    return parent.threelane_mask() ? coalesced_group(parent.threelane_mask()).threelane_tile(size)
                                   : tiled_partition(thread_block(), size);
}

/* The threads of a group that come with the same label, or the same answer. */
template <class Label>
THREELANE_MEMBER coalesced_group labeled_partition(const coalesced_group &group, Label label, THREELANE_AT)
{
    return group.threelane_like(label, file, line);
}
THREELANE_MEMBER coalesced_group labeled_partition(const coalesced_group &group, bool label, THREELANE_AT)
{
    return group.threelane_half(label, file, line);
}
THREELANE_MEMBER coalesced_group binary_partition(const coalesced_group &group, bool answer, THREELANE_AT)
{
    return group.threelane_half(answer, file, line);
}

template <class Group> THREELANE_MEMBER void sync(const Group &group, THREELANE_AT) { group.sync(file, line); }
template <class Group> THREELANE_MEMBER auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class Group> THREELANE_MEMBER auto group_size(const Group &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}

/* One thread of the group calls it; all get what it returned. */
template <class Group, class F, class... Args> THREELANE_MEMBER void invoke_one(const Group &group, F &&f, Args &&...args)
{
    if (group.thread_rank() == 0) static_cast<F &&>(f)(static_cast<Args &&>(args)...);
}
template <class Group, class F, class... Args>
THREELANE_MEMBER auto invoke_one_broadcast(const Group &group, F &&f, Args &&...args)
    -> details::plain<decltype(static_cast<F &&>(f)(static_cast<Args &&>(args)...))>
{
    details::plain<decltype(static_cast<F &&>(f)(static_cast<Args &&>(args)...))> result{};
    if (group.thread_rank() == 0) result = static_cast<F &&>(f)(static_cast<Args &&>(args)...);
    return group.shfl(result, 0);
}

/* ---- cooperative_groups/reduce.h and scan.h ---- */

template <class T> struct plus { THREELANE_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { THREELANE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { THREELANE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { THREELANE_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { THREELANE_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { THREELANE_MEMBER T operator()(T a, T b) const { return a ^ b; } };

namespace details {

/* Each thread's value with those of the ranks before it. */
template <class Group, class T, class Op>
THREELANE_MEMBER T scan_up(const Group &group, T value, Op &&op, const char *file, int line)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T other = group.shfl_up(value, by, file, line);
        if (by <= group.thread_rank()) value = op(value, other);
    }
    return value;
}
/* Without its own: for sums of integers it is subtracted. */
template <class T, class Op> struct Subtracts { static constexpr bool value = false; };
template <class T> struct Subtracts<T, plus<T>> { static constexpr bool value = (T)0.5f == (T)0; };
template <class Group, class T, class Op>
THREELANE_MEMBER T without_own(const Group &group, T sum, T value, Op &&, const char *file, int line)
{
    if constexpr (Subtracts<T, plain<Op>>::value) return sum - value;
    else {
        T before = group.shfl_up(sum, 1, file, line);
        return group.thread_rank() ? before : T();
    }
}

template <unsigned SIZE>
template <class Op, class T>
THREELANE_MEMBER T Tile<SIZE, false>::threelane_scan(T value, Op &&op, bool exclusive, const char *file, int line) const
{
    T of[WARPS];
    Tile<32> warp(0, 1);
    T sum = scan_up(warp, value, op, file, line);
    if (warp.thread_rank() == 31) put<T>(first() + thread_rank() / 32, sum);
    if (exclusive) sum = warp.shfl_up(sum, 1, file, line);
    sync(file, line);
    for (unsigned i = 0; i < WARPS; i++) of[i] = get<T>(first() + i);
    sync(file, line);
    for (unsigned by = 1; by < WARPS; by *= 2)
        for (unsigned i = WARPS; i-- > by;) of[i] = op(of[i], of[i - by]);
    unsigned number = thread_rank() / 32;
    if (exclusive && warp.thread_rank() == 0) return number ? of[number - 1] : T();
    return number ? op(sum, of[number - 1]) : sum;
}

template <class Op, class T> THREELANE_MEMBER T reduce(const coalesced_group &group, T value, Op &&op, const char *file, int line)
{
    if (group.size() == 32) return Tile<32>(0, 1).threelane_reduce(value, op, file, line);
    value = scan_up(group, value, op, file, line);
    return group.shfl(value, group.size() - 1, file, line);
}
template <class Op, class T, unsigned SIZE, class Parent>
THREELANE_MEMBER T reduce(const thread_block_tile<SIZE, Parent> &group, T value, Op &&op, const char *file, int line)
{
    return group.threelane_reduce(value, op, file, line);
}
template <class Op, class T>
THREELANE_MEMBER T scan(const coalesced_group &group, T value, Op &&op, bool exclusive, const char *file, int line)
{
    T sum = scan_up(group, value, op, file, line);
    return exclusive ? without_own(group, sum, value, op, file, line) : sum;
}
template <class Op, class T, unsigned SIZE, class Parent>
THREELANE_MEMBER T scan(const thread_block_tile<SIZE, Parent> &group, T value, Op &&op, bool exclusive, const char *file,
                        int line)
{
    if constexpr (SIZE > 32) return group.threelane_scan(value, op, exclusive, file, line);
    else {
        T sum = scan_up(group, value, op, file, line);
        return exclusive ? without_own(group, sum, value, op, file, line) : sum;
    }
}

/* An atomic's old value; it becomes op(old, value). */
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, plus<T>) { return at.fetch_add(value); }
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, less<T>) { return at.fetch_min(value); }
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, greater<T>) { return at.fetch_max(value); }
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, bit_and<T>) { return at.fetch_and(value); }
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, bit_or<T>) { return at.fetch_or(value); }
template <class Atomic, class T> THREELANE_MEMBER T update(Atomic &at, T value, bit_xor<T>) { return at.fetch_xor(value); }
template <class Atomic, class T, class Op> THREELANE_MEMBER T update(Atomic &at, T value, Op op)
{
    T old = at.load();
    while (!at.compare_exchange_weak(old, op(old, value))) {}
    return old;
}
}

template <class Group, class T, class Op>
THREELANE_MEMBER details::plain<T> reduce(const Group &group, T &&value, Op &&op, THREELANE_AT)
{
    return details::reduce<Op &>(group, (details::plain<T>)value, op, file, line);
}
template <class Group, class T, class Op>
THREELANE_MEMBER details::plain<T> inclusive_scan(const Group &group, T &&value, Op &&op, THREELANE_AT)
{
    return details::scan<Op &>(group, (details::plain<T>)value, op, false, file, line);
}
template <class Group, class T>
THREELANE_MEMBER details::plain<T> inclusive_scan(const Group &group, T &&value, THREELANE_AT)
{
    return inclusive_scan(group, value, plus<details::plain<T>>(), file, line);
}
template <class Group, class T, class Op>
THREELANE_MEMBER details::plain<T> exclusive_scan(const Group &group, T &&value, Op &&op, THREELANE_AT)
{
    return details::scan<Op &>(group, (details::plain<T>)value, op, true, file, line);
}
template <class Group, class T>
THREELANE_MEMBER details::plain<T> exclusive_scan(const Group &group, T &&value, THREELANE_AT)
{
    return exclusive_scan(group, value, plus<details::plain<T>>(), file, line);
}

/* One thread brings the sum to memory; the others need not wait. to: a pointer, or an atomic of <cuda/atomic>. */
template <class Group, class To, class T, class Op>
THREELANE_MEMBER void reduce_store_async(const Group &group, To *to, T &&value, Op &&op, THREELANE_AT)
{
    To sum = reduce(group, value, op, file, line);
    if (group.thread_rank() == 0) *to = sum;
}
template <class Group, class Atomic, class T, class Op, class = typename details::plain<Atomic>::value_type>
THREELANE_MEMBER void reduce_store_async(const Group &group, Atomic &&to, T &&value, Op &&op, THREELANE_AT)
{
    details::plain<T> sum = reduce(group, value, op, file, line);
    if (group.thread_rank() == 0) to.store(sum);
}
template <class Group, class Atomic, class T, class Op>
THREELANE_MEMBER void reduce_update_async(const Group &group, Atomic &&to, T &&value, Op &&op, THREELANE_AT)
{
    details::plain<T> sum = reduce(group, value, op, file, line);
    if (group.thread_rank() == 0) details::update(to, sum, (details::plain<Op>)op);
}
/* A scan that goes on where the atomic's last one ended. */
#define THREELANE_SCAN_UPDATE(NAME, EXCLUSIVE)                                                                         \
    template <class Group, class Atomic, class T, class Op, class = typename details::plain<Atomic>::value_type>       \
    THREELANE_MEMBER details::plain<T> NAME(const Group &group, Atomic &&at, T &&value, Op &&op, THREELANE_AT)         \
    {                                                                                                                  \
        typedef details::plain<T> Value;                                                                               \
        Value sum = inclusive_scan(group, value, op, file, line), old{};                                               \
        if (group.thread_rank() == group.size() - 1) old = details::update(at, sum, (details::plain<Op>)op);           \
        old = group.shfl(old, group.size() - 1, file, line);                                                           \
        if (!EXCLUSIVE) return op(old, sum);                                                                           \
        Value before = exclusive_scan(group, value, op, file, line);                                                   \
        return group.thread_rank() ? op(old, before) : old;                                                            \
    }                                                                                                                  \
    template <class Group, class Atomic, class T, class = typename details::plain<Atomic>::value_type>                 \
    THREELANE_MEMBER details::plain<T> NAME(const Group &group, Atomic &&at, T &&value, THREELANE_AT)                  \
    {                                                                                                                  \
        return NAME(group, at, value, plus<details::plain<T>>(), file, line);                                          \
    }
THREELANE_SCAN_UPDATE(inclusive_scan_update, 0)
THREELANE_SCAN_UPDATE(exclusive_scan_update, 1)
#undef THREELANE_SCAN_UPDATE
#undef THREELANE_MEMBER
}
#endif
