import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { daysText, type Forecast } from "./_forecast.ts";

export const NAME = "get_weather";
export const DESCRIPTION = "Look up the current weather and the forecast for a place, by name. Give a town, city, postcode or landmark.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    place: { type: "string", description: "Where to look up." },
    days: { type: "integer", description: "Days of forecast, 0 to 7.", minimum: 0, maximum: 7, default: 3 },
  },
  required: ["place"],
  additionalProperties: false,
};

// A service of this machine's own stands for the weather service: `examples/weather-service.ts`.
const SERVICE = "http://127.0.0.1:8765/forecast";

export async function run(context: ToolContext, { place, days }: { place: string; days: number }): Promise<ToolResult> {
  if (!place.trim()) throw new ToolError("get_weather needs a place to look up.");
  const key = await context.secrets.get("WEATHER_KEY");
  context.progress(0.2, `asking for ${place}`);
  const response = await fetch(`${SERVICE}?place=${encodeURIComponent(place)}&days=${days}`, {
    headers: { authorization: `Bearer ${key.toString()}` },
    signal: context.signal,
  });
  if (response.status === 404) throw new ToolError(`No place called '${place}' was found. Check the spelling.`);
  if (!response.ok) throw new ToolError(`The weather service answered ${response.status}.`, { retryable: response.status >= 500 });
  const forecast = (await response.json()) as Forecast;
  await context.storage.set(`last:${place}`, forecast.now);
  return {
    text: `${forecast.place}: ${forecast.now.celsius} C, ${forecast.now.sky}.${daysText(forecast)}`,
    summary: `${forecast.now.celsius} C, ${forecast.now.sky}`,
    payload: forecast,
  };
}
