# ex43 refused: .
# A zip file whose member says that it is small and is not, whose sum is wrong, and whose list and header disagree about the name.
set -eu
command -v python3 >/dev/null || exit 77
python3 - "$1/$2.zip" exercises/ex43-overlap/solution.cu <<'END'
import struct, sys, zlib
data = open(sys.argv[2], "rb").read() + b"\n" * 50000000
body = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = body.compress(data) + body.flush()
out = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, 8, 0, 33, 0xdeadbeef, len(packed), 100, 12, 0) + b"../../ex41.c" + packed
list_ = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, 8, 0, 33, 0xdeadbeef, len(packed), 100, 7, 0, 0, 0, 0, 0, 0) + b"ex43.cu"
open(sys.argv[1], "wb").write(out + list_ + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1, 1, len(list_), len(out), 0))
END
