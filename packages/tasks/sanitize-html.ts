import sanitizeHtml from "sanitize-html";

export const NAME = "sanitize_html";
export const DESCRIPTION = "Scripts, handlers and bad links taken out, styles kept where allowed, tags renamed.";

export function run() {
  return {
    plain: sanitizeHtml('<p onclick="x()">Hi <script>alert(1)</script><a href="javascript:x()">there</a> <b>you</b></p>'),
    styled: sanitizeHtml('<p style="color: red; position: fixed">x</p>', {
      allowedAttributes: { p: ["style"] },
      allowedStyles: { p: { color: [/^red$/u] } },
    }),
    renamed: sanitizeHtml("<ol><li>1</li></ol>", { transformTags: { ol: "ul" } }),
  };
}
