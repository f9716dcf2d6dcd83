// RFC 6570, section 2.

/** What a literal may not be (2.1, with its erratum 6937, by which an apostrophe may). */
const NOT_LITERAL = /[\0-\x20"%<>\\^`{|}\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]/u;
const PERCENT = /%[0-9A-Fa-f]{2}/g;
const NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+$/;
const MODIFIER = /(?:\*|:[1-9]\d{0,3})$/;
const OPERATORS = "+#./;?&=,!@|";

export function isUriTemplate(text: string): boolean {
  let at = 0;
  for (let open = text.indexOf("{"); open !== -1; open = text.indexOf("{", at)) {
    const close = text.indexOf("}", open);
    if (close === -1 || !isLiteral(text.slice(at, open)) || !isExpression(text.slice(open + 1, close))) return false;
    at = close + 1;
  }
  return isLiteral(text.slice(at));
}

function isLiteral(text: string): boolean {
  return !NOT_LITERAL.test(text.replaceAll(PERCENT, ""));
}

function isExpression(text: string): boolean {
  const variables = OPERATORS.includes(text.charAt(0)) ? text.slice(1) : text;
  return variables.split(",").every(isVariable);
}

/** Names may be joined by dots; a prefix or the sign to explode comes last. */
function isVariable(text: string): boolean {
  return text
    .replace(MODIFIER, "")
    .split(".")
    .every((part) => NAME.test(part));
}
