/** Where a schema gives defaults, as data: what is to be filled into a value, and which places of it go on. */
export interface DefaultPlace {
  /** By the name of a property. */
  readonly properties?: Readonly<Record<string, Given>>;
  readonly patterns?: readonly (readonly [pattern: string, place: number])[];
  /** For properties that no name and no pattern speaks of. */
  readonly others?: number;
  readonly prefix?: readonly Given[];
  /** For items after the prefix. */
  readonly items?: number;
  /** Places that speak of the same value. */
  readonly same?: readonly number[];
}

export interface Given {
  readonly value?: unknown;
  /** The property is required, so that its default counts before the arguments are checked. */
  readonly isRequired?: boolean;
  readonly place?: number;
}
