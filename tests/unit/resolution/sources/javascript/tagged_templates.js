function tag(strings, callback) {
  callback();
  // ^ calls: tagged_templates.<lambda1>
}
tag`a ${() => {}} b`;
// ^ calls: tagged_templates.tag
