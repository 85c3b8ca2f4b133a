# ex43 refused|fail|pass: .
# Five thousand names in a zip file's list, all for one and the same bytes.
set -eu
command -v python3 >/dev/null || exit 77
python3 - "$1/$2.zip" exercises/ex43-overlap/starter.cu <<'END'
import struct, sys, zlib
data = open(sys.argv[2], "rb").read()
body = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = body.compress(data) + body.flush()
crc, out, list_ = zlib.crc32(data), b"", b""
out = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, 8, 0, 33, crc, len(packed), len(data), 7, 0) + b"ex43.cu" + packed
for i in range(5000):
    name = ("%04d/ex43.cu" % i).encode()
    list_ += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, 8, 0, 33, crc, len(packed), len(data), len(name), 0, 0, 0, 0, 0, 0) + name
end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 5000, 5000, len(list_), len(out), 0)
open(sys.argv[1], "wb").write(out + list_ + end)
END
