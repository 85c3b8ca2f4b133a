#!/usr/bin/env bash
# Gradescope runs this once, as root, when the autograder's image is built. Put a copy of Threelane beside it in the
# zip file that you upload: autograder.zip holds setup.sh, run_autograder and threelane/.
set -e
apt-get update
apt-get install -y make
cd /autograder/source/threelane
.ci/setup run grade
make
# what hidden parameters are drawn by: known to this image only
[ -s /autograder/source/seed ] || od -An -N6 -tu8 /dev/urandom | tr -d ' ' >/autograder/source/seed
