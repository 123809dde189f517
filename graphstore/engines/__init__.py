"""One file per graph engine; `graphstore.engine` names the protocol that each of them fulfils."""
