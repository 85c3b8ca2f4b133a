# Threelane. `make help` says what there is to type; CONTRIBUTING.md says where things are.
# Two commands do all the set-up themselves: `make ex43` (or any exercise) and `make test`.
.DELETE_ON_ERROR:
.SUFFIXES:
# (COURSE: this is a student's folder, which `threelane init` made)
.DEFAULT_GOAL := $(if $(COURSE),help,all)
MAKEFLAGS += --no-print-directory -r
# The tools are built by all processors, unless a -j says otherwise.
at_once    = $(if $(filter -j% --jobs%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

BUILD  ?= build
BIN    ?= bin
PREFIX ?= /usr/local
ifeq ($(origin CC),default)
CC := gcc
endif
OBJCOPY ?= objcopy
OPT    ?= -O2
CFLAGS ?= -g $(OPT)
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
WERROR := $(if $(CI),-Werror)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -I. $(CPPFLAGS) $(WARN) $(WERROR) -fno-strict-aliasing -fPIE $(CFLAGS) -MMD -MP

# In a tarball that `make dist` made there is nothing to build: the tools are in bin and lib.
BUILT     := $(if $(wildcard sim/engine/engine.c),,yes)

not_here  := $(if $(BUILT),$(filter setup test test-unit test-pure test-sanitize test-fresh bench install uninstall man deb dist clean,$(MAKECMDGOALS)))
$(if $(not_here),$(error this is a built copy: `make $(firstword $(not_here))` needs the sources))

# V=1 shows the commands. Goals of the course build without a word, except for the one when set-up has run.
Q      := $(if $(V),,@)
course := $(filter ex% list next progress watch,$(MAKECMDGOALS))$(QUIETLY)
say     = $(if $(V)$(course),@:,@echo '  $(1)')

LIB       := $(BUILD)/lib/threelane
RUNTIME   := $(LIB)/libthreelane.a
PCH       := $(LIB)/pch/first.h.gch
SIM       := $(BUILD)/libsim.a
ENGINE    := $(BUILD)/libengine.a
TIMELINE  := $(BUILD)/libtimeline.a
GRADER    := $(BUILD)/libgrader.a
COMMON    := $(BUILD)/libcommon.a
REWRITER  := $(BUILD)/libtlcc.a
TLCC      := $(BIN)/tlcc
GPU_TOOL  := $(LIB)/threelane-gpu
THREELANE := $(BIN)/threelane

# A student's first command builds all of them.
ifeq ($(words $(MAKECMDGOALS))$(if $(filter ex%,$(MAKECMDGOALS)),,no)$(wildcard $(THREELANE)),1)
first     := $(at_once)
MAKEFLAGS += $(first)
endif

# Libraries that serve only some commands are linked when their archive is there: optional archive.a
# (before set-up there may be no compiler to ask, which is no news to anybody)
optional      = $(if $(filter /%,$(shell $(CC) -print-file-name=$(1) 2>/dev/null)),-l:$(1))
sqlite       := $(call optional,libsqlite3.a)
seccomp      := $(call optional,libseccomp.a)
zip          := $(and $(call optional,libminizip.a),$(call optional,libz.a),-l:libminizip.a -l:libz.a)
csv          := $(call optional,libcsv.a)
# (asked for when it is needed, not before set-up, which installs it in the make that links it)
cmark         = $(and $(call optional,libcmark-gfm.a),-l:libcmark-gfm-extensions.a -l:libcmark-gfm.a)
grader_libs   = $(seccomp) $(zip) $(sqlite) $(csv) $(cmark)
# Archives, so that what is built runs where they are not installed. SHARED=1: the shared ones, as packages want it.
linked        = $(if $(filter-out 0,$(SHARED)),$(patsubst -l:lib%.a,-l%,$(1)),$(1))

# ---- Sources. A room's files are found by name; a new one needs no line here. ----
common_src   := $(wildcard common/*.c common/*/*.c)
timeline_src := $(wildcard timeline/*/*.c timeline/*/*.S)
runtime_src  := $(foreach room,engine model memory light hazard host whatif fiber order spread exec library runtime launch nested graph process api api/graphs peer array api/rare replay,$(wildcard sim/$(room)/*.c sim/$(room)/*.S)) \
                $(addprefix timeline/trace/,trace_write.c trace_words.c labels.c analysis.c trace.c) \
                $(addprefix common/,exit_status.c hash.c json.c utf8.c)
tlcc_src     := $(wildcard sim/rewrite/*.c) $(filter-out sim/tlcc/tlcc.c,$(wildcard sim/tlcc/*.c))
# what keeps the gradebook of a class needs SQLite
gradebook    := grader/commands/grade_command.c $(addprefix grader/classroom/,batch.c class_page.c gradebook.c likeness_page.c pages.c tables.c) $(addprefix grader/cluster/,coordinator.c handout.c worker.c) $(wildcard grader/grades/*.c) grader/follow/follow_class.c
grader_src   := $(filter-out grader/commands/threelane.c $(if $(sqlite),,$(gradebook)),$(wildcard grader/*/*.c grader/*/*.S))
unit_src     := $(filter-out $(if $(sqlite),,$(addprefix tests/unit/grader/,test_class.c test_class_texts.c test_grade.c test_grades.c)),$(wildcard tests/unit/*/test_*.c))
bench_src    := $(wildcard tests/bench/bench_*.c)
gpu_src      := $(wildcard gpu/*.c)
obj           = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))

# ---- The real GPU: the tracer is built where CUPTI is; everything else does without. ----
cuda_homes := $(CUDA_HOME) $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc 2>/dev/null))) \
              /usr/local/cuda $(lastword $(sort $(wildcard /usr/local/cuda-*)))
CUPTI_H    := $(firstword $(wildcard $(foreach home,$(cuda_homes),$(addprefix $(home)/,extras/CUPTI/include/cupti.h \
                  include/cupti.h targets/x86_64-linux/include/cupti.h targets/sbsa-linux/include/cupti.h))))
CUDA_FOUND := $(firstword $(foreach home,$(cuda_homes),$(if $(filter $(home)/%,$(CUPTI_H)),$(home))))
CUPTI_LIB  := $(patsubst %/,%,$(dir $(firstword $(wildcard $(foreach folder,extras/CUPTI/lib64 lib64 lib \
                  targets/x86_64-linux/lib targets/sbsa-linux/lib,$(CUDA_FOUND)/$(folder)/libcupti.so*)))))
TRACER     := $(if $(CUPTI_H),$(LIB)/libthreelane_trace.so)
tracer_src := $(wildcard gpu/tracer/*.c) gpu/cupti_open.c gpu/plain_name.c timeline/trace/trace_write.c timeline/trace/trace_words.c \
              common/hash.c

.PHONY: all watch tools course-tools show-tools setup help test test-all test-tools test-unit test-pure test-unit-here test-pure-here test-sanitize test-class test-corpus test-gpu test-fresh mutate fuzz bench clean install dist deb list next progress lint
all: tools
tools: course-tools $(if $(BUILT),,$(GPU_TOOL) $(TRACER))
course-tools: $(if $(BUILT),,$(TLCC) $(THREELANE) $(RUNTIME) $(PCH))
show-tools: $(if $(BUILT),,$(THREELANE))

# ---- Set-up: what is missing is installed, or named. ----
# What lists and shows needs no C++ compiler. All that a command needs is set up at once, not piece by piece.
showing   := list next progress %-hint %-predict %-lesson %-view %-reset %-solution
setup_for := $(if $(or $(if $(MAKECMDGOALS),,all),$(filter-out $(showing),$(MAKECMDGOALS))),run,build)
setup_for := $(setup_for)$(if $(filter watch %-watch %-lesson,$(MAKECMDGOALS)),-lessons)
SETUP     := $(if $(BUILT),,$(BUILD)/.setup-$(setup_for))
last_tool := $(if $(filter build%,$(setup_for)),$(THREELANE),$(PCH))
$(BUILD)/.setup-%: .ci/setup
	@.ci/setup $(subst -, ,$*)
	@mkdir -p $(@D) && touch $@
	$(if $(course),@[ -e $(last_tool) ] || echo 'Building the tools (only this once, about half a minute) ...')
.SECONDARY: $(foreach purpose,build run build-lessons run-lessons grade site test deb,$(BUILD)/.setup-$(purpose))
setup: $(BUILD)/.setup-test

# ---- Building ----
# What is made takes its place when it is whole: two makes at once, or one that is stopped, leave nothing half.
in_place = mv -f $@.$$$$ $@
$(BUILD)/obj/%.o: %.c | $(SETUP)
	$(call say,cc $<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && $(in_place)
$(BUILD)/obj/%.o: %.S | $(SETUP)
	$(call say,as $<)
	$(Q)mkdir -p $(@D) && $(CC) -I. -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && $(in_place)
$(BUILD)/obj/sim/model/builtin.o: $(wildcard sim/devices/*.ini)
# Small functions that call each other for every event: a sixth faster.
$(BUILD)/obj/sim/engine/%.o: ALL_CFLAGS += $(if $(filter -O2,$(OPT)),-O3)
# What depends on the optional libraries is rebuilt when one of them comes or goes.
optional_obj := $(call obj,timeline/exports/nsys.c timeline/exports/nsys_read.c timeline/exports/nsys_write.c tests/unit/timeline/test_nsys.c grader/commands/command.c \
                  grader/classroom/inbox.c grader/box/sandbox_filter.c grader/grades/csv_table.c grader/grades/feedback.c tests/unit/grader/test_inbox.c $(wildcard grader/lessons/*.c) tests/unit/grader/test_markdown.c)
$(optional_obj): ALL_CFLAGS += $(if $(sqlite),,-DWITHOUT_SQLITE) $(if $(seccomp),,-DWITHOUT_SECCOMP) $(if $(zip),,-DWITHOUT_ZIP) $(if $(csv),,-DWITHOUT_CSV) \
    $(if $(cmark),,-DWITHOUT_CMARK)
libraries := $(BUILD)/.libraries-with$(subst $() ,,$(patsubst -l:%.a,-%,$(grader_libs)))
$(optional_obj): $(libraries)
$(libraries):
	@mkdir -p $(@D) && rm -f $(BUILD)/.libraries* && touch $@
$(BUILD)/obj/timeline/exports/html_files.o: $(wildcard timeline/exports/html/*) common/built_in.inc
$(BUILD)/obj/grader/site/site_files.o: $(wildcard grader/site/html/*) common/built_in.inc
$(BUILD)/obj/grader/classroom/class_files.o: $(wildcard grader/classroom/html/*) common/built_in.inc
$(BUILD)/obj/sim/tlcc/%.o: ALL_CFLAGS += -DTLCC_LIB='"$(abspath $(LIB))"'

$(COMMON): $(call obj,$(common_src))
$(TIMELINE): $(call obj,$(timeline_src))
$(GRADER): $(call obj,$(grader_src))
$(REWRITER): $(call obj,$(tlcc_src))
$(ENGINE): $(call obj,$(filter sim/engine/% sim/model/%,$(runtime_src)))
$(COMMON) $(TIMELINE) $(GRADER) $(REWRITER) $(ENGINE):
	$(Q)ar rcs $@.$$$$ $^ && $(in_place)

# What programs link with: objects in which only CUDA's names and the interposed ones can be seen, and libinih is
# inside, so that nothing else is needed. The player, and the driver's calls, are objects of their own: few programs
# need them, and what is linked is paid for at every edit (sim/pack). SIM is the same with everything in sight, for the
# tests.
$(SIM): $(call obj,$(runtime_src))
	$(Q)ar rcs $@.$$$$ $^ && $(in_place)
$(RUNTIME): $(SIM) sim/exports sim/interposed sim/pack
	$(call say,ar $@)
	$(Q)mkdir -p $(@D) && CC="$(CC)" OBJCOPY="$(OBJCOPY)" sh sim/pack $(SIM) $@.$$$$ "$$($(CC) -print-file-name=libinih.a)" && $(in_place)
	$(Q)ln -sfn '$(abspath sim/include)' $(LIB)/include
# our headers, read once: a program compiles in two thirds of the time
$(PCH): $(TLCC) $(shell find sim/include -name "*.h" -o -name "*.def" 2>/dev/null) | $(RUNTIME)
	$(call say,precompile cuda_runtime.h)
	$(Q)THREELANE_HOME='$(abspath $(LIB))' $(TLCC) --precompile && mkdir -p $(@D) && touch $@

$(TLCC): $(call obj,sim/tlcc/tlcc.c) $(REWRITER) $(COMMON)
	$(call say,ld $@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@.$$$$ && $(in_place)
$(THREELANE): $(call obj,grader/commands/threelane.c) $(GRADER) $(TIMELINE) $(COMMON) $(ENGINE)
	$(call say,ld $@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@.$$$$ \
	    $(call linked,-l:libinih.a -l:libutf8proc.a -l:libncursesw.a -l:libtinfo.a $(grader_libs)) -lm -lpthread -ldl && $(in_place)

$(GPU_TOOL): $(call obj,$(gpu_src)) $(TIMELINE) $(ENGINE) $(COMMON) | $(LIB)/probe.cu
	$(call say,ld $@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@.$$$$ $(call linked,-l:libinih.a -l:libutf8proc.a) -ldl -lm && $(in_place)
$(LIB)/probe.cu: gpu/probe.cu
	$(Q)mkdir -p $(@D) && cp $< $@
$(BUILD)/obj/gpu/cupti_open.o: ALL_CFLAGS += -DTHREELANE_CUPTI_LIB='"$(CUPTI_LIB)"'

# The virtual machine's own memory is freed past its stand-in for free(), which asks what the program frees
# (sim/host/malloced.c; a sanitizer has a free() of its own).
past_free := $(filter-out sim/host/alloc.c sim/replay/log_parse.c,\
                 $(foreach room,memory light hazard host fiber order spread exec library runtime launch nested graph process api api/graphs peer array api/rare replay,$(wildcard sim/$(room)/*.c)))
$(call obj,$(past_free)): ALL_CFLAGS += $(if $(findstring -fsanitize,$(CFLAGS)),,-Dfree=malloced_free)

# Hooks that keep their callers' vector registers, and a register in which kernels count (sim/exec/exec_internal.h).
# (asked for when it is needed: before set-up there may be no compiler, and set-up is in the same make)
on_x86 = $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null))
$(call obj,sim/exec/touch.c): ALL_CFLAGS += $(if $(on_x86),-mgeneral-regs-only)
# Each OS thread's own variables are the program's: no table is asked where.
$(call obj,$(wildcard sim/exec/*.c sim/fiber/*.c sim/spread/*.c)): ALL_CFLAGS += -ftls-model=local-exec
$(call obj,$(wildcard sim/exec/*.c sim/nested/*.c) sim/array/array_fetch.c): ALL_CFLAGS += $(if $(on_x86),$(if $(findstring clang,$(shell $(CC) --version)),,-ffixed-r15))

# What is loaded into other people's programs: nothing of it can be seen but the names that CUDA and NVTX look for.
$(BUILD)/tracer/%.o: ALL_CFLAGS += -fPIC -fvisibility=hidden -isystem $(dir $(CUPTI_H)) -isystem $(CUDA_FOUND)/include \
    -DTHREELANE_CUPTI_LIB='"$(CUPTI_LIB)"'
$(BUILD)/tracer/%.o: %.c | $(SETUP)
	$(call say,cc $<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && $(in_place)
$(LIB)/libthreelane_trace.so: $(patsubst %.c,$(BUILD)/tracer/%.o,$(tracer_src))
	$(call say,ld $@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) -shared $^ -o $@.$$$$ -lpthread -ldl && $(in_place)

-include $(shell test -d $(BUILD)/obj && find $(BUILD)/obj $(wildcard $(BUILD)/tracer) -name '*.d')

# ---- The course: what a student types. SRC, MODEL, SEED, TIMEOUT, GPU and CARD reach the command through the
# environment. ----
on_card   := $(filter-out 0,$(GPU))$(CARD)
card_tools := $(if $(BUILT),,$(if $(on_card),$(GPU_TOOL) $(TRACER)))
exercises := $(sort $(foreach folder,$(wildcard exercises/ex[0-9]*),$(firstword $(subst -, ,$(notdir $(folder))))))
.PHONY: $(exercises) $(foreach verb,hint view watch lesson solution reset golden,$(exercises:%=%-$(verb)))
# Variables of make that are options of the command (grader/commands/command_options.c), and which of them are flags.
option_words := SRC=--src SEED=--seed INPUT=--input EXPLORE=--explore MODEL=--model TIMEOUT=--timeout GPU=--gpu CARD=--card PREDICT=--predict JSON=--json FORCE=--force WRITE=--write SLURM=--slurm
option_flags := GPU JSON FORCE WRITE SLURM
export $(foreach pair,$(option_words),$(firstword $(subst =, ,$(pair)))) THREELANE_LIB
# $(call given,SRC GPU): the words of the command line for those that are set. Values pass through the environment.
option_of = $(patsubst $(1)=%,%,$(filter $(1)=%,$(option_words)))
given = $(foreach v,$(1),$(if $(filter $(v),$(option_flags)),$(if $(filter-out 0,$($(v))),$(call option_of,$(v))),$${$(v):+$(call option_of,$(v)) "$$$(v)"}))

$(exercises): course-tools $(card_tools)
	@$(THREELANE) run $@ $(call given,SRC MODEL SEED INPUT EXPLORE TIMEOUT PREDICT JSON GPU CARD)
watch_words = $(call given,MODEL TIMEOUT GPU CARD)
watch: course-tools $(card_tools) | $(SETUP)
	@$(THREELANE) watch $(watch_words)
$(exercises:%=%-watch): %-watch: course-tools $(card_tools) | $(SETUP)
	@$(THREELANE) watch $* $(watch_words)
$(exercises:%=%-hint): %-hint: show-tools
	@$(THREELANE) hint $*
$(exercises:%=%-predict): %-predict: show-tools
	@$(THREELANE) predict $*
$(exercises:%=%-lesson): %-lesson: show-tools | $(SETUP)
	@$(THREELANE) lesson $*
$(exercises:%=%-view): %-view: show-tools
	@$(THREELANE) view $*
$(exercises:%=%-solution): %-solution: show-tools
	@$(THREELANE) solution $* $(call given,FORCE)
$(exercises:%=%-reset): %-reset: show-tools
	@$(THREELANE) reset $*
$(exercises:%=%-golden): %-golden: course-tools
	@$(THREELANE) golden $* $(call given,WRITE)
list next progress: show-tools
	@$(THREELANE) $@
# ---- A class: make grade DIR=submissions [REPORT=report] [EXERCISES="ex43 ex44"] [SLURM=1] [OPTIONS="-j 4 --seed 7"] ----
.PHONY: grade
# (in a second make, which sees the libraries that set-up has installed)
grade: $(if $(DIR),$(if $(BUILT),,$(BUILD)/.setup-grade))
	@[ -n "$$DIR" ] || { echo 'make grade DIR=folder-or-zip [REPORT=report] [EXERCISES="ex43 ex44"] [OPTIONS="-j 4"]' >&2; exit 2; }
	@$(MAKE) $(if $(and $(filter --gpu --card%,$(OPTIONS)),$(if $(BUILT),,yes)),tools,course-tools) QUIETLY=yes
	@$(THREELANE) grade "$$DIR" $(EXERCISES) -o "$${REPORT:-report}" $(call given,SLURM) $(OPTIONS)
export DIR REPORT
lint: course-tools
	@$(THREELANE) lint --explore $(or $(EXPLORE),100)
# a name make does not know: an exercise that is not there gets the command's own answer
.DEFAULT:
	@case $@ in \
	ex[0-9]*) $(MAKE) -s course-tools && $(THREELANE) run $@ ;; \
	*) echo "make: no target '$@' (make help lists them)" >&2; exit 2 ;; \
	esac

# ---- Tests ----
# what plays a log, without the machine that it is played on
played_src := $(addprefix sim/replay/,log_parse.c play.c play_ends.c play_memory.c replay.c)
unit_bin := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(unit_src))))
.SECONDARY: $(call obj,$(unit_src) $(bench_src))
$(call obj,$(unit_src)): | $(BUILD)/.setup-test
# (they are compiled more often than run)
$(call obj,$(unit_src)): OPT = -O0
# What tests the machine below the API is linked with all of it; its clocks, threads and free() are then the virtual
# ones, and the address sanitizer, which has its own, cannot be used. The others are linked with the pure parts.
whole_bin := $(filter %/test_small_calls %/test_calls %/test_exec %/test_graph %/test_host %/test_memory %/test_operation %/test_runtime,$(unit_bin))
pure_bin  := $(filter-out $(whole_bin),$(unit_bin))
$(whole_bin): $(SIM)
$(BUILD)/tests/test_log_parse: $(call obj,sim/replay/log_parse.c)
$(BUILD)/tests/test_play: $(call obj,$(played_src) tests/fuzz/play_fake.c tests/fuzz/log_mutate.c)
$(BUILD)/tests/test_written: $(call obj,sim/memory/written.c)
$(BUILD)/tests/test_host_pages: $(call obj,sim/memory/host_pages.c)
$(BUILD)/tests/test_pieces: $(call obj,sim/memory/pieces.c)
$(BUILD)/tests/test_shared: $(call obj,sim/exec/shared.c)
$(BUILD)/tests/test_budget: $(call obj,sim/light/budget.c)
$(BUILD)/tests/test_footprint: $(call obj,sim/exec/footprint.c sim/light/light.c sim/memory/written.c sim/hazard/byteset.c)
$(BUILD)/tests/test_byteset: $(call obj,sim/hazard/byteset.c)
$(BUILD)/tests/test_spread: $(call obj,sim/spread/spread.c)
$(BUILD)/bench/bench_hazard: $(call obj,sim/memory/written.c sim/hazard/byteset.c)
$(BUILD)/tests/test_recorder: $(call obj,gpu/tracer/recorder.c gpu/sites.c gpu/plain_name.c)
$(BUILD)/tests/test_call_layouts: $(call obj,gpu/tracer/call_layouts.c)
$(BUILD)/tests/test_stream_contexts: $(call obj,gpu/tracer/stream_contexts.c)
$(BUILD)/tests/test_calibration: $(call obj,gpu/calibration.c)
$(foreach test,$(unit_src),$(eval $(BUILD)/tests/$(basename $(notdir $(test))): $(call obj,$(test))))
$(unit_bin): $(GRADER) $(REWRITER) $(TIMELINE) $(ENGINE) $(COMMON)
	$(call say,ld $@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter $(SIM),$^) $(GRADER) $(REWRITER) $(TIMELINE) $(ENGINE) $(COMMON) \
	    -o $@ -l:libcheck.a -lsubunit -l:libjansson.a -l:libinih.a -l:libutf8proc.a -l:libtinfo.a $(grader_libs) -lm -lrt -lpthread
# (tests in a second make, which sees the libraries that set-up has installed)
test-unit test-pure: $(BUILD)/.setup-test
	@$(MAKE) $@-here
test-unit-here: $(unit_bin)
	@PARTS=unit tests/run $(unit_bin)
test-pure-here: $(pure_bin)
	@PARTS=unit tests/run $(pure_bin)
# The pure parts' unit tests, and the command itself (what it makes and runs is the usual), with the sanitizers in them.
sanitized := BUILD=$(BUILD)/sanitize BIN=$(BUILD)/sanitize/bin \
             CFLAGS='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined'
test-sanitize: tools
	@$(MAKE) $(sanitized) test-pure $(BUILD)/sanitize/bin/threelane
	@THREELANE='$(abspath $(BUILD))/sanitize/bin/threelane' THREELANE_HOME='$(abspath $(LIB))' \
	    THREELANE_TLCC='$(abspath $(TLCC))' PARTS=cli ONLY='/(grade|exports|threelane|check-kinds)[.]sh' tests/run
test: $(BUILD)/.setup-test
	@$(MAKE) $(at_once) test-tools
	@$(MAKE) test-all
test-tools: tools $(unit_bin) $(BUILD)/fuzz/drive_player
test-all: test-tools
	@TLCC='$(abspath $(TLCC))' THREELANE='$(abspath $(THREELANE))' tests/run $(unit_bin)

# The code's layout, by clang-format 14.
.PHONY: format
format:
	@tests/format

# The rooms and what they include, drawn from the sources; WRITE=1 puts it into CONTRIBUTING.md.
# What of CUDA there is, by compiling a line for each name; WRITE=1 puts it into docs/coverage.md.
.PHONY: coverage
coverage: tools
	$(Q)tests/coverage/run >$(BUILD)/coverage.$$$$ && \
	if [ -n "$(WRITE)" ]; then cp $(BUILD)/coverage.$$$$ docs/coverage.md; else cat $(BUILD)/coverage.$$$$; fi; \
	status=$$?; rm -f $(BUILD)/coverage.$$$$; exit $$status

.PHONY: house
house:
	@mkdir -p $(BUILD) && tests/house >$(BUILD)/house.$$$$ && \
	if [ -n '$(WRITE)' ]; then \
	    awk -v drawn=$(BUILD)/house.$$$$ '{ if (!(on == 2 && !/^```/)) print } \
	        /^<!-- make house -->$$/ { on = 1 } \
	        /^```/ && on { if (on++ == 1) while ((getline line <drawn) > 0) print line; else on = 0 }' \
	        CONTRIBUTING.md >$(BUILD)/contributing.$$$$ && cat $(BUILD)/contributing.$$$$ >CONTRIBUTING.md; \
	else cat $(BUILD)/house.$$$$; fi; \
	rm -f $(BUILD)/house.$$$$ $(BUILD)/contributing.$$$$

# What a program log can make the player do, tried with logs that are nearly right (tests/fuzz/run says more): COUNT of
# them, or for so many SECONDS; SEED=.
fuzz: tools $(BUILD)/fuzz/drive_player
	@COUNT='$(COUNT)' SECONDS='$(SECONDS)' SEED='$(SEED)' JOBS='$(JOBS)' BUILD='$(BUILD)' CC='$(CC)' \
	    TLCC='$(abspath $(TLCC))' THREELANE='$(abspath $(THREELANE))' tests/fuzz/run $(played_src)
$(BUILD)/fuzz/drive_player: $(call obj,tests/fuzz/drive_player.c tests/fuzz/log_mutate.c sim/replay/replay.c common/exit_status.c)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

# Does a test notice when the code is wrong? SEED=1 COUNT=200 FILES='sim/exec/*.c' JOBS=2 (tests/mutate/run says more).
mutate: | $(BUILD)/.setup-test
	@SEED='$(SEED)' COUNT='$(COUNT)' FILES='$(FILES)' JOBS='$(JOBS)' AGAIN='$(AGAIN)' BUDGET='$(BUDGET)' UNREACHED='$(UNREACHED)' tests/mutate/run

bench_bin := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(bench_src))
$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(TIMELINE) $(ENGINE) $(COMMON)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -l:libinih.a -l:libutf8proc.a -lm -lpthread
# AGAINST=folder: is this build worse than that of another working copy? Both in one run, in turn.
bench: tools $(bench_bin)
	@if [ -n '$(AGAINST)' ]; then exec tests/bench/against '$(AGAINST)'; fi; \
	TLCC='$(abspath $(TLCC))' THREELANE='$(abspath $(THREELANE))' tests/bench/run $(bench_bin)

# The first command on a fresh machine, in bare roots made on the spot (as root; before a release).
test-fresh:
	@tests/fresh/run $(SUITES)

# A class of 500 whose verdicts are known. CLASS="500 7": how many, and which.
test-class: tools
	@THREELANE='$(abspath $(THREELANE))' tests/class/run $(or $(CLASS),500 1)

# How many bugs are found in programs as people write them, and how many reports are false.
test-corpus: tools
	@TLCC='$(abspath $(TLCC))' tests/corpus/run

# On a real GPU: the hardware must agree with what the simulator is held to, and the exercises hold on it.
test-gpu: $(if $(BUILT),,tools)
	@THREELANE='$(abspath $(THREELANE))' gpu/conformance
	@THREELANE='$(abspath $(THREELANE))' THREELANE_CARD='$(CARD)' gpu/exercises

# ---- The course as pages: make site [SITE=folder] [SOLUTIONS=1]. Figures are drawn from runs of the programs (in a built
# copy, which need not have all of them, they are text). ----
.PHONY: site site-here
figure_traces := $(BUILD)/figures
$(figure_traces)/.done: lessons/figures/draw $(wildcard lessons/figures/*.cu lessons/listings/*.cu exercises/*.h exercises/*/*.cu \
    exercises/*/*.h exercises/*/*.ini exercises/*/wrong/*.cu) $(if $(BUILT),,$(TLCC) $(THREELANE) $(RUNTIME) $(PCH))
	@echo 'Running the programs of the figures (only when one has changed, about a minute) ...'
	@rm -rf $(@D) && mkdir -p $(@D) && if BIN='$(BIN)' TRACES='$(@D)' lessons/figures/draw >$(@D)/said 2>&1; then touch $@; \
	else cat $(@D)/said >&2; false; fi
# (in a second make, which sees the libraries that set-up has installed)
site: $(if $(BUILT),,$(BUILD)/.setup-site)
	@$(MAKE) site-here QUIETLY=yes
site-here: course-tools $(if $(BUILT),,$(figure_traces)/.done)
	@$(THREELANE) site -o '$(or $(SITE),$(BUILD)/site)' $(if $(BUILT),,--figures '$(figure_traces)') $(if $(filter-out 0,$(SOLUTIONS)),--solutions)

# ---- The rest ----
# $(call starters,FOLDER): in the course there, the files to edit are as they come.
starters = (cd '$(1)/exercises' && for folder in ex*-*; do cp "$$folder/starter.cu" "$$folder/$${folder%%-*}.cu" || exit; done)

# Manual pages and completion, made by the tools themselves.
.PHONY: man uninstall
MANUAL := $(BUILD)/manual
man: $(MANUAL)/.made
$(MANUAL)/.made: $(THREELANE) $(TLCC)
	$(call say,man $(MANUAL))
	$(Q)rm -rf '$(@D)' && mkdir -p '$(@D)'
	$(Q)for command in $$($(THREELANE) help commands); do \
	    $(THREELANE) help man "$$command" >"$(@D)/threelane-$$command.1" || exit; \
	done
	$(Q)$(THREELANE) help man >'$(@D)/threelane.1' && $(TLCC) --manual >'$(@D)/tlcc.1'
	$(Q)$(THREELANE) help completion bash >'$(@D)/threelane.bash' && \
	    $(THREELANE) help completion zsh >'$(@D)/threelane.zsh' && \
	    $(THREELANE) help completion fish >'$(@D)/threelane.fish'
	$(Q)touch $@

# The course as students get it, which `threelane init` copies: without solutions' sources, wrong variants and hidden
# parameters (grader/commands/pack.c).
# (its objects have names of headers in them, as the compiler was told them: not those of this machine's folders)
PACKED := $(BUILD)/course
$(PACKED)/.made: $(wildcard exercises/*.h $(foreach ending,cu h ini txt,exercises/*/*.$(ending))) $(RUNTIME) | $(THREELANE) $(TLCC)
	$(call say,pack exercises)
	$(Q)rm -rf '$(@D)' && mkdir -p '$(@D)/home' && ln -s '$(abspath sim/include)' '$(@D)/home/include' && \
	    ln -s '$(abspath $(RUNTIME))' '$(@D)/home'
	$(Q)THREELANE_HOME='$(@D)/home' $(THREELANE) pack '$(abspath $(@D))/exercises' >/dev/null
	$(Q)rm -rf '$(@D)/home' && touch $@

# make install [PREFIX=/usr/local] [DESTDIR=folder] [SOLUTIONS=1: for who teaches]     (docs/install.md)
at      := $(DESTDIR)$(PREFIX)
as_file := install -m 644
at_bash := $(at)/share/bash-completion/completions
at_zsh  := $(at)/share/zsh/site-functions
at_fish := $(at)/share/fish/vendor_completions.d
at_man  := $(at)/share/man/man1
documents = LICENSE $(filter-out lessons/%,$(wildcard *.md */*.md sim/*/*.md))
install: tools man $(PACKED)/.made
	$(Q)install -d '$(at)/bin' '$(at)/lib/threelane/course' '$(at_man)' '$(at_bash)' '$(at_zsh)' '$(at_fish)' '$(at)/share/doc/threelane'
	$(Q)install -m 755 $(TLCC) $(THREELANE) '$(at)/bin'
	$(Q)$(as_file) $(RUNTIME) gpu/probe.cu '$(at)/lib/threelane'
	$(Q)$(as_file) Makefile '$(at)/lib/threelane/course.mk'
	$(Q)install -m 755 $(GPU_TOOL) $(TRACER) '$(at)/lib/threelane'
	$(Q)rm -rf '$(at)/lib/threelane/include' '$(at)/lib/threelane/pch' '$(at)/lib/threelane/course' '$(at)/share/threelane/exercises'
	$(Q)cp -R sim/include '$(at)/lib/threelane/include'
	$(Q)[ -n '$(DESTDIR)' ] || '$(PREFIX)/bin/tlcc' --precompile
	$(Q)mkdir '$(at)/lib/threelane/course' && cp -R '$(PACKED)/exercises' lessons '$(at)/lib/threelane/course'
	$(Q)$(if $(with_solutions),install -d '$(at)/share/threelane' && cp -R exercises '$(at)/share/threelane' && \
	    rm -rf '$(at)'/share/threelane/exercises/*/predict.txt && \
	    $(call starters,$(at)/share/threelane))
	$(Q)$(as_file) $(MANUAL)/*.1 '$(at_man)'
	$(Q)$(as_file) $(MANUAL)/threelane.bash '$(at_bash)/threelane' && ln -sf threelane '$(at_bash)/tlcc'
	$(Q)$(as_file) $(MANUAL)/threelane.zsh '$(at_zsh)/_threelane'
	$(Q)$(as_file) $(MANUAL)/threelane.fish '$(at_fish)/threelane.fish' && ln -sf threelane.fish '$(at_fish)/tlcc.fish'
	$(Q)tar -cf - $(documents) | tar -xf - -C '$(at)/share/doc/threelane'
	@echo 'Installed in $(at). Next: threelane init FOLDER'
with_solutions := $(filter-out 0,$(SOLUTIONS))
# What install puts there, and nothing that anybody else may have put beside it.
uninstall:
	rm -f '$(at)/bin/tlcc' '$(at)/bin/threelane' '$(at_man)'/threelane.1 '$(at_man)'/threelane-*.1 '$(at_man)/tlcc.1' \
	    '$(at_bash)/threelane' '$(at_bash)/tlcc' '$(at_zsh)/_threelane' '$(at_fish)/threelane.fish' '$(at_fish)/tlcc.fish'
	rm -rf '$(at)/lib/threelane' '$(at)/share/threelane/exercises' '$(at)/share/doc/threelane'
	[ ! -d '$(at)/share/threelane' ] || rmdir --ignore-fail-on-non-empty '$(at)/share/threelane'

# Debian packages of what is here, in DIST (.ci/deb).
deb: $(BUILD)/.setup-deb
	@.ci/deb '$(DIST)'

# A tarball for a machine on which nothing can be installed: the tools as they are built here, the course, and what
# `make test-gpu` needs. There it takes g++ and make, and nvcc for the real GPU.
version   := $(shell sed -n 's/.*THREELANE_VERSION "\(.*\)".*/\1/p' common/version.h 2>/dev/null)
for_student := $(if $(filter-out 0,$(STUDENT)),-student)
dist_name := threelane-$(version)$(for_student)-$(shell uname -m)
# what goes in as it is (files that are not there are left out)
dist_files = Makefile README.md CONTRIBUTING.md LICENSE docs exercises lessons tests/conformance gpu/conformance gpu/exercises \
             grader/examples $(wildcard gpu/*.cu tests/compare sim/devices */*.md sim/*/*.md)
DIST      ?= dist
# STUDENT=1: without solutions' sources, wrong variants and hidden parameters (grader/commands/pack.c)
dist: tools
	$(Q)rm -rf '$(DIST)/$(dist_name)' && mkdir -p '$(DIST)/$(dist_name)/bin' '$(DIST)/$(dist_name)/lib/threelane'
	$(Q)tar -cf - --exclude='*.lane' --exclude=.threelane $(dist_files) | tar -xf - -C '$(DIST)/$(dist_name)'
	$(Q)if [ -n "$(for_student)" ]; then \
	    rm -rf '$(DIST)/$(dist_name)/exercises' && $(THREELANE) pack '$(DIST)/$(dist_name)/exercises' >/dev/null; \
	else \
	    $(call starters,$(DIST)/$(dist_name)); \
	fi
	$(Q)install -m 755 $(TLCC) $(THREELANE) '$(DIST)/$(dist_name)/bin'
	$(Q)cp $$(find $(LIB) -maxdepth 1 -type f) '$(DIST)/$(dist_name)/lib/threelane'
	$(Q)cp -RL sim/include '$(DIST)/$(dist_name)/lib/threelane/include'
	$(Q)strip --strip-debug '$(DIST)/$(dist_name)'/bin/* '$(DIST)/$(dist_name)'/lib/threelane/threelane-gpu
	$(Q)tar -czf '$(DIST)/$(dist_name).tar.gz' --owner=0 --group=0 --numeric-owner -C '$(DIST)' '$(dist_name)'
	$(Q)rm -rf '$(DIST)/$(dist_name)'
	@echo '$(DIST)/$(dist_name).tar.gz'$(if $(TRACER),,' (without the tracer of real GPUs: CUPTI was not found here)')

clean:
	rm -rf '$(BUILD)' '$(BIN)'

define help_text
Student
  make ex43              compile, run and judge exercise 43 on the virtual GPU (SRC=file.cu MODEL=h200 TIMEOUT=20)
  make ex43 JSON=1       the verdict as JSON, for editors (grader/VERDICT.md)
  make ex43 GPU=1        the same on this machine's NVIDIA GPU, with nvcc (CARD=1: on its second one)
  make watch             the course in one screen: save your file, and see at once what happened (make ex43-watch)
  make ex43-view         the timeline of your last run: zoom, search, play, compare with the solution
  make ex43 EXPLORE=200  look for a legal schedule that breaks it     SEED=17  shows the 17th     INPUT=7  other random input
  make ex43-hint         the next hint           make ex43-lesson     read the lesson
  make ex43-predict      what do you expect? Empty rows to fill before you run; then, how right you were
  make ex43-solution     after passing, or FORCE=1
  make ex43-reset        start again; asks, and keeps a dated backup
  make list              all exercises, points and state              make next    the next one to do
  make progress          how far you are, and what each pass saved (bin/threelane progress -o progress.html: as a page)
  make site              the course as pages for a browser, with figures that play (SITE=folder)

Instructor
  make ex43 SRC=path/to/submission.cu       judge another file as that exercise
  make grade DIR=submissions                a class: gradebook, pages, grades.csv (grader/GRADING.md)
  bin/threelane show TRACE --as lanes       draw any trace: lanes, waits, html, svg, perfetto ...
  bin/threelane trace ./program             record a CUDA program on a real GPU     bin/threelane doctor  what is missing
  bin/threelane calibrate                   measure this GPU     bin/threelane compare prog.cu  predicted beside measured
  bin/threelane help                        every command and its options

Author
  make lint              every exercise: starter fails, solution passes, every wrong variant is caught by name
  make ex43-golden       compare the golden text with the solution's report (WRITE=1 replaces it)
  make test              all tests               make bench           the numbers
  make house             the rooms and what they include     make format   the code's layout, by clang-format
  make coverage          what of CUDA there is, by compiling a line for each name (WRITE=1 into docs/coverage.md)
  make test-sanitize     the pure parts under the address and undefined-behaviour sanitizers
  make fuzz              logs that a forger would write, against the player (COUNT= SECONDS= SEED=)
  make mutate            changes the code at random and tells which changes no test notices (SEED= COUNT= FILES=)
  make test-class        a made-up class of 500 submissions whose verdicts are known
  make test-corpus       how many bugs the checker finds in programs as people write them, and its false reports
  make test-fresh        the first command on a fresh machine, in bare roots made on the spot (as root; before a release)
  make test-gpu          conformance programs and exercises on a real GPU (needs nvcc)
  make dist              a tarball for a machine on which nothing can be installed: it needs g++, make (and nvcc) there
  make dist STUDENT=1    the same for students: without solutions, wrong variants and hidden parameters
  make install           tools, course, manual pages (PREFIX=/usr/local DESTDIR= SOLUTIONS=1)     make uninstall
  make deb               Debian packages (docs/install.md)           make clean
endef
export help_text
help:
	@printf '%s\n' "$$help_text"$(if $(COURSE), | sed '/^Author/$(comma)$$d; s|bin/threelane|threelane|g')
comma := ,
