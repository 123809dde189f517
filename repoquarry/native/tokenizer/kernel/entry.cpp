// The functions of the library.

#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "sums.h"
#include "vocabulary.h"

namespace {

/// For placing an object into memory that is there already.
struct Here {
  void *memory;
};

}  // namespace

inline void *operator new(size_t, Here here) noexcept { return here.memory; }

/// A reading: its memory, in which everything else lies.
struct RqReading {
  repoquarry::Room room;
  repoquarry::Reading *reading = nullptr;
};

struct RqVocabulary {
  repoquarry::Room room;
  repoquarry::Vocabulary *vocabulary = nullptr;
};

namespace repoquarry {
namespace {

template <typename T>
T *made() {
  void *place = malloc(sizeof(T));
  return place == nullptr ? nullptr : new (Here{place}) T();
}

template <typename T>
void freed(T *whole) {
  if (whole == nullptr) return;
  whole->room.free_all();
  free(whole);
}

/// Does something; the failure that ended it, 0 for none.
template <typename Work>
int32_t tried(Room &room, Work work) {
  int failure = setjmp(room.on_failure);
  if (failure == 0) work();
  return failure;
}

}  // namespace
}  // namespace repoquarry

using repoquarry::Failure;

extern "C" {

int32_t repoquarry_words_version(void) { return REPOQUARRY_WORDS_VERSION; }

const char *repoquarry_words_error(int32_t failure) {
  switch (static_cast<Failure>(failure)) {
    case Failure::none: return "nothing failed";
    case Failure::version: return "the library is of another version than its binding";
    case Failure::input: return "what it was given is damaged: a number points outside a text";
    case Failure::memory: return "there is no memory left";
  }
  return "unknown failure";
}

int32_t repoquarry_words_read(const RqFile *file, RqAsked *asked, RqReading **reading) {
  *reading = nullptr;
  memset(asked, 0, sizeof(RqAsked));
  if (file->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  RqReading *made = repoquarry::made<RqReading>();
  if (made == nullptr) return static_cast<int32_t>(Failure::memory);
  int32_t failure = repoquarry::tried(made->room, [&] {
    made->reading = new (Here{made->room.take(sizeof(repoquarry::Reading))}) repoquarry::Reading(made->room, *file);
    made->reading->ask(*asked);
  });
  if (failure == 0)
    *reading = made;
  else
    repoquarry::freed(made);
  return failure;
}

int32_t repoquarry_words_count(RqReading *reading, const RqTerms *terms, RqCounts *counts) {
  memset(counts, 0, sizeof(RqCounts));
  return repoquarry::tried(reading->room, [&] { repoquarry::Counting(*reading->reading, *terms).write(*counts); });
}

void repoquarry_words_free(RqReading *reading) { repoquarry::freed(reading); }

int32_t repoquarry_vocabulary(int64_t version, const RqTexts *tokens, RqVocabulary **made) {
  *made = nullptr;
  if (version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  RqVocabulary *vocabulary = repoquarry::made<RqVocabulary>();
  if (vocabulary == nullptr) return static_cast<int32_t>(Failure::memory);
  int32_t failure = repoquarry::tried(vocabulary->room, [&] {
    void *place = vocabulary->room.take(sizeof(repoquarry::Vocabulary));
    vocabulary->vocabulary = new (Here{place}) repoquarry::Vocabulary(vocabulary->room, *tokens);
  });
  if (failure == 0)
    *made = vocabulary;
  else
    repoquarry::freed(vocabulary);
  return failure;
}

int32_t repoquarry_bags(const RqVocabulary *vocabulary, const RqBagged *given, int32_t *tokens, int64_t *offsets) {
  if (given->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  repoquarry::Room room;
  int32_t failure = repoquarry::tried(room, [&] { repoquarry::bags(room, *vocabulary->vocabulary, *given, tokens, offsets); });
  room.free_all();
  return failure;
}

void repoquarry_vocabulary_free(RqVocabulary *vocabulary) { repoquarry::freed(vocabulary); }

int32_t repoquarry_sums(const RqSummed *given, float *sums) {
  if (given->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  return static_cast<int32_t>(repoquarry::sums(*given, sums) ? Failure::none : Failure::input);
}

}  // extern "C"
