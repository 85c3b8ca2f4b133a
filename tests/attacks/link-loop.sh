# ex43 refused: it is a link
# Links that lead to themselves and to each other.
mkdir -p "$1/$2" && ln -s ex43.cu "$1/$2/ex43.cu" && ln -s . "$1/$2/again" && ln -s ../.. "$1/$2/up"
