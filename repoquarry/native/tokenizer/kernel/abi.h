// C ABI of the tokenizer library: texts in, arrays out.
//
// All texts are UTF-8, with lone surrogates as Python's `surrogatepass` writes them. The library knows the letters of ASCII; the
// caller describes all others and supplies the terms of words that contain them, so that both equal Python's. The caller keeps the
// input alive until the function returns.
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define REPOQUARRY_EXPORT __declspec(dllexport)
#else
#define REPOQUARRY_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

/// Version of the structures below, raised with every change to them. The binding refuses a library of another version.
enum { REPOQUARRY_WORDS_VERSION = 1 };

/// Texts in one block, and the size of each in bytes.
struct RqTexts {
  const char *text;
  int64_t bytes;
  const int32_t *sizes;
  int64_t count;
};

/// Word characters beyond ASCII by ascending code point; `kinds` is 1 for a letter, 3 for a decimal digit.
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
  const int32_t *owners;       // innermost place of each line
  const uint8_t *documented;   // per line: 1 for documentation
  int64_t lines;               // number of line breaks plus one
  const char *path;            // without suffix
  int64_t path_bytes;
  RqTexts names;               // key of each definition, `Outer.inner#2`
  const int32_t *parents;      // enclosing place of each definition
  const int32_t *functions;    // per definition: 1 for functions
};

/// Words whose terms the caller must supply.
struct RqTermRequest {
  const char *parts;  // lower-case parts of identifiers, each followed by a line break
  int64_t parts_bytes;
  RqTexts non_ascii;        // words that are not ASCII
};

/// Terms of a request, in its order: at most one per part, all terms of a non-ASCII word.
///
/// A term: digest (8 bytes, little endian), size (2 bytes, little endian), UTF-8. A part without a term has only the size 0xffff. A
/// non-ASCII word: number of its terms (2 bytes, little endian), the terms. The term of the complete word begins with `=` and is the
/// last one.
struct RqTermResponse {
  const char *parts;
  int64_t parts_bytes;
  const char *non_ascii;
  int64_t non_ascii_bytes;
};

/// Tables in column order, as `FileTerms` describes them.
struct RqCounts {
  const uint64_t *terms;
  int64_t term_count;
  const int32_t *whole;    // per term
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

/// Texts to convert to token bags.
struct RqBagInput {
  int64_t version;
  RqTexts texts;
  RqLetters letters;
  RqTexts non_ascii;                // distinct words that are not ASCII, of all texts
  const int32_t *non_ascii_tokens;  // tokens of these words, word by word
  const int64_t *non_ascii_first;   // where the tokens of each word begin; one more entry
  int64_t limit;              // maximum number of tokens per bag
};

/// Bags from `repoquarry_bags`, and the table of a model.
struct RqSumInput {
  int64_t version;
  const int32_t *tokens;
  const int64_t *offsets;
  int64_t bags;
  const int8_t *vectors;  // `dimension` per token
  int64_t dimension;
  const float *weights;  // per token
  int64_t token_count;
  const float *positions;  // by the rank of a token in its bag
  int64_t position_count;
};

struct RqReading;
struct RqVocabulary;

REPOQUARRY_EXPORT int32_t repoquarry_words_version(void);
/// Describe a failure code other than 0.
REPOQUARRY_EXPORT const char *repoquarry_words_error(int32_t failure);

/// Scan the words of a file. The request lives until the scanner is freed.
REPOQUARRY_EXPORT int32_t repoquarry_words_read(const RqFile *file, RqTermRequest *asked, RqReading **scanner);
/// Count scanned words, once per scanner, while the file is alive. The counts live until the scanner is freed.
REPOQUARRY_EXPORT int32_t repoquarry_words_count(RqReading *scanner, const RqTermResponse *terms, RqCounts *counts);
REPOQUARRY_EXPORT void repoquarry_words_free(RqReading *scanner);

/// Create a token vocabulary. It is immutable and may be shared by threads.
REPOQUARRY_EXPORT int32_t repoquarry_vocabulary(int64_t version, const RqTexts *tokens, RqVocabulary **made);
/// Compute the distinct tokens of each text in the order of first occurrence, at most `limit`. `tokens` has room for `limit` per
/// text; `offsets`, one entry longer than the texts, receives where each bag begins.
REPOQUARRY_EXPORT int32_t repoquarry_bags(const RqVocabulary *vocabulary, const RqBagInput *given, int32_t *tokens, int64_t *offsets);
REPOQUARRY_EXPORT void repoquarry_vocabulary_free(RqVocabulary *vocabulary);
/// Compute the weighted sums of the token vectors of each bag, in token order: `bags` rows of `dimension` into `sums`.
REPOQUARRY_EXPORT int32_t repoquarry_sums(const RqSumInput *given, float *sums);
}
