import assert from "node:assert/strict";
import { test } from "node:test";
import { PatternError, patternOf } from "../src/timeline/pattern";

const TEXTS = [
  ...["", "a", "b", "ab", "aab", "abab", "abc", "ABC", "xabcx", "thread 12", "Thread 2", "stream 7", "a\nb", "a-b_c"],
  ...[
    "/host:CPU tf_Compute/3",
    "STREAM #13(Compute)",
    "ſK",
    "İstanbul",
    "日本 😀",
    "(a)[b]{c}",
    "a.b",
    "12:30",
    "a^$b",
  ],
];

test("finds what the browser's own matcher finds", () => {
  const expressions = [
    ...[
      "",
      "a",
      "^a",
      "b$",
      "^$",
      "^ab$",
      "a|b",
      "a|^$|7",
      "(a|b)*c",
      "(?:ab)+",
      "(?<n>a)b",
      "a?b",
      "a{2}",
      "a{1,}b",
      "a{0,2}$",
    ],
    ...[
      "[abc]+$",
      "[^a]",
      "[^]",
      "[]]",
      "\\d+",
      "\\D$",
      "\\bthread\\b",
      "\\Bb",
      "\\w+\\s\\w+",
      "stream.?7",
      ".",
      "^.$",
      "a.b",
    ],
    ...[
      "(a*)*b",
      "(a|a)*$",
      "((a?){3}){2}b",
      "\\.",
      "\\(a\\)",
      "[\\]\\-]",
      "\\u{1f600}",
      "\\ud83d\\ude00",
      "\\p{L}{2}",
      "\\x61",
    ],
    ...[
      "compute",
      "s",
      "k",
      "^thread (1|2)",
      "(|a)b",
      "()",
      "a+?b",
      "\\n",
      "#\\d+\\(",
      "[a-c]{3}",
      "^(?:/host|stream)",
    ],
  ].map((text) => (text === "[]]" ? "[\\]]" : text));
  for (const expression of expressions) {
    const [own, found] = [patternOf(expression), new RegExp(expression, "iu")];
    for (const text of TEXTS) assert.equal(own(text), found.test(text), `/${expression}/ in ${JSON.stringify(text)}`);
  }
});

test("an expression and a text that fit badly take no longer than others", () => {
  const text = "a".repeat(20_000);
  for (const expression of ["(a+)+$b", "(a|a)*b", "a*a*a*a*a*a*b", "(a*)*b", "(a|b)*a(a|b){12}c"])
    assert.equal(patternOf(expression)(text), false, expression);
});

test("an expression that is none, or is not taken, says why", () => {
  const why = (text: string) => assert.throws(() => patternOf(text), PatternError, text);
  for (const text of ["(", "[a", "a{2,1}", "*", "\\", "(?<n", "{"]) why(text);
  for (const text of ["(a)\\1", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(?<n>a)\\k<n>"]) why(text);
  assert.throws(() => patternOf("a".repeat(201)), /201 characters; the limit is 200/);
  assert.throws(() => patternOf("((a{99}){99}){99}"), /repeats too much/);
  assert.throws(() => patternOf("nccl("), /Not a regular expression: Unterminated group/);
});
