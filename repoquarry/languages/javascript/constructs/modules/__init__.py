"""What ties files together: imports, exports, CommonJS, namespaces."""
