"""One file per graph engine; `repoquarry.graphstore.engine` names the protocol that each of them fulfils."""
