#include "viewer/app/command_line.h"

int main(int argc, char** argv) { return weft::run_command_line(argc, argv); }
