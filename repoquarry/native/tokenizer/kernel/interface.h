// The C ABI of the library that reads words: texts in, arrays out.
//
// All texts are UTF-8, lone surrogates among them as Python's `surrogatepass` writes them. The library knows the letters of ASCII; of all
// others the caller says which are letters, and what the terms of a word with such a letter are, so that both are exactly Python's.
// The caller keeps what it gives alive until the function returns.
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define REPOQUARRY_EXPORT __declspec(dllexport)
#else
#define REPOQUARRY_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

/// Changes with every change of the structures below; the binding refuses a library of another version.
enum { REPOQUARRY_WORDS_VERSION = 1 };

/// Texts in one block, and the number of bytes of each.
struct RqTexts {
  const char *text;
  int64_t bytes;
  const int32_t *sizes;
  int64_t count;
};

/// The characters beyond ASCII that words are made of, by ascending code point; `kinds` is 1 for a letter, 3 for a decimal digit.
struct RqLetters {
  const int32_t *codes;
  const uint8_t *kinds;
  int64_t count;
};

/// A file. Its places are numbered: 0 is the file itself, then its definitions.
struct RqFile {
  int64_t version;
  const char *text;
  int64_t bytes;
  RqLetters letters;           // of the text, the path and the names
  const int32_t *owners;       // for each line: the innermost place
  const uint8_t *documented;   // for each line: whether it is documentation
  int64_t lines;               // as many as line breaks, and one
  const char *path;            // without its suffix
  int64_t path_bytes;
  RqTexts names;               // for each definition: its key, `Outer.inner#2`
  const int32_t *parents;      // for each definition: the place around it
  const int32_t *functions;    // for each definition: 1 for functions
};

/// What the caller has to say of the words that were read.
struct RqAsked {
  const char *parts;  // lower-cased parts of identifiers, a line break behind each
  int64_t parts_bytes;
  RqTexts odd;        // words that are not ASCII
};

/// The terms of what was asked, in its order: of a part at most one, of an odd word all.
/// A term: digest (8 bytes, lowest first), size (2 bytes, lowest first), UTF-8. A part without a term has the size 0xffff and nothing else.
/// An odd word: the number of its terms (2 bytes, lowest first), the terms. The whole of a word, which begins with `=`, is its last term.
struct RqTerms {
  const char *parts;
  int64_t parts_bytes;
  const char *odd;
  int64_t odd_bytes;
};

/// Tables, one column behind the other, as `FileTexts` describes them.
struct RqCounts {
  const uint64_t *terms;
  int64_t term_count;
  const int32_t *whole;    // for each term
  const int32_t *body;     // 4 columns
  int64_t body_rows;
  const int32_t *names;    // 3 columns
  int64_t name_rows;
  const int32_t *bigrams;  // 3 columns
  int64_t bigram_rows;
  const uint64_t *phrases;
  const int32_t *phrase_places;
  int64_t phrase_count;
};

/// Texts that are put into bags of tokens.
struct RqBagged {
  int64_t version;
  RqTexts texts;
  RqLetters letters;
  RqTexts odd;                // every word that is not ASCII of any text, each once
  const int32_t *odd_tokens;  // their tokens, one word's behind the other's
  const int64_t *odd_first;   // for each of them, and one more: where they begin
  int64_t limit;              // tokens of a bag
};

/// Bags as `repoquarry_bags` makes them, and the table of a model.
struct RqSummed {
  int64_t version;
  const int32_t *tokens;
  const int64_t *offsets;
  int64_t bags;
  const int8_t *vectors;  // `dimension` for each token
  int64_t dimension;
  const float *weights;  // of each token
  int64_t token_count;
  const float *positions;  // by the rank of a token in its bag
  int64_t position_count;
};

struct RqReading;
struct RqVocabulary;

REPOQUARRY_EXPORT int32_t repoquarry_words_version(void);
/// What a failure other than 0 means.
REPOQUARRY_EXPORT const char *repoquarry_words_error(int32_t failure);

/// Reads the words of a file. What was asked lives until the reading is freed.
REPOQUARRY_EXPORT int32_t repoquarry_words_read(const RqFile *file, RqAsked *asked, RqReading **reading);
/// Counts what was read; once for each reading, while the file is still alive. The counts live until the reading is freed.
REPOQUARRY_EXPORT int32_t repoquarry_words_count(RqReading *reading, const RqTerms *terms, RqCounts *counts);
REPOQUARRY_EXPORT void repoquarry_words_free(RqReading *reading);

/// Tokens by number. Never changed once made: several threads may use one.
REPOQUARRY_EXPORT int32_t repoquarry_vocabulary(int64_t version, const RqTexts *tokens, RqVocabulary **made);
/// The distinct tokens of each text in the order of their first occurrence, at most `limit`. `tokens` has room for `limit` for each text,
/// `offsets` for one number more than there are texts: where the bag of each begins.
REPOQUARRY_EXPORT int32_t repoquarry_bags(const RqVocabulary *vocabulary, const RqBagged *given, int32_t *tokens, int64_t *offsets);
REPOQUARRY_EXPORT void repoquarry_vocabulary_free(RqVocabulary *vocabulary);
/// The weighted sum of the vectors of each bag's tokens, taken in their order: `bags` rows of `dimension` into `sums`.
REPOQUARRY_EXPORT int32_t repoquarry_sums(const RqSummed *given, float *sums);
}
