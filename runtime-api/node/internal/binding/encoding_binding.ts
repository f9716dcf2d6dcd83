import { domainToASCII } from "../url.ts";

export function toASCII(host: string): string {
  return domainToASCII(host);
}
