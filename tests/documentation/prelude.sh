# Runs before each block of a page: the folder and the variables that the block before it left, and servers in the background.
cd "$(cat "$PAGE_STATE/folder")"
if [ -e "$PAGE_STATE/variables" ]; then . "$PAGE_STATE/variables"; fi
trap 'code=$?; export -p > "$PAGE_STATE/variables"; pwd > "$PAGE_STATE/folder"; exit $code' EXIT
set -e

# What does not return runs in the background until the end of the page.
repoquarry() {
    case "$1" in
        serve | watch | mcp) start_in_background "$@" ;;
        *) command repoquarry "$@" ;;
    esac
}

start_in_background() {
    log="$PAGE_STATE/background-$(date +%s%N).log"
    command repoquarry "$@" > "$log" 2>&1 < /dev/null &
    echo "$!" >> "$PAGE_STATE/background"
    for _ in $(seq 600); do
        if grep -q -e "listening on" -e "watching" "$log"; then return 0; fi
        if ! kill -0 "$!" 2> /dev/null; then break; fi
        sleep 0.1
    done
    cat "$log" >&2
    return 1
}
