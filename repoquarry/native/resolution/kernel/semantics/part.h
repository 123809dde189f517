// Base of the parts of an analysis: references to the core, and to the analysis for the other parts.
#pragma once

#include "../program/language_tables.h"
#include "../program/program.h"
#include "../propagation/objects.h"

namespace repoquarry {

class Analysis;
class PointsToSolver;

class Part {
 public:
  explicit Part(Analysis &analysis);

 protected:
  Analysis &analysis_;
  StringInterner &names_;
  LanguageTables &tables_;
  Program &program_;
  Objects &objects_;
  PointsToSolver &solver_;
};

}  // namespace repoquarry
