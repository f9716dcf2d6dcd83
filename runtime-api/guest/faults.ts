import { FAULTS } from "../../src/catalogue/texts.ts";
import { pathOf, predicate, quoted, valueAt, type Finding } from "./fault-words.ts";
import { isArray } from "./intrinsics.ts";

export type { Finding } from "./fault-words.ts";

/** Findings from one index up to another. Those of the branches of an anyOf or oneOf stand right before its own. */
interface Span {
  readonly findings: readonly Finding[];
  readonly from: number;
  readonly to: number;
}

// Of so many forms it is told why they do not fit, and of each so many faults.
const FORM_COUNT = 4;
const FORM_FAULT_COUNT = 2;

/** Every finding as one sentence that says what to change, at most `count` of them, one a line. */
export function faultText(findings: readonly Finding[], args: unknown, count: number): string {
  const all: Span = { findings, from: 0, to: findings.length };
  const total = countTold(all);
  const text = tell(all, count, "\n", (finding, details) => `${sentence(finding, details, args)}.`);
  return total <= count ? text : `${text}\n${FAULTS.more(total - count)}.`;
}

function tell(span: Span, count: number, separator: string, words: (finding: Finding, details: Span) => string): string {
  let text = "";
  let left = countTold(span);
  // From the end, where a finding says how many before it are its own.
  for (let index = span.to - 1; index >= span.from;) {
    const finding = span.findings[index];
    const size = finding === undefined ? 0 : detailCount(finding);
    if (finding !== undefined && !isSummary(finding)) {
      left -= 1;
      if (left < count) text = `${words(finding, { ...span, from: index - size, to: index })}${text === "" ? "" : separator}${text}`;
    }
    index -= 1 + size;
  }
  return text;
}

function countTold({ findings, from, to }: Span): number {
  let told = 0;
  for (let index = to - 1; index >= from;) {
    const finding = findings[index];
    if (finding !== undefined && !isSummary(finding)) told += 1;
    index -= 1 + (finding === undefined ? 0 : detailCount(finding));
  }
  return told;
}

/** What it says has been said by the findings before it. */
function isSummary({ keyword }: Finding): boolean {
  return keyword === "if" || keyword === "propertyNames";
}

function detailCount({ params }: Finding): number {
  const counts = params["counts"];
  let sum = 0;
  if (isArray(counts)) for (let index = 0; index < counts.length; index += 1) sum += counts[index] as number;
  return sum;
}

function sentence(finding: Finding, details: Span, args: unknown): string {
  const only = onlyForm(finding, details);
  // Where it is clear which form is meant, what is wrong is wrong in that one.
  if (only !== null) return tell(only, FORM_FAULT_COUNT, ". ", (inner, innerDetails) => sentence(inner, innerDetails, args));
  return FAULTS.at(pathOf(finding.instancePath), predicateOf(finding, details, args));
}

function predicateOf(finding: Finding, details: Span, args: unknown): string {
  const { propertyName, keyword, params } = finding;
  if (propertyName !== undefined) return FAULTS.propertyName(quoted(propertyName), predicate(finding, propertyName));
  if (keyword !== "anyOf" && keyword !== "oneOf") return predicate(finding, valueAt(finding.instancePath, args));
  const { passing } = params;
  if (isArray(passing)) return FAULTS.severalForms((passing[0] as number) + 1, (passing[1] as number) + 1);
  return FAULTS.noForm(formsText(finding, details, args));
}

/** Why each form does not fit, as far as it is told. */
function formsText({ instancePath, params }: Finding, details: Span, args: unknown): string {
  const counts = params["counts"] as readonly number[];
  let text = "";
  let { from } = details;
  for (let index = 0; index < counts.length && index < FORM_COUNT; index += 1) {
    const to = from + (counts[index] ?? 0);
    const why = tell({ ...details, from, to }, FORM_FAULT_COUNT, FAULTS.and, (finding, inner) =>
      // Within the form it is clear of what it speaks.
      finding.instancePath === instancePath ? predicateOf(finding, inner, args) : sentence(finding, inner, args),
    );
    text += `${index === 0 ? "" : "; "}${FAULTS.form(index + 1, why)}`;
    from = to;
  }
  return counts.length <= FORM_COUNT ? text : `${text}; ${FAULTS.moreForms(counts.length - FORM_COUNT)}`;
}

/** The one form whose kind the value is of, and whose marks by `const` or `enum` it has; null where that is none or several. */
function onlyForm({ keyword, instancePath, params }: Finding, details: Span): Span | null {
  const { counts, passing } = params;
  if ((keyword !== "anyOf" && keyword !== "oneOf") || !isArray(counts) || isArray(passing)) return null;
  let only: Span | null = null;
  let { from } = details;
  for (let index = 0; index < counts.length; index += 1) {
    const span = { ...details, from, to: from + (counts[index] as number) };
    if (!isOtherForm(span, instancePath)) {
      if (only !== null) return null;
      only = span;
    }
    from = span.to;
  }
  return only;
}

function isOtherForm({ findings, from, to }: Span, instancePath: string): boolean {
  for (let index = from; index < to; index += 1) {
    const finding = findings[index];
    if (finding?.keyword === "const" || finding?.keyword === "enum") return true;
    if (finding?.keyword === "type" && finding.instancePath === instancePath) return true;
  }
  return false;
}
