import { PNG } from "pngjs";

export const NAME = "pngjs";
export const DESCRIPTION = "A picture drawn, encoded and decoded at once, and again through its streams.";

export async function run() {
  const picture = new PNG({ width: 3, height: 2 });
  picture.data.fill(255);
  picture.data.set([200, 100, 50, 128], 4 * 4);
  const bytes = PNG.sync.write(picture);
  const read = PNG.sync.read(bytes);
  const chunks: Uint8Array[] = [];
  await new Promise((resolve, reject) =>
    picture
      .pack()
      .on("data", (chunk) => chunks.push(chunk))
      .on("end", resolve)
      .on("error", reject),
  );
  const streamed = await new Promise<PNG>((resolve, reject) => {
    new PNG().parse(Buffer.concat(chunks), (error, decoded) => (error ? reject(error) : resolve(decoded)));
  });
  return {
    head: [...bytes.subarray(0, 4)],
    size: [read.width, read.height],
    pixel: [...read.data.subarray(16, 20)],
    isSame: read.data.equals(picture.data) && streamed.data.equals(picture.data),
  };
}
