import { PDFDocument, rgb, StandardFonts } from "pdf-lib";

export const NAME = "pdf_lib";
export const DESCRIPTION = "A PDF of two pages with text, a shape and a form, saved and read back.";

export async function run() {
  const made = await PDFDocument.create();
  const font = await made.embedFont(StandardFonts.Helvetica);
  const page = made.addPage([300, 200]);
  page.drawText("Tea", { x: 20, y: 150, size: 24, font, color: rgb(0.8, 0.1, 0) });
  page.drawRectangle({ x: 10, y: 10, width: 50, height: 20 });
  made.addPage();
  made.setTitle("A menu");
  const field = made.getForm().createTextField("name");
  field.setText("Mia");
  field.addToPage(page);
  const bytes = await made.save();
  const read = await PDFDocument.load(bytes);
  return {
    head: String.fromCodePoint(...bytes.slice(0, 5)),
    pages: read.getPageCount(),
    title: read.getTitle(),
    width: read.getPage(0).getWidth(),
    field: read.getForm().getTextField("name").getText(),
  };
}
