/* threelane.c - the `threelane` command. */
#include "grader/commands/command.h"

int main(int argc, char **argv) { return command_main(argc, argv); }
