# HTTP with nothing but bash, for images that have no curl. To be sourced.

# The status of an answer, or nothing while nobody answers: status PORT METHOD PATH [BODY]
status() {
  local port=$1 method=$2 path=$3 body=${4-} line
  {
    exec {socket}<> "/dev/tcp/127.0.0.1/$port" || return 1
  } 2> /dev/null
  printf '%s %s HTTP/1.1\r\nHost: queen\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$method" "$path" "${#body}" "$body" >&"$socket"
  IFS=' ' read -r -t 10 _ line _ <&"$socket" || line=
  exec {socket}>&-
  printf '%s' "$line"
}

# Waits until PATH is answered with STATUS, for as long as the process lives: await PID PORT PATH STATUS
await() {
  until [[ $(status "$2" GET "$3") == "$4" ]]; do
    kill -0 "$1" 2> /dev/null || return 1
    sleep 0.01
  done
}

# A port that nobody listens on.
free_port() {
  local port=$((20000 + RANDOM % 20000))
  while (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do
    port=$((port + 1))
  done
  printf '%s' "$port"
}
