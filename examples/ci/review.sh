#!/bin/sh
# Consequences of a pull request: indexes both sides, and writes into the folder OUT
#   comment.md    text of the comment; empty where nothing outside the diff is concerned
#   change.html   the same change as one file of at most 2 MB that opens without a server; missing where the comment is empty
#   tests.txt     tests to run, one a line
#   diff.json     definitions and edges that differ between both versions
#
#     BASE=origin/main HEAD=HEAD OUT=review sh review.sh
set -eu
head=$(git rev-parse "${HEAD:-HEAD}^{commit}")
base=$(git merge-base "$BASE" "$head")
out=${OUT:-review}
mkdir -p "$out"
# Fixed folders: with a cached store, only files that differ from the last run are parsed.
trees=$PWD/.review-trees
rm -rf "$trees"
git worktree prune
trap 'rm -rf "$trees"; git worktree prune' EXIT
git worktree add --quiet --detach "$trees/base" "$base"
git worktree add --quiet --detach "$trees/head" "$head"

repoquarry index "$trees/base" --name review-base
repoquarry index "$trees/head" --name review-head
repoquarry impact review-base --range "$base..$head" --format junit-list > "$out/tests.txt"
repoquarry diff review-base review-head --json > "$out/diff.json"
comment=$(repoquarry impact review-base --range "$base..$head" --format markdown)
printf '%s' "$comment" > "$out/comment.md"
if [ -n "$comment" ]; then
    repoquarry ui --change "$base..$head" --repository review-base --export "$out/change.html"
fi
