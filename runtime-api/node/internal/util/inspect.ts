import inspection from "nodelib:internal/util/inspect";
import { setInspect } from "../errors.ts";

type Show = (value: unknown, options?: object) => string;
type Format = (...values: unknown[]) => string;
type Range = (one: readonly string[], other: readonly string[]) => { readonly len: number; readonly offset: number };

/** Node's own `util.inspect`, which its errors use too once it is there. */
export const inspect = inspection["inspect"] as Show;
export const format = inspection["format"] as Format;
export const formatWithOptions = inspection["formatWithOptions"] as (options: object, ...values: unknown[]) => string;
export const stripVTControlCharacters = inspection["stripVTControlCharacters"] as (text: string) => string;
export const identicalSequenceRange = inspection["identicalSequenceRange"] as Range;

setInspect(inspect);
