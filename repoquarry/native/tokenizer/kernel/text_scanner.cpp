#include "text_scanner.h"

#include "literals.h"

namespace repoquarry {

namespace {

constexpr int32_t kOwnNameWeight = 2;  // names of enclosing definitions count once

/// Strip the number of equal keys, and the brackets of names made by extractors.
StringView qualname(Arena &arena, StringView key) {
  const char *end = key.data + key.size, *mark = key.data;
  bool brackets = false;
  for (; mark < end && *mark != '#'; ++mark) brackets = brackets || *mark == '<' || *mark == '>';
  if (!brackets) return {key.data, mark - key.data};
  char *found = static_cast<char *>(arena.allocate(static_cast<size_t>(key.size))), *to = found;
  for (const char *at = key.data; at < mark; ++at)
    if (*at != '<' && *at != '>') *to++ = *at;
  return {found, to - found};
}

bool is_plain(StringView piece) {
  for (int64_t at = 0; at < piece.size; ++at)
    if (static_cast<unsigned char>(piece.data[at]) >= 0x80) return false;
  return true;
}

}  // namespace

TextScanner::TextScanner(Arena &given, const RqFile &file)
    : arena(given), words(given), tokens(given), names(given), literal_words(given), owners(given), parents(given), functions(given),
      documented(given), places(static_cast<int32_t>(file.names.count) + 1), letters_(given, file.letters) {
  arena.require(file.bytes <= 0x7fffffff && file.names.count < 0x7fffffff && file.lines > 0);
  owners.append(file.owners, file.lines);
  documented.append(file.documented, file.lines);
  parents.append(file.parents, file.names.count);
  functions.append(file.functions, file.names.count);
  for (int32_t owner : owners) arena.require(owner >= 0 && owner < places);
  for (int32_t parent : parents) arena.require(parent >= 0 && parent < places);
  read_names(file);
  read_tokens(file);
  read_literals(file);
}

/// Visit each word; words joined by hyphens are one.
template <typename Take>
void TextScanner::each_word(const char *at, const char *end, Take visit) {
  while (at < end) {
    bool is_ascii = true;
    const char *behind = letters_.word_end(at, end, is_ascii);
    if (behind == at) {
      at += visit.between(at, end);
      continue;
    }
    while (behind < end && *behind == '-') {
      const char *more = letters_.word_end(behind + 1, end, is_ascii);
      if (more == behind + 1) break;
      behind = more;
    }
    visit.word(StringView{at, behind - at}, is_ascii);
    at = behind;
  }
}

int32_t TextScanner::is_indexed(StringView word, bool is_ascii) {
  int32_t number = words.number(word, is_ascii);
  words.words[number].is_indexed = true;
  return number;
}

void TextScanner::read_tokens(const RqFile &file) {
  struct WordVisitor {
    TextScanner &scanner;
    int32_t line = 0;

    int64_t between(const char *at, const char *end) {
      if (*at == '\n') ++line;
      scanner.arena.require(line < scanner.owners.size());
      return character_at(at, end).size;
    }
    void word(StringView word, bool is_ascii) { scanner.tokens.push({scanner.is_indexed(word, is_ascii), line}); }
  };
  WordVisitor visitor{*this};
  each_word<WordVisitor &>(file.text, file.text + file.bytes, visitor);
  arena.require(visitor.line + 1 == owners.size());
}

void TextScanner::read_literals(const RqFile &file) {
  const char *at = file.text, *end = file.text + file.bytes;
  int32_t line = 0;
  while (at < end) {
    if (*at == '\n') ++line;
    StringView literal = is_quote(*at) ? literal_at(at, end) : StringView{nullptr, 0};
    ++at;
    if (literal.data == nullptr) continue;
    int32_t place = owners[line];
    at = literal.data + literal.size;
    bool several = memchr(literal.data, ' ', static_cast<size_t>(literal.size)) != nullptr;
    if (several) literal_words.push({place, -1});
    for (const char *next = literal.data; several && next < at;) {
      Step step = step_at(letters_, next, at);
      if (step.kind == Step::word) literal_words.push({place, words.number({next, step.behind - next}, step.is_ascii)});
      if (step.kind == Step::cut) literal_words.push({place, -1});
      next = step.behind;
    }
    for (const char *next = literal.data; next < at; ++next)
      if (*next == '\n') ++line;
    ++at;  // the closing quote
  }
}

void TextScanner::read_names(const RqFile &file) {
  Vector<int32_t> path(arena);
  struct WordVisitor {
    TextScanner &scanner;
    Vector<int32_t> &path;

    static int64_t between(const char *at, const char *end) { return character_at(at, end).size; }
    void word(StringView word, bool is_ascii) const { path.push(scanner.is_indexed(word, is_ascii)); }
  };
  each_word(file.path, file.path + file.path_bytes, WordVisitor{*this, path});
  Vector<StringView> keys(arena);
  keys.push({file.path, 0});  // the file itself has only its path as a name
  read_texts(arena, file.names, keys);
  for (int32_t place = 0; place < places; ++place) {
    for (int32_t word : path) names.push({place, word, 1});
    StringView name = qualname(arena, keys[place]);
    const char *at = name.data, *end = name.data + name.size;
    int32_t own = at < end && *at != '.' ? kOwnNameWeight : 1;
    while (true) {
      const char *dot = at;
      while (dot < end && *dot != '.') ++dot;
      StringView part = {at, dot - at};
      names.push({place, is_indexed(part, is_plain(part)), dot == end ? own : 1});
      if (dot == end) break;
      at = dot + 1;
    }
  }
}

void TextScanner::ask(RqTermRequest &asked) {
  Vector<char> parts(arena), non_ascii(arena);
  Vector<int32_t> sizes(arena);
  for (StringView part : words.parts.pieces) {
    parts.append(part.data, part.size);
    parts.push('\n');
  }
  for (int32_t word : words.non_ascii) {
    StringView text = words.text(word);
    non_ascii.append(text.data, text.size);
    sizes.push(static_cast<int32_t>(text.size));
  }
  asked.parts = parts.begin();
  asked.parts_bytes = parts.size();
  asked.non_ascii = {non_ascii.begin(), non_ascii.size(), sizes.begin(), sizes.size()};
}

}  // namespace repoquarry
