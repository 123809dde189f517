class Part {
  go() {}
}
class Whole {
  private part: Part;
  readonly parts: Part[] = [];
  optional?: Part;
  use() {
    this.part.go();
    // ^ calls: fields.Part.go
    this.parts[0].go();
    // ^ calls: fields.Part.go
    this.optional?.go();
    // ^ calls: fields.Part.go
  }
}
