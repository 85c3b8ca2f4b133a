# ex43 refused: .
# Names in a zip file that climb where a backslash parts folders, or that have a drive, a stream or a device in them.
set -eu
command -v python3 >/dev/null || exit 77
python3 - "$1/$2.zip" exercises/ex43-overlap/solution.cu <<'END'
import sys, zipfile
text = open(sys.argv[2]).read()
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in ("..\\..\\az-good\\ex43.cu", "C:\\course\\ex43.cu", "a\\..\\ex43.cu", "x/..\\ex43.cu"):
        z.writestr(name, text)
END
