"""Static types of JavaScript and TypeScript as far as they decide calls."""
