#!/usr/bin/env bash
# The tests of turns.txt take longest (6 to 70 s each): a run of ./test.sh without arguments makes every fourth of
# them, at each commit others.
#   turns.sh others SEED   a regular expression of the names of those that a run with this seed leaves out
#   turns.sh check BUILD   fails where a name is not that of a test in the build folder BUILD
set -euo pipefail
list=$(dirname "${BASH_SOURCE[0]}")/turns.txt
case "${1:-}" in
  others)
    awk -v turn=$(($2 % 4)) 'NR % 4 != turn' "$list" |
      sed 's/[][().*+?^$|\\]/\\&/g' | paste -sd '|' | sed 's/.*/^(&)$/'
    ;;
  check)
    names=$(ctest --test-dir "$2" --show-only | sed -n 's/^ *Test *#[0-9]*: //p')
    status=0
    while IFS= read -r name; do
      grep -qxF -- "$name" <<<"$names" || { echo "turns.txt names no test: $name"; status=1; }
    done <"$list"
    # What one seed leaves out and what the others leave out are all of them, each three times.
    for seed in 0 1 2 3; do
      "$0" others "$seed" | sed 's/^^(//; s/)$$//' | tr '|' '\n'
    done | sort | uniq -c |
      awk '$1 != 3 { print "not left out by three seeds of four:", $0; bad = 1 } END { exit bad }' || status=1
    exit "$status"
    ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
