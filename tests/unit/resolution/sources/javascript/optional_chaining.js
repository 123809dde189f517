const tool = { run() {} };
tool?.run?.();
// ^ calls: optional_chaining.tool.run
