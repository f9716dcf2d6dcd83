export const LABEL = "Weather";
export const DESCRIPTION = "Looking up the weather anywhere by name: what it is doing there now, and the days ahead.";
export const VERSION = "1.0.0";
export const LICENSE = "MIT";
export const PERMISSIONS = {
  network: ["127.0.0.1:8765"],
  secrets: [{ name: "WEATHER_KEY", hosts: ["127.0.0.1:8765"] }],
  storage: true,
  reason: {
    network: "To ask the weather service.",
    secrets: "The weather service wants a key.",
    storage: "To remember places that were looked up.",
  },
};
