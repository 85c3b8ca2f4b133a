# ex43 compile error|timed out: .
# Two MiB of opening brackets in one line.
mkdir -p "$1/$2" && { echo '#include "ex43.h"'; echo 'int x = '; yes '(' | head -c 2000000 | tr -d '\n'; } >"$1/$2/ex43.cu"
