// Digests of terms.
#pragma once

#include "text.h"

namespace repoquarry {

/// BLAKE2b with a digest of 8 bytes, read lowest first, as `vocabulary.digest` of the search index. Source: RFC 7693.
uint64_t digest(Piece term);

}  // namespace repoquarry
