// Digests of terms.
#pragma once

#include "utf8.h"

namespace repoquarry {

/// BLAKE2b with a digest of 8 bytes, little endian, as `vocabulary.digest` of the search index. Source: RFC 7693.
uint64_t digest(Text term);

}  // namespace repoquarry
