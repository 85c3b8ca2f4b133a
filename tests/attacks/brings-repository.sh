# ex43 fail: default stream
# A repository whose hooks, attributes and modules would run something, if anybody asked git about it.
set -eu
mkdir -p "$1/$2/.git/hooks" "$1/$2/.git/objects"
cp exercises/ex43-overlap/starter.cu "$1/$2/ex43.cu"
printf '[core]\n\tfsmonitor = touch /tmp/threelane-attack-git\n\tpager = touch /tmp/threelane-attack-git\n' >"$1/$2/.git/config"
printf '#!/bin/sh\ntouch /tmp/threelane-attack-git\n' >"$1/$2/.git/hooks/post-checkout"
chmod +x "$1/$2/.git/hooks/post-checkout"
echo '* filter=evil' >"$1/$2/.gitattributes"
cp exercises/ex43-overlap/solution.cu "$1/$2/.git/ex43.cu"
