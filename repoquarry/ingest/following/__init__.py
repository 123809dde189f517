"""Sources as they change after they were indexed: folders watched, branches followed, and what has changed, in files and in lines."""
