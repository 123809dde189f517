interface Plugin {
  start?(): void;
}
function run(plugin: Plugin) {
  plugin.start?.();
  // ^ calls: optional_methods.Plugin.start
}
