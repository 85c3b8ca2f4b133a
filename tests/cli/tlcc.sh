#!/bin/sh
# tlcc's command line: what it makes, what it refuses, where its messages point. Prints a TAP-like line for each test.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
programs=$PWD/tests/programs/tlcc
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"
cd "$work" || exit 1

cat >one.cu <<'EOF'
#include <stdio.h>
#include <cuda_runtime.h>
#ifndef N
#define N 3
#endif
void two(int *);
int three(void);
extern "C" int four(void);
__managed__ int value;
__global__ void set(int *p, int n) { *p = n; }
int main(int argc, char **argv)
{
    set<<<1, 1>>>(&value, N);
    cudaDeviceSynchronize();
    two(&value);
    printf("value %d three %d four %d argc %d\n", value, three(), four(), argc);
    return 0;
}
EOF
cat >two.cu <<'EOF'
#include "launches.h"
__global__ void twice(int *p) { *p *= 2; }
void two(int *p) { launch_twice(twice, p); }
EOF
mkdir -p inc "inc dir"
cat >inc/launches.h <<'EOF'
#pragma once
#include <cuda_runtime.h>
template <class K> inline void launch_twice(K kernel, int *p)
{
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
}
EOF
printf '#include <cuda_runtime.h>\nint three(void) { int n = 0; return cudaGetDeviceCount(&n) == cudaSuccess ? 3 : -1; }\n' >three.cpp
printf '#include <cuda_runtime_api.h>\nint four(void) { int n, class = 4; return cudaGetDevice(&n) == cudaSuccess ? class : -1; }\n' >four.c

expect "several sources at once" 0 '' "$tlcc" -I inc one.cu two.cu three.cpp four.c -o prog
expect "the program runs" 0 '' ./prog a b
says "and says what it should" "value 6 three 3 four 4 argc 3"
expect "separate compilation, -D, -I joined" 0 '' "$tlcc" -c -DN=5 -Iinc -O3 -std=c++17 one.cu -o one.o
expect "-c of several" 0 '' "$tlcc" -c -I inc two.cu three.cpp four.c
expect "linking objects" 0 '' "$tlcc" one.o two.o three.o four.o -o prog2 -lcudart -L/usr/local/cuda/lib64 -lpthread
expect "it runs" 0 '' ./prog2
says "with the other value" "value 10"
expect "-dc, -dlink and a link by parts" 0 '' sh -c "'$tlcc' -dc -I inc -arch=sm_90 one.cu two.cu three.cpp four.c &&
    '$tlcc' -dlink -arch sm_90 one.o two.o -o link.o && '$tlcc' one.o two.o three.o four.o link.o -o prog3 && ./prog3"
expect "-lib makes an archive" 0 '' sh -c "'$tlcc' -lib -I inc two.cu three.cpp four.c -o libparts.a &&
    '$tlcc' one.cu -L. -lparts -o prog4 && ./prog4"
expect "-run, -run-args" 0 '' "$tlcc" -I inc one.cu two.cu three.cpp four.c -run -run-args x,y,z
says "gets its arguments" "argc 4"
expect "--plain" 0 '' sh -c "'$tlcc' --plain -I inc one.cu two.cu three.cpp four.c -o plain && ./plain"
says "--plain runs the same" "value 6"
expect "nvcc's everyday options are taken" 0 '' "$tlcc" -c -I inc one.cu -o x.o -gencode arch=compute_80,code=sm_80 \
    --generate-code=arch=compute_90,code=sm_90 -arch=sm_90 -code sm_90 -rdc=true --expt-relaxed-constexpr \
    --extended-lambda -use_fast_math -lineinfo -Xptxas -v -maxrregcount=32 -cudart static --default-stream per-thread \
    -Xcompiler -Wall,-Wextra -Xcompiler=-fPIC -m64 -w -g -G -t 2 -ccbin g++ -Xcompiler "-O1 -Wall" --compiler-options -fno-strict-aliasing
expect "a.out by default" 0 '' sh -c "'$tlcc' -I inc one.cu two.cu three.cpp four.c && ./a.out"
cp one.cu "in a dir.cu"; cp inc/launches.h "inc dir/"; cp two.cu "two's \"copy\".cu"; cp three.cpp ./-three.cpp
expect "names with blanks, quotes and dashes" 0 '' "$tlcc" -o "my prog" -I "inc dir" "in a dir.cu" "two's \"copy\".cu" four.c -- -three.cpp
expect "that program runs" 0 '' "./my prog"
expect "an options file" 0 '' sh -c "printf '%s\n' '-I inc' '-DN=\"7\"' 'one.cu two.cu' >opts && '$tlcc' @opts three.cpp four.c -o prog5 && ./prog5"
says "its options count" "value 14"
expect "an options file in which a backslash ends a line" 0 '' sh -c "printf '%s\\n' '-I inc -DN=\\' '9' 'one.cu two.cu' >joined &&
    '$tlcc' @joined three.cpp four.c -o prog6 && ./prog6"
says "which goes on in the next one" "value 18"
cp one.cu one.txt
expect "-x cu" 0 '' "$tlcc" -x cu -c one.txt -o one_txt.o
expect "-odir" 0 '' sh -c "mkdir -p objects && '$tlcc' -c -odir objects four.c && test -f objects/four.o"

# dependencies
expect "-MD" 0 '' "$tlcc" -MD -c -I inc two.cu -o objects/two.o
holds "-MD writes beside the object" grep -q 'inc/launches.h' objects/two.d
holds "its target is the object" grep -q '^objects/two.o:' objects/two.d
expect "-M -MT" 0 '' "$tlcc" -M -MT target.o -I inc two.cu
says "dependencies on the output" "target.o:"
expect "-MMD -MP -MF" 0 '' "$tlcc" -MMD -MP -MF deps -c -I inc two.cu -o objects/two.o
holds "phony targets" grep -q '^inc/launches.h:' deps
expect "-E" 0 '' "$tlcc" -E -I inc two.cu
says "shows the preprocessed text" "launch_twice"

# make
cat >Makefile <<'EOF'
NVCC ?= nvcc
NVCCFLAGS := -O3 -arch=sm_90 -Iinc -Xcompiler -Wall
OBJS := one.mk.o two.mk.o three.mk.o four.mk.o
made: $(OBJS)
	$(NVCC) $(NVCCFLAGS) -o $@ $^ -lm
%.mk.o: %.cu
	$(NVCC) $(NVCCFLAGS) -MD -MF $*.mk.d -c $< -o $@
%.mk.o: %.cpp
	$(NVCC) $(NVCCFLAGS) -c $< -o $@
%.mk.o: %.c
	$(NVCC) -c -o $@ $<
-include one.mk.d two.mk.d
EOF
expect "make NVCC=tlcc" 0 '' make NVCC="$tlcc"
expect "what make made runs" 0 '' ./made
expect "nothing to do the second time" 0 '' make -q NVCC="$tlcc"
sleep 1; touch inc/launches.h
expect "a changed header is noticed" 1 '' make -q NVCC="$tlcc"

# compilers
for compiler in clang++ g++-9 g++-10 g++-11 g++-12 g++-13 g++-14; do
    command -v $compiler >/dev/null 2>&1 || continue
    expect "host compiler $compiler" 0 '' sh -c "'$tlcc' -ccbin $compiler -I inc one.cu two.cu three.cpp four.c -o p_$compiler && ./p_$compiler"
    says "$compiler's program" "value 6 three 3 four 4"
done
if command -v clang++ >/dev/null 2>&1; then
    for program in launches kernels shared ptx arch; do
        flags=$(sed -n 's|^// flags: ||p' "$programs/$program.cu")
        # shellcheck disable=SC2086  # words on purpose
        expect "$program.cu with clang++" 0 '' "$tlcc" -ccbin clang++ $flags "$programs/$program.cu" -run
        says "$program.cu runs to its end" "$(sed -n 's|^// out: ||p' "$programs/$program.cu" | tail -n 1)"
    done
fi
expect "the compiler from the environment" bad '' env THREELANE_CXX=/no/such/compiler "$tlcc" -c four.c
says "its absence is said" "no host compiler '/no/such/compiler'"
expect "a compiler that is none" bad '' "$tlcc" -ccbin /bin/true -c four.c
says "is named" "neither g++ nor clang++"

# messages
printf 'int main() {\n  int x = undefined_name;\n}\n' >bad.cu
expect "an error" bad '' "$tlcc" -c bad.cu
says "has its line and column" "bad.cu:2:11: error:"
holds "no object is left" test ! -e bad.o
printf '#include <cuda_runtime.h>\n__global__ void k(int *p) {\n\tint n = 3;   *p = n + nowhere; }\nint main() {\n  int *p = 0;\n  k<<<1, 2, 0, 0>>>(p);  other();\n}\n' >cols.cu
expect "an error in a kernel" bad '' "$tlcc" -c cols.cu
says "line and column in the kernel" "cols.cu:3:"
says "line and column after a launch" "cols.cu:6:26: error:"
holds "no word of closures" sh -c '! grep -qE "lambda|tl::" out'
printf 'int main() {\n    float *d = 0;\n    cudaMemcpyAsync(d, d, 4, 1, 0);\n    cudaMemset(d, 0);\n    cudaMemset(d, 0, 4, 0, 0);\n}\n' >call.cu
expect "a wrong argument of a call" bad '' env LC_ALL=C "$tlcc" -c call.cu
says "the argument has its line and column" "call.cu:3:30: error: invalid conversion from 'int' to 'cudaMemcpyKind'"
says "and the parameter its place in CUDA's own declaration" \
     "initializing argument 4 of 'cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t)'"
says "too few arguments: the line" "call.cu:4:5: error: too few arguments to function 'cudaError_t cudaMemset(void*, int, size_t)'"
says "too many: what to do" "tlcc: the call has more arguments than the function takes"
holds "the first line is the author's" sh -c 'head -n 1 out | grep -q "^call.cu: In function"'
holds "no word of macros and sites" sh -c '! grep -E "in expansion|in definition|threelane_cuda" out'
printf '#include <stdio.h>\n#define cudaMalloc(p, n) (puts("mine"), cudaMalloc(p, n))\nint main() {\n    float *p;\n    return cudaMalloc(&p, 4);\n}\n' >around.cu
expect "a macro around a call, of its name" 0 '' "$tlcc" -o around around.cu
holds "nothing is said about it" test ! -s out
expect "it is around it" 0 '' ./around
says "it does its work" "mine"
if command -v clang++ >/dev/null 2>&1; then
    expect "a macro around a call, with clang" 0 '' "$tlcc" -ccbin clang++ -o around around.cu
    holds "nothing is said about it there" sh -c '! grep -q redefined out'
    expect "a wrong argument, to clang" bad '' env LC_ALL=C "$tlcc" -ccbin clang++ -c call.cu
    says "its line" "call.cu:3:5: error: no matching function for call to 'cudaMemcpyAsync'"
    says "and why" "no known conversion from 'int' to 'enum cudaMemcpyKind' for 4th argument"
    holds "no word of macros and sites from clang" sh -c '! grep -E "expanded from|threelane_cuda" out'
fi
printf '#include "hdr.h"\nint main() { }\n' >uses.cu
printf '#pragma once\ninline void f(int *p) {\n  kk<<<1, 2>>>(p, missing);\n}\n' >hdr.h
expect "an error in a header that launches" bad '' "$tlcc" -c uses.cu
says "points into the header" "hdr.h:3:19: error:"
mkdir -p deep
cat >deep/omp.cu <<'END'
#include <cstdio>
#define ALL _Pragma("omp parallel for reduction(+:sum)")
int main()
{
    int sum = 0;
    ALL for (int i = 0; i < 10; i++) sum += i;
    printf("%d %s %s %d\n", sum, __FILE__, __BASE_FILE__, __LINE__); MISTAKE
}
END
expect "a mistake beside OpenMP" bad '' "$tlcc" -Xcompiler -fopenmp,-Wall,-Wextra,-Wpedantic -c deep/omp.cu
also "is named with its line and column" '^deep/omp.cu:7:70: error:'
never "is all that is said" 'warning|redefined|<'
expect "OpenMP" 0 '' "$tlcc" -Xcompiler -fopenmp,-Wall,-Wextra,-Wpedantic,-Werror -DMISTAKE= deep/omp.cu -o omp
expect "what it computes" 0 '^45 deep/omp.cu deep/omp.cu 7$' ./omp
printf '#include "missing.h"\n' >noinc.cu
expect "a missing header" bad '' "$tlcc" -c noinc.cu
says "is named" "missing.h"
expect "an unknown option" 1 '' "$tlcc" --no-such-option one.cu
says "is named" "unknown option '--no-such-option'"
expect "an option of the host compiler" 1 '' "$tlcc" -fopenmp one.cu
says "comes with advice" "-Xcompiler"
expect "no input" 1 '' "$tlcc" -O2
says "no input is said" "no input file"
expect "a missing file" 1 '' "$tlcc" -c nowhere.cu
says "is named" "cannot read 'nowhere.cu'"
expect "a missing value" 1 '' "$tlcc" one.cu -o
says "is named" "-o needs a value"
expect "-o for two objects" 1 '' "$tlcc" -c one.cu two.cu -o x.o
says "is refused" "one source only"
expect "-ptx" 1 '' "$tlcc" -ptx one.cu
says "is refused" "no device code"
expect "cuBLAS" 1 '' "$tlcc" one.cu -lcublas
says "is refused" "-lcublas: the virtual GPU does not have this library"
expect "a file of no known kind" 1 '' "$tlcc" inc/launches.txt
says "is said" "don't know what to do"
expect "an unwritable output" bad '' "$tlcc" -c four.c -o /no/such/place/x.o
expect "a home that is none" 1 '' env THREELANE_HOME=/nowhere "$tlcc" -c four.c
says "is said" "THREELANE_HOME is /nowhere"
expect "--version" 0 '' "$tlcc" --version
says "release for Makefiles" "release 13.0, V13.0"
says "tlcc by name" "tlcc"
expect "--help" 0 '' "$tlcc" --help
# what a graded program is linked with: no more than it asks for, by the quicker linker where there is one
"$tlcc" -c -I inc two.cu -o asks.o && printf 'int main() { return 0; }\n' >main.cu && "$tlcc" -c main.cu -o main.o
expect "a program that needs no C++ library" 0 '^#\$ g[+][+] .*asks\.o .* -nodefaultlibs ' \
    "$tlcc" -v main.o asks.o -Xlinker --build-id=none -o linked
if command -v ld.gold >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ]; then
    also "is linked quickly" '-fuse-ld=gold'
    holds "once" sh -c 'test "$(grep -c "libthreelane[.]a" "$1")" = 1' sh "$work/out"
    printf 'void nobody(); int main() { nobody(); }\n' >nobody.cu
    expect "a function that is not there, with the usual linker's words" bad "undefined reference to .nobody" "$tlcc" nobody.cu -o linked
    holds "said once" sh -c 'test "$(grep -c "undefined reference" "$1")" = 1' sh "$work/out"
    mkdir broken && printf '#!/bin/sh\necho "a linker that is too old" >&2\n' >broken/ld.gold && chmod +x broken/ld.gold
    rm -f linked
    expect "a quick linker with anything to say is not believed" 0 '' env PATH="$PWD/broken:$PATH" "$tlcc" main.o -o linked
    never "nor heard" 'too old'
    holds "the program is there" ./linked
else
    skip "the quicker linker" "no gold here"
fi
expect "--dryrun" 0 '' "$tlcc" --dryrun -I inc two.cu -c -o dry.o
says "shows commands" "#\$ "
holds "and runs none" test ! -e dry.o

# headers that were read before: whatever lies there, programs are the same
mine=${THREELANE_HOME:-$(dirname "$tlcc")/../lib/threelane}
[ -e "$mine/include" ] || mine=$(dirname "$tlcc")/../build/lib/threelane
mkdir home
cp "$mine/libthreelane.a" home && cp -RL "$mine/include" home/include
expect "--precompile with a file" 1 '' "$tlcc" --precompile one.cu
says "is refused" "tlcc's own headers"
expect "without precompiled headers" 0 '' env THREELANE_HOME=home "$tlcc" -I inc -Xcompiler -g0 one.cu -c -o plain.o
expect "--precompile" 0 '' env THREELANE_HOME=home "$tlcc" --precompile
expect "with them" 0 '' env THREELANE_HOME=home "$tlcc" -I inc -Xcompiler -g0 one.cu -c -o fast.o
holds "the object is the same" cmp plain.o fast.o
expect "made with other options" 0 '' env THREELANE_HOME=home "$tlcc" -I inc -Xcompiler -g0 -std=c++14 one.cu -c -o other.o
expect "a source for which g++ itself is not started" 0 '' env THREELANE_HOME=home "$tlcc" -I inc one.cu -c -o quick.o
expect "and a link" 0 '' env THREELANE_HOME=home "$tlcc" main.o asks.o -Xlinker --build-id=none -o quick
pie='-Xcompiler -fPIE -Xcompiler -pie -Xlinker --build-id=none'       # as a program that is not trusted is linked
boxed='-Xcompiler -ffile-prefix-map=/nowhere=/course'
# shellcheck disable=SC2086
expect "and one at any address" 0 '' env THREELANE_HOME=home "$tlcc" $boxed $pie main.o asks.o -o quick-pie
holds "which runs" ./quick-pie
printf '#include <string>\nint main(int n, char **v) { return std::string(v[0]).empty() + n - 1; }\n' >string.cu
"$tlcc" -c string.cu -o string.o
# shellcheck disable=SC2086
for how in '' "$boxed $pie"; do
    expect "one that needs the C++ library${how:+, at any address}" 0 '' \
        env THREELANE_HOME=home "$tlcc" $how string.o -Xlinker --build-id=none -o string
    expect "as g++ links it" 0 '' env COMPILER_PATH=/ THREELANE_HOME=home "$tlcc" $how string.o -Xlinker --build-id=none -o asked
    holds "the program is the same" cmp string asked
done
printf '__global__ void k(float *p) { *p = 1; }\nint main() { float *d; cudaMalloc(&d, 4); cudaFree(dd); return cudaDeviceSynchronise(); }\n' >typo.cu
expect "a source with mistakes" bad '' env THREELANE_HOME=home "$tlcc" -c typo.cu
says "is refused" "typo.cu:2:52: error: 'dd' was not declared"
cp "$work/out" typo.out
expect "by g++ itself" bad '' env COMPILER_PATH=/ THREELANE_HOME=home "$tlcc" -c typo.cu
holds "it says the same" cmp "$work/out" typo.out
if command -v strace >/dev/null 2>&1; then
    starts_gcc() { # HOME: does tlcc start g++ itself for the source with mistakes?
        strace -f -o trace.txt -e trace=execve env THREELANE_HOME="$1" "$tlcc" -c typo.cu >out.txt 2>&1
        grep 'g++", ' trace.txt | grep -qv ENOENT
    }
    report "it is not asked for that" "$(starts_gcc home || echo yes)" "$(cat trace.txt)"
    sed 's/^i [0-9]* /i 0 /' home/pch/commands >commands
    cp -R home other-home && cp commands other-home/pch/commands
    report "but where another compiler may be behind it" "$(starts_gcc other-home && echo yes)" "$(cat trace.txt)"
    rm -r other-home
    holds "none is" sh -c '! strace -f -e trace=execve env THREELANE_HOME=home "$1" -I inc one.cu -c -o quick.o 2>&1 | grep "g++\", " | grep -qv ENOENT' sh "$tlcc"
    if command -v ld.gold >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ]; then
        # shellcheck disable=SC2086
        for object in 'main.o asks.o' string.o; do
            holds "nor for a link of $object" sh -c '! strace -f -e trace=execve env THREELANE_HOME=home "$@" -o other 2>&1 | grep "\(g++\|collect2\)\", " | grep -qv ENOENT' sh "$tlcc" $boxed $pie $object
        done
    fi
fi
sed 's/^1 [0-9]* /1 0 /' home/pch/commands >commands
mv commands home/pch/commands
expect "by another compiler than the one that was asked" 0 '' env THREELANE_HOME=home "$tlcc" -I inc one.cu -c -o asked.o
holds "the object is the same" cmp quick.o asked.o
expect "its link" 0 '' env THREELANE_HOME=home "$tlcc" main.o asks.o -Xlinker --build-id=none -o asked
holds "the program is the same" cmp quick asked
# shellcheck disable=SC2086
expect "and that at any address" 0 '' env THREELANE_HOME=home "$tlcc" $boxed $pie main.o asks.o -o asked
holds "is the same, too" cmp quick-pie asked
env THREELANE_HOME=home "$tlcc" --precompile
sed 's/^2 .*/2 false/; s/^1 .*ld.gold/1 false/' home/pch/commands >commands
mv commands home/pch/commands
expect "where what was kept fails" 0 '' env THREELANE_HOME=home "$tlcc" -I inc one.cu -c -o asked.o
holds "g++ is asked" cmp quick.o asked.o
expect "where its link fails" 0 '' env THREELANE_HOME=home "$tlcc" main.o asks.o -Xlinker --build-id=none -o asked
holds "g++ links" cmp quick asked
# shellcheck disable=SC2086
expect "at any address, too" 0 '' env THREELANE_HOME=home "$tlcc" $boxed $pie main.o asks.o -o asked
holds "g++ links it" cmp quick-pie asked
head -c 3000 /dev/urandom >>home/pch/commands
expect "a damaged list of what g++ runs" 0 '' env THREELANE_HOME=home "$tlcc" -I inc one.cu -c -o asked.o
echo damaged >home/pch/first.h.gch
expect "a damaged one" 0 '' env THREELANE_HOME=home "$tlcc" -I inc -Xcompiler -g0 one.cu -c -o damaged.o
holds "is left aside" cmp plain.o damaged.o
rm home/pch/first.h
expect "half of one" 0 '' env THREELANE_HOME=home "$tlcc" -I inc -Xcompiler -g0 one.cu -c -o half.o
rm -r home

# odd sources
: >empty.cu
expect "an empty source" 0 '' "$tlcc" -c empty.cu
printf '\357\273\277#include <cuda_runtime.h>\r\n__global__ void k(int n) {\r\n}\r\nvoid f() { k<<<1,\\\r\n 2>>>(3); }\r\n' >crlf.cu
expect "a byte order mark and CRLF" 0 '' "$tlcc" -c crlf.cu
head -c 4096 /dev/zero >zero.cu
head -c 200000 /dev/urandom >random.cu
expect "bytes that are no source" bad '' "$tlcc" -c random.cu
printf '#include <cuda_runtime.h>\n__global__ void k() {\nint main() { k<<<1, 2>>>(\n' >cut.cu
expect "a source cut off" bad '' "$tlcc" -c cut.cu
printf 'const char *s = "k<<<1, 2>>>(3);\n__global__ void k() { }\n' >quote.cu
expect "an unterminated string" bad '' "$tlcc" -c quote.cu
says "at its line" "quote.cu:1:17:"
expect "a directory for a source" bad '' "$tlcc" -x cu -c inc/../inc

# what is said once, and of which file
printf '#include <cuda_runtime.h>\nint f(cudaDeviceProp *p) { return p->clockRate; }\n' >gone.cu
expect "a member that CUDA 13 has not" 0 '' "$tlcc" -c gone.cu
says "is named with what to use" "not in CUDA 13: use cudaDeviceGetAttribute with cudaDevAttrClockRate"
holds "it is said once" sh -c 'test "$(grep -c "not in CUDA 13" out)" = 1'
holds "without a place in a header" sh -c '! grep -q driver_types.h out'
printf '#include <cuda_runtime.h>\n__global__ void k(int n) { }\nint main() { k<<<1, 2>>>(3); }\n' >host.cpp
expect "a launch in a file of C++" bad '' "$tlcc" -c host.cpp
says "is told the ending" "tlcc: launches are compiled in files that end in .cu"
expect "with -x cu it is CUDA" 0 '' "$tlcc" -x cu -c host.cpp

# what is warned of, and that our own headers and rewriting are not
cat >uninitialised.cu <<'EOF'
__global__ void k(int *p) { *p = 3; }
int main()
{
    cudaStream_t launched, copied;
    cudaEvent_t event;
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1, 0, launched>>>(p);
    cudaEventRecord(event, copied);
    return cudaStreamSynchronize(0);
}
EOF
cat >quiet.cu <<'EOF'
#include <stdio.h>
#include <cooperative_groups.h>
struct Plain { int few : 4; float *p; };
__device__ int counter;
__constant__ float table[3];
__managed__ int seen;
__device__ __forceinline__ int cut(float x) { return static_cast<int>(x) + (int)x + int(x); }
template <class T> __global__ void k(T *x, const int &n, Plain plain, unsigned limit)
{
    extern __shared__ int dynamic[];
    __shared__ float tile[32];
    tile[threadIdx.x % 32] = (float)limit;
    dynamic[threadIdx.x] = (int)tile[0] + cut(table[0]);
    __syncthreads();
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < (int)limit && (unsigned)i < limit && (size_t)i < sizeof tile)
        x[i] = (T)(tile[0] + __sinf(plain.p[0]) + (float)dynamic[0] + (float)plain.few);
    atomicAdd(&counter, (int)plain.few);
    printf("%d %d\\n", (int)n, (unsigned char)tile[0]);
}
int main()
{
    cudaStream_t s;
    cudaEvent_t e;
    int *d;
    float h[3] = {1, 2, 3};
    Plain plain = {1, nullptr};
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    cudaMalloc(&d, 4);
    cudaMemcpyToSymbol(table, h, sizeof h);
    k<<<1, 1, 128, s>>>(d, seen, plain, 1u);
    cudaEventRecord(e, s);
    cudaStreamSynchronize(s);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    return cudaFree(d) != cudaSuccess;
}
EOF
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "ok - tlcc: warnings # skip: no $compiler"; continue; }
    for options in "" -G; do
        expect "$compiler $options: uninitialised streams and events" 0 '' "$tlcc" -ccbin $compiler $options -c uninitialised.cu
        for place in 8:launched 9:copied 9:event; do
            holds "$compiler $options: $place is warned of at its line" \
                grep -q "^uninitialised.cu:${place%:*}:[0-9]*: warning: .*[‘']${place#*:}[’'] .*uninitialized" out
        done
        holds "$compiler $options: no line of ours is shown" sh -c '! grep -q "threelane" out'
    done
    expect "$compiler: -w: nothing" 0 '' "$tlcc" -ccbin $compiler -w -c uninitialised.cu
    holds "$compiler: -w is silent" sh -c '! test -s out'
    for options in "" -Wall "-Wall -Wextra" "-Xcompiler -Wall,-Wextra" "-G -Xcompiler -Wall,-Wextra" "--plain -Wall -Wextra"; do
        expect "$compiler $options: a program without faults" 0 '' "$tlcc" -ccbin $compiler $options -c quiet.cu
        holds "$compiler $options: is compiled without a word" sh -c '! test -s out'
    done
done

# fused multiply-add
expect "-fmad=true" 0 '' "$tlcc" -fmad=true -c quiet.cu
expect "-fmad=maybe" bad 'it is true or false' "$tlcc" -fmad=maybe -c quiet.cu

# leaves nothing behind
printf '#include <unistd.h>\nint main() { return 0; }\n' >quick.cu
expect "a link" 0 '' "$tlcc" quick.cu -o quick
printf '#!/bin/sh\necho "#define __GNUC__ 8"\n' >old-c++ && chmod +x old-c++
echo 'int main() { }' >plain.cu
printf '#!/bin/sh\necho "$*" >>compiled\nexec g++ "$@"\n' >counting-g++
chmod +x counting-g++
expect "what compiles" 0 '' "$tlcc" -ccbin ./counting-g++ -c plain.cu -o plain.o
holds "is read once and compiled once, by a compiler whose version was asked" [ "$(wc -l <compiled)" -eq 3 ]
expect "a compiler that is too old" 1 'is version 8; g\+\+ 9 or later is needed' "$tlcc" -ccbin ./old-c++ plain.cu -o plain
holds "temporary files are gone" sh -c 'test -z "$(ls -A "$TMPDIR")"'
{ echo '#include <cuda_runtime.h>'; echo '#include <map>'; i=0
  while [ $i -lt 3000 ]; do echo "int f$i(int x) { std::map<int, int> m; m[x] = $i; return m[x]; }"; i=$((i + 1)); done
  echo 'int main() { }'; } >slow.cu
"$tlcc" slow.cu -o slow >out 2>&1 &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
[ $? -gt 128 ] && echo "ok - tlcc: ended by a signal" || { echo "not ok - tlcc: ended by a signal"; failed=1; }
holds "temporary files are gone then, too" sh -c 'test -z "$(ls -A "$TMPDIR")"'
finish
