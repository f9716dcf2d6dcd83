import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";

export const NAME = "fast_xml_parser";
export const DESCRIPTION = "XML with attributes, entities and CDATA read, written and found to be broken.";

const XML = `<?xml version="1.0"?><list n="2"><item id="1">tea &amp; milk</item><item id="2"><![CDATA[<jam>]]></item></list>`;

export function run() {
  const options = { ignoreAttributes: false, ignoreDeclaration: true };
  const parsed = new XMLParser(options).parse(XML);
  const broken = XMLValidator.validate("<a><b></a>");
  return {
    parsed,
    written: new XMLBuilder(options).build({ a: { "@_x": "1", b: ["<", 2] } }),
    broken: broken === true ? null : broken.err.code,
  };
}
