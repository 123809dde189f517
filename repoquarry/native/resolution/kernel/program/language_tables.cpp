#include "language_tables.h"

#include "text_reader.h"

namespace repoquarry {

void LanguageTables::read(StringInterner &names, const RqInput &input) {
  if (input.table_sizes.size != static_cast<int64_t>(TableId::count)) arena->fail(Failure::input);
  features_ = input.flags;
  TextReader texts(input.tables);
  for (int32_t table = 0; table < static_cast<int32_t>(TableId::count); ++table) {
    Vector<Name> &list = lists_[table];
    for (int32_t at = 0; at < input.table_sizes.data[table]; ++at) list.push(names.intern(texts.next()));
    for (int32_t at = 0; at < list.size; ++at) {
      sets_.add({table, list[at]});
      if (at % 2 == 0 && at + 1 < list.size) {
        values_.put({table, list[at]}, list[at + 1]);
        pairs_.add({table, list[at], list[at + 1]});
      }
    }
  }
  if (lists_[0].size != static_cast<int32_t>(LanguageProtocol::count)) arena->fail(Failure::input);
}

}  // namespace repoquarry
