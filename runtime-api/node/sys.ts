export { shim } from "./util.ts";
