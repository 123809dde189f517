#include "text_scanner.h"

#include "literals.h"

namespace repoquarry {

namespace {

constexpr int32_t kOwnNameWeight = 2;  // names of enclosing definitions count once

/// Return where the number of equal keys begins (`f#2`), the end without one; private names of JavaScript begin with `#` too.
const char *number_mark(const char *begin, const char *end) {
  const char *at = end;
  while (at > begin && at[-1] >= '0' && at[-1] <= '9') --at;
  return at < end && at > begin && at[-1] == '#' ? at - 1 : end;
}

/// Strip the number of equal keys, and the brackets of names made by extractors.
Text qualname(Text key) {
  const char *mark = number_mark(key.data, key.data + key.size);
  bool brackets = false;
  for (const char *at = key.data; at < mark; ++at) brackets = brackets || *at == '<' || *at == '>';
  if (!brackets) return text_between(key.data, mark);
  char *found = static_cast<char *>(arena->allocate(static_cast<size_t>(key.size))), *to = found;
  for (const char *at = key.data; at < mark; ++at)
    if (*at != '<' && *at != '>') *to++ = *at;
  return text_between(found, to);
}

bool is_plain(Text piece) {
  for (int32_t at = 0; at < piece.size; ++at)
    if (static_cast<unsigned char>(piece.data[at]) >= 0x80) return false;
  return true;
}

}  // namespace

TextScanner::TextScanner(const RqFile &file) : places(static_cast<int32_t>(file.names.count) + 1), letters_(file.letters) {
  arena->require(file.bytes <= 0x7fffffff && file.names.count < 0x7fffffff && file.lines > 0 && file.lines < 0x7fffffff);
  int32_t lines = static_cast<int32_t>(file.lines), definitions = places - 1;
  owners.append(file.owners, lines);
  documented.append(file.documented, lines);
  parents.append(file.parents, definitions);
  functions.append(file.functions, definitions);
  for (int32_t owner : owners) arena->require(owner >= 0 && owner < places);
  for (int32_t parent : parents) arena->require(parent >= 0 && parent < places);
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
    visit.word(text_between(at, behind), is_ascii);
    at = behind;
  }
}

int32_t TextScanner::is_indexed(Text word, bool is_ascii) {
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
      arena->require(line < scanner.owners.size);
      return character_at(at, end).size;
    }
    void word(Text word, bool is_ascii) { scanner.tokens.push({scanner.is_indexed(word, is_ascii), line}); }
  };
  WordVisitor visitor{*this};
  each_word<WordVisitor &>(file.text, file.text + file.bytes, visitor);
  arena->require(visitor.line + 1 == owners.size);
}

void TextScanner::read_literals(const RqFile &file) {
  const char *at = file.text, *end = file.text + file.bytes;
  int32_t line = 0;
  while (at < end) {
    if (*at == '\n') ++line;
    Text literal = is_quote(*at) ? literal_at(at, end) : Text{nullptr, 0};
    ++at;
    if (literal.data == nullptr) continue;
    int32_t place = owners[line];
    at = literal.data + literal.size;
    bool several = memchr(literal.data, ' ', static_cast<size_t>(literal.size)) != nullptr;
    if (several) literal_words.push({place, -1});
    for (const char *next = literal.data; several && next < at;) {
      Step step = step_at(letters_, next, at);
      if (step.kind == Step::word) literal_words.push({place, words.number(text_between(next, step.behind), step.is_ascii)});
      if (step.kind == Step::cut) literal_words.push({place, -1});
      next = step.behind;
    }
    for (const char *next = literal.data; next < at; ++next)
      if (*next == '\n') ++line;
    ++at;  // the closing quote
  }
}

void TextScanner::read_names(const RqFile &file) {
  Vector<int32_t> path;
  struct WordVisitor {
    TextScanner &scanner;
    Vector<int32_t> &path;

    static int64_t between(const char *at, const char *end) { return character_at(at, end).size; }
    void word(Text word, bool is_ascii) const { path.push(scanner.is_indexed(word, is_ascii)); }
  };
  each_word(file.path, file.path + file.path_bytes, WordVisitor{*this, path});
  Vector<Text> keys;
  keys.push({file.path, 0});  // the file itself has only its path as a name
  read_texts(file.names, keys);
  for (int32_t place = 0; place < places; ++place) {
    for (int32_t word : path) names.push({place, word, 1});
    Text name = qualname(keys[place]);
    const char *at = name.data, *end = name.data + name.size;
    int32_t own = at < end && *at != '.' ? kOwnNameWeight : 1;
    while (true) {
      const char *dot = at;
      while (dot < end && *dot != '.') ++dot;
      Text part = text_between(at, dot);
      names.push({place, is_indexed(part, is_plain(part)), dot == end ? own : 1});
      if (dot == end) break;
      at = dot + 1;
    }
  }
}

void TextScanner::ask(RqTermRequest &asked) {
  Vector<char> parts, non_ascii;
  Vector<int32_t> sizes;
  for (int32_t number = 0; number < words.parts.size(); ++number) {
    Text part = words.parts.text(number);
    parts.append(part.data, part.size);
    parts.push('\n');
  }
  for (int32_t word : words.non_ascii) {
    Text text = words.text(word);
    non_ascii.append(text.data, text.size);
    sizes.push(text.size);
  }
  asked.parts = parts.data;
  asked.parts_bytes = parts.size;
  asked.non_ascii = {non_ascii.data, non_ascii.size, sizes.data, sizes.size};
}

}  // namespace repoquarry
