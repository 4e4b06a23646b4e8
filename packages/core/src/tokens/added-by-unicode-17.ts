/**
 * Letters, marks and numbers that Unicode 17 added (its `DerivedAge.txt`), to stand in a class of a pattern with the `u` flag.
 *
 * tiktoken knows Unicode 16 and takes them for signs; a runtime may know them. Without this a count would depend on who
 * counts. A test compares every character with tiktoken, and fails when one of the two learns more.
 */
export const addedByUnicode17: string = [
  String.raw`\u{88f}\u{c5c}\u{cdc}\u{1acf}-\u{1add}\u{1ae0}-\u{1aeb}\u{a7ce}-\u{a7cf}\u{a7d2}\u{a7d4}\u{a7f1}`,
  String.raw`\u{10940}-\u{10959}\u{10ec5}-\u{10ec7}\u{10efa}-\u{10efb}\u{11b60}-\u{11b67}\u{11db0}-\u{11ddb}`,
  String.raw`\u{11de0}-\u{11de9}\u{16ea0}-\u{16eb8}\u{16ebb}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{187f8}-\u{187ff}`,
  String.raw`\u{18d09}-\u{18d1e}\u{18d80}-\u{18df2}\u{1e6c0}-\u{1e6de}\u{1e6e0}-\u{1e6f5}\u{1e6fe}-\u{1e6ff}`,
  String.raw`\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{323b0}-\u{33479}`,
].join("");
