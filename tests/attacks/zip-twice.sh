# ex43 fail|pass: .
# A zip file with two members of one name, and of names that differ in case or in how a letter is written: one is taken, the rest
# are listed, and it is the same one each time.
set -eu
command -v python3 >/dev/null || exit 77
python3 - "$1/$2.zip" exercises/ex43-overlap/starter.cu exercises/ex43-overlap/solution.cu <<'END'
import sys, warnings, zipfile
warnings.simplefilter("ignore")
bad, good = open(sys.argv[2]).read(), open(sys.argv[3]).read()
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name, text in (("ex43.cu", bad), ("ex43.cu", good), ("EX43.CU", good), ("e\u0301/ex43.cu", good), ("\u00e9/ex43.cu", bad)):
        z.writestr(name, text)
END
