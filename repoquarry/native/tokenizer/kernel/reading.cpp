#include "reading.h"

#include "literals.h"

namespace repoquarry {

namespace {

constexpr int32_t kOwnNameWeight = 2;  // the names around it count once

/// A key without what numbers definitions of the same name, and without the brackets of names that the extractors made.
Piece qualname(Room &room, Piece key) {
  const char *end = key.data + key.size, *mark = key.data;
  bool brackets = false;
  for (; mark < end && *mark != '#'; ++mark) brackets = brackets || *mark == '<' || *mark == '>';
  if (!brackets) return {key.data, mark - key.data};
  char *found = static_cast<char *>(room.take(static_cast<size_t>(key.size))), *to = found;
  for (const char *at = key.data; at < mark; ++at)
    if (*at != '<' && *at != '>') *to++ = *at;
  return {found, to - found};
}

bool is_plain(Piece piece) {
  for (int64_t at = 0; at < piece.size; ++at)
    if (static_cast<unsigned char>(piece.data[at]) >= 0x80) return false;
  return true;
}

}  // namespace

Reading::Reading(Room &given, const RqFile &file)
    : room(given), words(given), tokens(given), names(given), said(given), owners(given), parents(given), functions(given),
      documented(given), places(static_cast<int32_t>(file.names.count) + 1), letters_(given, file.letters) {
  room.require(file.bytes <= 0x7fffffff && file.names.count < 0x7fffffff && file.lines > 0);
  owners.append(file.owners, file.lines);
  documented.append(file.documented, file.lines);
  parents.append(file.parents, file.names.count);
  functions.append(file.functions, file.names.count);
  for (int32_t owner : owners) room.require(owner >= 0 && owner < places);
  for (int32_t parent : parents) room.require(parent >= 0 && parent < places);
  read_names(file);
  read_tokens(file);
  read_literals(file);
}

/// Calls `take` with each word; those joined by hyphens are one.
template <typename Take>
void Reading::each_word(const char *at, const char *end, Take take) {
  while (at < end) {
    bool plain = true;
    const char *behind = letters_.word_end(at, end, plain);
    if (behind == at) {
      at += take.between(at, end);
      continue;
    }
    while (behind < end && *behind == '-') {
      const char *more = letters_.word_end(behind + 1, end, plain);
      if (more == behind + 1) break;
      behind = more;
    }
    take.word(Piece{at, behind - at}, plain);
    at = behind;
  }
}

int32_t Reading::indexed(Piece word, bool plain) {
  int32_t number = words.number(word, plain);
  words.words[number].indexed = true;
  return number;
}

void Reading::read_tokens(const RqFile &file) {
  struct Taking {
    Reading &reading;
    int32_t line = 0;

    int64_t between(const char *at, const char *end) {
      if (*at == '\n') ++line;
      reading.room.require(line < reading.owners.size());
      return character_at(at, end).size;
    }
    void word(Piece word, bool plain) { reading.tokens.push({reading.indexed(word, plain), line}); }
  };
  Taking taking{*this};
  each_word<Taking &>(file.text, file.text + file.bytes, taking);
  room.require(taking.line + 1 == owners.size());
}

void Reading::read_literals(const RqFile &file) {
  const char *at = file.text, *end = file.text + file.bytes;
  int32_t line = 0;
  while (at < end) {
    if (*at == '\n') ++line;
    Piece literal = is_quote(*at) ? literal_at(at, end) : Piece{nullptr, 0};
    ++at;
    if (literal.data == nullptr) continue;
    int32_t place = owners[line];
    at = literal.data + literal.size;
    bool several = memchr(literal.data, ' ', static_cast<size_t>(literal.size)) != nullptr;
    if (several) said.push({place, -1});
    for (const char *next = literal.data; several && next < at;) {
      Step step = step_at(letters_, next, at);
      if (step.kind == Step::word) said.push({place, words.number({next, step.behind - next}, step.plain)});
      if (step.kind == Step::cut) said.push({place, -1});
      next = step.behind;
    }
    for (const char *next = literal.data; next < at; ++next)
      if (*next == '\n') ++line;
    ++at;  // the closing quote
  }
}

void Reading::read_names(const RqFile &file) {
  Vector<int32_t> path(room);
  struct Taking {
    Reading &reading;
    Vector<int32_t> &path;

    static int64_t between(const char *at, const char *end) { return character_at(at, end).size; }
    void word(Piece word, bool plain) const { path.push(reading.indexed(word, plain)); }
  };
  each_word(file.path, file.path + file.path_bytes, Taking{*this, path});
  Vector<Piece> keys(room);
  keys.push({file.path, 0});  // the file itself has no name but its path
  read_texts(room, file.names, keys);
  for (int32_t place = 0; place < places; ++place) {
    for (int32_t word : path) names.push({place, word, 1});
    Piece name = qualname(room, keys[place]);
    const char *at = name.data, *end = name.data + name.size;
    int32_t own = at < end && *at != '.' ? kOwnNameWeight : 1;
    while (true) {
      const char *dot = at;
      while (dot < end && *dot != '.') ++dot;
      Piece part = {at, dot - at};
      names.push({place, indexed(part, is_plain(part)), dot == end ? own : 1});
      if (dot == end) break;
      at = dot + 1;
    }
  }
}

void Reading::ask(RqAsked &asked) {
  Vector<char> parts(room), odd(room);
  Vector<int32_t> sizes(room);
  for (Piece part : words.parts.pieces) {
    parts.append(part.data, part.size);
    parts.push('\n');
  }
  for (int32_t word : words.odd) {
    Piece text = words.text(word);
    odd.append(text.data, text.size);
    sizes.push(static_cast<int32_t>(text.size));
  }
  asked.parts = parts.begin();
  asked.parts_bytes = parts.size();
  asked.odd = {odd.begin(), odd.size(), sizes.begin(), sizes.size()};
}

}  // namespace repoquarry
