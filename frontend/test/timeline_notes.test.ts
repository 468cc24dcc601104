import assert from "node:assert/strict";
import { test } from "node:test";
import { detectionOf } from "../src/timeline/steps";
import { notesOf } from "../src/timeline/trace_notes";
import type { Finding } from "../src/types";

const finding = (title: string, severity: Finding["severity"]): Finding => ({
  ...{
    title,
    severity,
    share: null,
    detail: "",
    action: "",
    code: "",
    params: {},
    tool: "",
    evidence: [],
    search: "",
    match: "text",
    whatif: "",
  },
});

test("the gravest note comes first, and each once", () => {
  const notes = notesOf([finding("clocks", "info"), finding("damaged", "warning"), finding("clocks", "info")]);
  assert.deepEqual(
    notes.map(({ title }) => title),
    ["damaged", "clocks"],
  );
});

test("steps that are a guess say so, others by what they were found", () => {
  const summary = {
    step_rule_title: "repeated calls",
    step_confidence: "guess",
    step_evidence: "`f` was called 18 times",
  };
  const note = finding("Steps are a guess, by repeated calls: `f` was called 18 times", "note");
  assert.deepEqual(detectionOf({ summary, findings: [finding("clocks", "info"), note] }), {
    ...{ by: "from: repeated calls (guess)", more: note.title, isGuess: true },
  });
  const sure = { step_rule_title: "step numbers (Keras)", step_confidence: "certain", step_evidence: "12 of them" };
  assert.deepEqual(detectionOf({ summary: sure, findings: [] }), {
    ...{ by: "from: step numbers (Keras)", more: "12 of them", isGuess: false },
  });
  assert.equal(detectionOf({ summary: { step_rule_title: null }, findings: [] }), null);
});
