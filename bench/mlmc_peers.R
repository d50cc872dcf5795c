# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Runs multilevel Monte Carlo by the package mlmc of R, if it is there, for each line of its input: option,
# eps, first samples, finest level at the start and at most. Answers are lines of JSON. For Rscript -e, whose
# shell changes backslashes: there are none here.
answer <- function(...) {
  writeLines(sprintf(...))
  flush(stdout())
}
if (!suppressWarnings(suppressMessages(require('mlmc', quietly = TRUE)))) {
  answer('{"missing": "R has no package mlmc"}')
  quit()
}
answer('{"version": "%s", "note": "R %s.%s"}', packageVersion('mlmc'), R.version$major, R.version$minor)
input <- file('stdin')
open(input)
while (length(line <- readLines(input, 1))) {
  n <- as.numeric(strsplit(line, ' ')[[1]])
  begun <- proc.time()
  r <- tryCatch(suppressWarnings(mlmc(n[4], n[5], n[3], n[2], mcqmc06_l, gamma = 1, option = n[1])),
                error = function(e) conditionMessage(e))
  used <- proc.time() - begun
  if (is.character(r)) {
    answer('{"failed": "%s"}', gsub('[^ -~]|"', ' ', r))
  } else {
    answer('{"value": %.17g, "cost": %.17g, "first": %.17g, "levels": %d, "processor": %.17g}', r$P,
        sum(r$Nl * 2^(seq_along(r$Nl) - 1)), r$Nl[1], length(r$Nl), used[[1]] + used[[2]])
  }
}
