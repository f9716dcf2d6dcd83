import { signals } from "unenv/node/internal/os/constants";

export const os = { signals };
