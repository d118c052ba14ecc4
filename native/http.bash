# HTTP with nothing but bash, for images that have no curl. To be sourced. Starts no process: who measures a start must
# not take the processor from it.

# Whom to ask.
host=127.0.0.1

# Puts the status of the answer into $answer, nothing while nobody answers: ask PORT METHOD PATH [BODY]
ask() {
  local body=${4-} socket
  answer=
  { exec {socket}<> "/dev/tcp/$host/$1"; } 2> /dev/null || return 0
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$2" "$3" "${#body}" "$body" >&"$socket"
  IFS=' ' read -r -t 10 _ answer _ <&"$socket" || answer=
  exec {socket}>&-
}

# Waits until PATH is answered with STATUS, for as long as the process lives: await PID PORT PATH STATUS
await() {
  local never
  exec {never}<> <(:)
  until ask "$2" GET "$3" && [[ $answer == "$4" ]]; do
    kill -0 "$1" 2> /dev/null || return 1
    read -r -t 0.01 -u "$never" || true
  done
  exec {never}>&-
}

# A port that nobody listens on.
free_port() {
  local port=$((20000 + RANDOM % 20000))
  while (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do
    port=$((port + 1))
  done
  printf '%s' "$port"
}
