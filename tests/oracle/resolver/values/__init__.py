"""What values hold: containers, operators, parts of texts, stores."""
