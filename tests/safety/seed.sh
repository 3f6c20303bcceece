#!/usr/bin/env bash
# The seed of the safety tests: WEFT_SAFETY_SEED, or one that changes with the commit, from 1 to 99999; 1 where there is no commit.
set -euo pipefail
if [ -n "${WEFT_SAFETY_SEED:-}" ]; then
  if ! [[ "$WEFT_SAFETY_SEED" =~ ^[0-9]{1,9}$ ]]; then
    echo "WEFT_SAFETY_SEED is '$WEFT_SAFETY_SEED': give a whole number of at most nine digits" >&2
    exit 1
  fi
  echo "$WEFT_SAFETY_SEED"
  exit
fi
commit=$(git -C "${1:-$(dirname "${BASH_SOURCE[0]}")}" rev-parse HEAD 2>/dev/null) || commit=0
echo $((16#${commit:0:12} % 99999 + 1))
