import { createServer, type Server } from "node:http";

// Stands for a weather service on this machine: knows one place, and wants a key.
const KEY = "a-key-for-the-example";
const FORECAST = {
  place: "Kyoto",
  now: { celsius: 18, sky: "light rain" },
  days: [
    { date: "2026-05-01", low: 12, high: 19 },
    { date: "2026-05-02", low: 13, high: 22 },
    { date: "2026-05-03", low: 15, high: 24 },
  ],
};

/** Listens on loopback; resolves once it does. */
export async function startWeatherService(port = 8765): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const isKnown = url.searchParams.get("place") === FORECAST.place;
    const status = request.headers.authorization !== `Bearer ${KEY}` ? 401 : isKnown ? 200 : 404;
    const days = FORECAST.days.slice(0, Number(url.searchParams.get("days")));
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(status === 200 ? { ...FORECAST, days } : { status }));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
