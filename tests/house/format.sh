#!/usr/bin/env bash
# Every C++ and CUDA source is formatted as .clang-format says. With the version of Debian 12 alone: others break lines elsewhere.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case "$(clang-format --version 2>/dev/null)" in
  *"version 14."*) ;;
  *) echo "weft-skip: this needs clang-format 14"; exit 0 ;;
esac
find sim cuda viewer tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 -P 2 -n 40 clang-format --dry-run -Werror || { echo "to mend these: git clang-format"; exit 1; }
