/* api_symbol.c - __device__, __constant__ and __managed__ variables.
 *
 * They are ordinary variables of the program, and a symbol is its address. tlcc makes each known
 * before main begins (threelane_variable), those of a template by their name (threelane_variables).
 * Where it cannot see one, in a macro, the C++ forms of the calls say how big it is, and what they
 * name is remembered as well.
 */
#include "sim/api/api_copy.h"

void threelane_symbol(const void *address, size_t bytes);
void threelane_symbol(const void *address, size_t bytes) { symbol_guess(address, bytes); }

void threelane_variable(const void *address, size_t bytes, bool managed, const char *name);
void threelane_variable(const void *address, size_t bytes, bool managed, const char *name)
{
    symbol_know(address, bytes, managed);
    if (name) symbol_name(address, name);
}

void threelane_variables(const void *beside, const char *name, bool managed);
void threelane_variables(const void *beside, const char *name, bool managed)
{
    symbols_know_like(beside, name, managed);
}

static cudaError_t check(const void *symbol, size_t count, size_t offset)
{
    Place place;
    if (!symbol || !symbol_find(symbol, &place)) return cudaErrorInvalidSymbol;
    if (!count) return cudaSuccess;
    return offset > place.room || count > place.room - offset ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t to_symbol(Call *call, const void *symbol, const void *src, size_t count,
                             size_t offset, enum cudaMemcpyKind kind, bool async,
                             cudaStream_t handle)
{
    cudaError_t error = check(symbol, count, offset);
    if (error) return error;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const Stream *stream = stream_of(call, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return copy_run(call, &(Copy){.to = (char *)(uintptr_t)symbol + offset,
                                  .from = src,
                                  .width = count,
                                  .height = 1,
                                  .kind = kind,
                                  .async = async,
                                  .stream = stream});
}

static cudaError_t from_symbol(Call *call, void *dst, const void *symbol, size_t count,
                               size_t offset, enum cudaMemcpyKind kind, bool async,
                               cudaStream_t handle)
{
    cudaError_t error = check(symbol, count, offset);
    if (error) return error;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const Stream *stream = stream_of(call, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return copy_run(call, &(Copy){.to = dst,
                                  .from = (const char *)symbol + offset,
                                  .width = count,
                                  .height = 1,
                                  .kind = kind,
                                  .async = async,
                                  .stream = stream});
}

API_STREAM(cudaMemcpyToSymbol, 0,
           (const void *symbol, const void *src, size_t count, size_t offset,
            enum cudaMemcpyKind kind),
           (symbol, src, count, offset, kind))
{
    return to_symbol(call, symbol, src, count, offset, kind, false, NULL);
}

API_STREAM(cudaMemcpyToSymbolAsync, 0,
           (const void *symbol, const void *src, size_t count, size_t offset,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (symbol, src, count, offset, kind, stream))
{
    return to_symbol(call, symbol, src, count, offset, kind, true, stream);
}

API_STREAM(cudaMemcpyFromSymbol, 0,
           (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind),
           (dst, symbol, count, offset, kind))
{
    return from_symbol(call, dst, symbol, count, offset, kind, false, NULL);
}

API_STREAM(cudaMemcpyFromSymbolAsync, 0,
           (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
            cudaStream_t stream),
           (dst, symbol, count, offset, kind, stream))
{
    return from_symbol(call, dst, symbol, count, offset, kind, true, stream);
}

API(cudaGetSymbolAddress, 0, (void **devPtr, const void *symbol), (devPtr, symbol))
{
    if (!devPtr) return cudaErrorInvalidValue;
    cudaError_t error = check(symbol, 0, 0);
    if (!error && !symbol_address(symbol, call_device(), devPtr)) error = cudaErrorMemoryAllocation;
    return error;
}

API(cudaGetSymbolSize, 0, (size_t * size, const void *symbol), (size, symbol))
{
    if (!size) return cudaErrorInvalidValue;
    Place place;
    if (!symbol || !symbol_find(symbol, &place)) return cudaErrorInvalidSymbol;
    *size = place.room;
    return cudaSuccess;
}
