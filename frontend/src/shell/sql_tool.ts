// The page of queries: no tool's, since its answers are what is asked for; reached as the pages of tools are.
import type { ToolSpec } from "../types";

export const SQL: ToolSpec = {
  name: "sql",
  title: "SQL",
  question: "What else is in this run? Ask its tables",
  help: "Tables of the run, and the rows that a query over them gives.",
  aliases: [],
  group: "",
  summary: [],
  tables: [],
  views: [],
  options: [],
  in_range: "whole",
  missing: null,
  documentation: "",
};
