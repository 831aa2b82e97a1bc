# Runs `command` with empty standard input; fails unless it prints what the file `expected` holds and exits 0.
execute_process(COMMAND ${command} INPUT_FILE /dev/null OUTPUT_VARIABLE out RESULT_VARIABLE result)
file(READ ${expected} want)
if(NOT result EQUAL 0 OR NOT out STREQUAL want)
  message(FATAL_ERROR "${command}\nexit code ${result}, printed:\n${out}\nexpected:\n${want}")
endif()
