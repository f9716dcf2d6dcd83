// Under Deno, with every permission denied: a line of JSON in, a line of JSON out.
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const chunk = new Uint8Array(64 * 1024);
let begun = "";
for (let size = Deno.stdin.readSync(chunk); size !== null; size = Deno.stdin.readSync(chunk)) {
  const lines = (begun + decoder.decode(chunk.subarray(0, size), { stream: true })).split("\n");
  begun = lines.pop() ?? "";
  for (const line of lines) write(encoder.encode(`${JSON.stringify(JSON.parse(line))}\n`));
}

function write(bytes) {
  for (let written = 0; written < bytes.length;) written += Deno.stdout.writeSync(bytes.subarray(written));
}
