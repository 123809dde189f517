// C API of the tokenizer library.

#include <string.h>

#include "term_counter.h"
#include "token_vocabulary.h"
#include "vector_sums.h"

namespace {

constexpr size_t kChunk = size_t{1} << 16;  // files are many and small

using repoquarry::arena;
using repoquarry::Failure;
using repoquarry::InPlace;

}  // namespace

/// A scanner: the arena that holds everything else.
struct RqReading {
  repoquarry::Arena arena{0, kChunk};
  repoquarry::TextScanner *scanner = nullptr;
};

struct RqVocabulary {
  repoquarry::Arena arena{0, kChunk};
  repoquarry::TokenVocabulary *vocabulary = nullptr;
};

extern "C" {

int32_t repoquarry_words_version(void) { return REPOQUARRY_WORDS_VERSION; }

const char *repoquarry_words_error(int32_t failure) {
  switch (static_cast<Failure>(failure)) {
    case Failure::none: return "nothing failed";
    case Failure::version: return "the library is of another version than its binding";
    case Failure::input: return "what it was given is damaged: a number points outside a text";
    case Failure::memory: return "there is no memory left";
    case Failure::time: break;
  }
  return "unknown failure";
}

int32_t repoquarry_words_read(const RqFile *file, RqTermRequest *asked, RqReading **scanner) {
  *scanner = nullptr;
  memset(asked, 0, sizeof(RqTermRequest));
  if (file->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  RqReading *made = repoquarry::create<RqReading>();
  if (made == nullptr) return static_cast<int32_t>(Failure::memory);
  int32_t failure = repoquarry::run_guarded(made->arena, [&] {
    made->scanner = new (InPlace{arena->allocate(sizeof(repoquarry::TextScanner))}) repoquarry::TextScanner(*file);
    made->scanner->ask(*asked);
  });
  if (failure == 0)
    *scanner = made;
  else
    repoquarry::destroy(made);
  return failure;
}

int32_t repoquarry_words_count(RqReading *scanner, const RqTermResponse *terms, RqCounts *counts) {
  memset(counts, 0, sizeof(RqCounts));
  return repoquarry::run_guarded(scanner->arena, [&] { repoquarry::TermCounter(*scanner->scanner, *terms).write(*counts); });
}

void repoquarry_words_free(RqReading *scanner) { repoquarry::destroy(scanner); }

int32_t repoquarry_vocabulary(int64_t version, const RqTexts *tokens, RqVocabulary **made) {
  *made = nullptr;
  if (version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  RqVocabulary *vocabulary = repoquarry::create<RqVocabulary>();
  if (vocabulary == nullptr) return static_cast<int32_t>(Failure::memory);
  int32_t failure = repoquarry::run_guarded(vocabulary->arena, [&] {
    void *memory = arena->allocate(sizeof(repoquarry::TokenVocabulary));
    vocabulary->vocabulary = new (InPlace{memory}) repoquarry::TokenVocabulary(*tokens);
  });
  if (failure == 0)
    *made = vocabulary;
  else
    repoquarry::destroy(vocabulary);
  return failure;
}

int32_t repoquarry_bags(const RqVocabulary *vocabulary, const RqBagInput *given, int32_t *tokens, int64_t *offsets) {
  if (given->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  repoquarry::Arena temporary(0, kChunk);
  int32_t failure = repoquarry::run_guarded(temporary, [&] { repoquarry::bags(*vocabulary->vocabulary, *given, tokens, offsets); });
  temporary.free_all();
  return failure;
}

void repoquarry_vocabulary_free(RqVocabulary *vocabulary) { repoquarry::destroy(vocabulary); }

int32_t repoquarry_sums(const RqSumInput *given, float *sums) {
  if (given->version != REPOQUARRY_WORDS_VERSION) return static_cast<int32_t>(Failure::version);
  return static_cast<int32_t>(repoquarry::sums(*given, sums) ? Failure::none : Failure::input);
}

}  // extern "C"
