/* manual_words.c - what the pages say beyond the tables, a row a command; "" is threelane(1). The
 * form is roff_text's: paragraphs, examples behind four blanks, commands between backquotes. */
#include <string.h>
#include "grader/manual/manual.h"

static const struct {
    const char *command, *words;
} pages[] = {
    {"",
     "Threelane teaches CUDA streams. Its exercises are short, real .cu files. A command compiles "
     "one, runs it\non a virtual GPU (or, with --gpu, on this machine's NVIDIA card), shows where "
     "every copy, kernel and\ncallback landed on the timeline, says why each one waited, and "
     "judges "
     "whether the overlap that was\nasked for happened.\n"
     "\n"
     "A folder of your own comes first; in it, make knows the same commands:\n"
     "\n"
     "    threelane init ~/threelane\n"
     "    cd ~/threelane\n"
     "    make ex43\n"
     "\n"
     "`threelane help` prints all commands and their options on one page, `threelane COMMAND "
     "--help` those\nof one command. An exercise is named ex43, 43, or as its folder.\n"},
    {"init",
     "Makes FOLDER and copies the installed course into it: exercises, lessons and a Makefile. "
     "Then "
     "`make ex43`\nin that folder compiles, runs and judges exercise 43, and `make help` lists "
     "what "
     "else there is.\n"
     "\n"
     "In a folder that has a course already, nothing of yours is touched: your own files (exNN.cu) "
     "and your\nprogress stay, and what the installed course has newer or more is brought in. So "
     "the same command\nfollows an update of the package.\n"
     "\n"
     "With --solutions the course comes with solutions, wrong variants and hidden parameters, for "
     "who teaches.\nIt has to be installed: the package threelane-solutions, or `make install "
     "SOLUTIONS=1`.\n"},
    {"run",
     "Compiles your file of the exercise with its harness, runs it on the virtual GPU (--gpu: on a "
     "real one),\nand prints what the program printed, its schedule, every check with its points, "
     "and for what failed\nthe operation that waited, what it waited for, and the line.\n"
     "\n"
     "The file is exercises/exNN-NAME/exNN.cu in the course of the current folder, or --src FILE. "
     "Inside a\ncourse `make ex43` is the same command.\n"
     "\n"
     "    threelane run ex43\n"
     "    threelane run ex43 --explore 200\n"
     "    threelane run ex43 --src attempt.cu --model h200\n"},
    {"watch", "Shows the exercises, the timeline and the verdict in one screen, and follows what "
              "you save: a "
              "fifth of a\nsecond after the editor has written the file, the new picture is there. "
              "`?` shows "
              "the keys. Without a\nterminal it prints each verdict instead.\n"},
    {"list", "Prints every exercise with its title, level and experience points, and what you have "
             "reached: "
             "new, tried\nor passed. Progress is kept in the folder .threelane of the course.\n"},
    {"next", "Says which exercise comes next, which file to edit, and what to read first.\n"},
    {"progress",
     "Prints how many points you have, which exercises are passed, and what each pass saved: the "
     "first try's\nschedule beside the last one's. With -o it writes a page for a browser.\n"},
    {"hint",
     "Prints the next of up to three hints for the check that failed in the last run of the "
     "exercise.\n"},
    {"lesson",
     "Shows the text that goes with the exercise, through the pager where there is a terminal.\n"},
    {"solution", "Shows a solution of the exercise once it is passed.\n"},
    {"reset",
     "Puts the untouched starter in the place of your file. It asks first, and keeps your file "
     "beside it under\na name with the date.\n"},
    {"show",
     "Draws a trace: one that a run left, one that `threelane trace` recorded on a GPU, or what "
     "`nsys export\n--type sqlite` wrote.\n"
     "\n"
     "    threelane show run.lane --as lanes\n"
     "    threelane show run.lane --as html -o run.html\n"},
    {"view",
     "Opens the live timeline of a trace, or of an exercise's last run, in the terminal: zoom, "
     "search, measure,\nplay, and read why the selected operation did not start earlier. `?` shows "
     "the keys. A trace that is\nstill being written is followed.\n"},
    {"whatif",
     "Makes the calls of a run again with a change, and shows the new schedule above the one that "
     "ran. The source\nis not touched. Several changes may follow each other; a program and its "
     "arguments stand behind --.\n"
     "\n"
     "    threelane whatif ex43 apart all async all\n"
     "    threelane whatif run.lane pinned H2D0 -- ./program\n"},
    {"predict",
     "Writes empty rows into predict.txt beside the exercise's source, in which you lay out the "
     "schedule that you\nexpect; the next run says where you were right. Once it is filled, prints "
     "how right you were.\n"},
    {"check",
     "Builds any CUDA program with tlcc(1), runs it with every access to memory watched, and "
     "reports races between\nstreams, host code and host functions, buffers that are freed or "
     "filled while they are in flight,\naccesses out of bounds, reads of memory that nobody has "
     "written, and more, each with its lines, the\nreason and a fix. Options that are not listed "
     "here are passed on to tlcc; what stands behind -- are\nthe program's arguments.\n"
     "\n"
     "    threelane check prog.cu\n"
     "    threelane check prog.cu -DN=100 --explore 200 -- input.dat\n"},
    {"trace",
     "Runs any CUDA program on this machine's GPU and records it, without a change to it and "
     "without a special\nbuild. `threelane show` and `threelane view` draw the trace. It needs "
     "NVIDIA's CUPTI, which comes with\nthe CUDA Toolkit.\n"},
    {"compare",
     "Runs a program on the virtual GPU and on the card (or takes the card's side from a "
     "recording), and puts\npredicted beside measured, operation by operation.\n"
     "\n"
     "    threelane compare --model mycard.ini prog.cu\n"},
    {"calibrate",
     "Measures this machine's card in under a minute and writes its device model, which every "
     "command then takes\nas --model.\n"},
    {"doctor",
     "Lists what this machine has for work on a real GPU (driver, toolkit, CUPTI, permissions), "
     "and what to do\nabout what is missing.\n"},
    {"grade",
     "Grades every hand-in of a folder or a zip file, in a sandbox, and writes a report: a page "
     "for the class and\none for everybody, CSV, JSON, JUnit and TAP, and a gradebook that goes on "
     "where it was when it is\nstopped. Folders may be as Moodle, Canvas or git leave them. What a "
     "submission says of itself is\nnot believed: its CUDA calls are made again, with hidden "
     "parameters and input.\n"
     "\n"
     "    threelane grade submissions/ -o report\n"
     "    threelane grade --exercise ex43 ada.cu --json\n"},
    {"site",
     "Writes the course as pages for a browser: lessons with figures that play, a card for each "
     "CUDA call, words,\nsearch. They need no server.\n"},
    {"golden",
     "Prints in what the golden text of an exercise differs from what its solution reports now; "
     "with --write it\nreplaces the file.\n"},
    {"pack",
     "Copies the exercises into a new folder as students get them. Solutions go along as objects "
     "without debug\ninformation, so that schedules and results can be compared with a solution's "
     "that nobody can read.\n"},
    {"lint",
     "Checks exercises: the starter compiles and fails, the solution passes on other legal "
     "schedules and devices,\nevery wrong variant is caught by the check that it names, every hint "
     "is there.\n"},
};

const char *manual_words(const char *command)
{
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (!strcmp(pages[i].command, command)) return pages[i].words;
    return NULL;
}
