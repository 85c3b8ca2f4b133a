// The headers serve C as well: a C file compiled beside this one makes the calls.
// with: c_program_part.c
// out: 42 c_program_part.c
#include <cstdio>
extern "C" int c_part(void);
int main()
{
    printf("%d c_program_part.c\n", c_part());
    return 0;
}
